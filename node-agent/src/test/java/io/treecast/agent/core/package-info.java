@NullMarked
package io.treecast.agent.core;

import org.jspecify.annotations.NullMarked;
