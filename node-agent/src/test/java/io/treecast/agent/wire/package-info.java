@NullMarked
package io.treecast.agent.wire;

import org.jspecify.annotations.NullMarked;
