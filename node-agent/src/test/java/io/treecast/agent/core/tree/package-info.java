@NullMarked
package io.treecast.agent.core.tree;

import org.jspecify.annotations.NullMarked;
