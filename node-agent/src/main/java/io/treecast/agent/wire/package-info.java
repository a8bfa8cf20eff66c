/**
 * Codecs between the core's messages and the wire. Frames stand alone, except tree messages, which
 * are {@linkplain io.treecast.agent.wire.delta differences}. So each end of a control stream has a
 * {@link io.treecast.agent.wire.PeerCodec} of its own.
 */
@NullMarked
package io.treecast.agent.wire;

import org.jspecify.annotations.NullMarked;
