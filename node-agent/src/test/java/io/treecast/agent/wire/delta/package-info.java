@NullMarked
package io.treecast.agent.wire.delta;

import org.jspecify.annotations.NullMarked;
