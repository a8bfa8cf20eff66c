package io.treecast.agent.transport;

import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * The common settings of all streams of a kind.
 *
 * @param self the agent
 * @param loop drives the agent's core
 * @param emulation stands between the streams and the network, or null
 * @param drops counts streams and frames that are given up
 * @param impostors receives reports of those at the other end
 * @param unsentBytes bytes that may be buffered in the transport before a stream counts its
 *     messages
 * @param maxUnsentMessages messages that may be sent on one stream while the buffer is full; after
 *     one more the stream is given up
 */
record StreamSettings(
    NodeId self,
    Loop loop,
    @Nullable LinkEmulation emulation,
    StreamDrops drops,
    Impostors impostors,
    int unsentBytes,
    int maxUnsentMessages) {
  StreamSettings withUnsent(int bytes, int messages) {
    return new StreamSettings(self, loop, emulation, drops, impostors, bytes, messages);
  }
}
