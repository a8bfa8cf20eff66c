package io.treecast.agent.transport;

import io.treecast.agent.transport.connection.Impostors;
import io.treecast.agent.transport.connection.Loop;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * The common settings of all streams of a kind.
 *
 * @param self the agent
 * @param loop drives the agent's core
 * @param emulation stands between the streams and the network, or null
 * @param drops counts what is given up
 * @param impostors is told of those at the other end
 * @param unsentBytes may wait in the transport before a stream counts the messages that it sends
 * @param maxUnsentMessages messages that may be sent on one stream while so much waits; after one
 *     more the stream is given up
 * @param inboundMessages messages taken from the network that the loop has not dealt with, at most
 */
record StreamSettings(
    NodeId self,
    Loop loop,
    @Nullable LinkEmulation emulation,
    StreamDrops drops,
    Impostors impostors,
    int unsentBytes,
    int maxUnsentMessages,
    int inboundMessages) {
  StreamSettings withUnsent(int bytes, int messages) {
    return new StreamSettings(
        self, loop, emulation, drops, impostors, bytes, messages, inboundMessages);
  }

  StreamSettings withInbound(int messages) {
    return new StreamSettings(
        self, loop, emulation, drops, impostors, unsentBytes, maxUnsentMessages, messages);
  }

  /** So many are asked for at once, because each time wakes the network's thread. */
  int requestedMessages() {
    return Math.max(1, inboundMessages / 4);
  }
}
