/**
 * Translates between what the core says and what is on the wire. Frames stand alone, but for
 * messages of the tree: these are told as differences against what crossed the same stream before,
 * so each end of a control stream has a {@link io.treecast.agent.wire.PeerCodec} of its own.
 */
@NullMarked
package io.treecast.agent.wire;

import org.jspecify.annotations.NullMarked;
