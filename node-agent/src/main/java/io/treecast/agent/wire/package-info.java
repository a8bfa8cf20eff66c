/**
 * Codecs between the core's messages and the wire. Frames stand alone, except tree messages: these
 * are differences against trees that crossed the same stream before, so each end of a control
 * stream has a {@link io.treecast.agent.wire.PeerCodec} of its own.
 */
@NullMarked
package io.treecast.agent.wire;

import org.jspecify.annotations.NullMarked;
