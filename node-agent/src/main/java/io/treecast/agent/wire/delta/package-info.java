/**
 * The codec of tree messages, which are differences against trees that crossed the same stream
 * before. The entry point is {@link io.treecast.agent.wire.delta.TreeCodec}; other control messages
 * belong to {@code io.treecast.agent.wire}.
 */
@NullMarked
package io.treecast.agent.wire.delta;

import org.jspecify.annotations.NullMarked;
