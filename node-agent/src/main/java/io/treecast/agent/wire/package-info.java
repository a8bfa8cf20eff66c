/**
 * Codecs between the core's messages and the wire, which check every decoded value. Frames are
 * independent, except tree messages, which are {@linkplain io.treecast.agent.wire.delta
 * differences} against earlier ones. So each end of a control stream has its own {@link
 * io.treecast.agent.wire.PeerCodec}. Streams and sockets belong to {@code
 * io.treecast.agent.transport}.
 */
@NullMarked
package io.treecast.agent.wire;

import org.jspecify.annotations.NullMarked;
