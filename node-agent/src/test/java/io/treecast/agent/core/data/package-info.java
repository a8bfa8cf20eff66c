@NullMarked
package io.treecast.agent.core.data;

import org.jspecify.annotations.NullMarked;
