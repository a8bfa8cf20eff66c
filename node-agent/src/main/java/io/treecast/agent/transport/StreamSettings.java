package io.treecast.agent.transport;

import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * What all streams of a kind share.
 *
 * @param self the agent
 * @param loop drives the agent's core
 * @param emulation stands between the streams and the network, or null
 * @param drops counts what is given up
 * @param maxUnsentMessages messages that may be sent on one stream while the network takes none;
 *     {@link #BOUNDED_BY_CREDIT} where the receiver's credit bounds them
 */
record StreamSettings(
    NodeId self,
    Loop loop,
    @Nullable LinkEmulation emulation,
    StreamDrops drops,
    int maxUnsentMessages) {
  /** For data: a sender has no more credit than the receiver's {@code limits.edgeWindowBytes}. */
  static final int BOUNDED_BY_CREDIT = Integer.MAX_VALUE;

  StreamSettings withMaxUnsentMessages(int messages) {
    return new StreamSettings(self, loop, emulation, drops, messages);
  }
}
