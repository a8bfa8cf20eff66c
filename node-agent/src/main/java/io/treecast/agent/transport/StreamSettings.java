package io.treecast.agent.transport;

import io.treecast.agent.transport.connection.Departures;
import io.treecast.agent.transport.connection.IdentityMismatches;
import io.treecast.agent.transport.connection.Loop;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * The common settings of all streams of a kind.
 *
 * @param self the agent
 * @param loop drives the agent's core
 * @param emulation stands between the streams and the network; null without emulation
 * @param drops counts dropped streams and frames
 * @param identityMismatches receives reports of false identities
 * @param departures the times that decide how late messages leave; null where that does not matter
 * @param unsentBytes the bytes that may be buffered before a stream counts the messages that it
 *     sends
 * @param maxUnsentMessages the messages that may be sent while more bytes are buffered; one more
 *     closes the stream
 * @param inboundMessages the limit of messages taken from the network that the loop has not
 *     processed
 */
record StreamSettings(
    NodeId self,
    Loop loop,
    @Nullable LinkEmulation emulation,
    StreamDrops drops,
    IdentityMismatches identityMismatches,
    @Nullable Departures departures,
    int unsentBytes,
    int maxUnsentMessages,
    int inboundMessages) {
  StreamSettings withUnsent(int bytes, int messages) {
    return new StreamSettings(
        self,
        loop,
        emulation,
        drops,
        identityMismatches,
        departures,
        bytes,
        messages,
        inboundMessages);
  }

  StreamSettings withInbound(int messages) {
    return new StreamSettings(
        self,
        loop,
        emulation,
        drops,
        identityMismatches,
        departures,
        unsentBytes,
        maxUnsentMessages,
        messages);
  }

  StreamSettings withoutDepartures() {
    return new StreamSettings(
        self,
        loop,
        emulation,
        drops,
        identityMismatches,
        null,
        unsentBytes,
        maxUnsentMessages,
        inboundMessages);
  }

  /** Messages are requested in batches, because each request wakes the network's thread. */
  int requestedMessages() {
    return Math.max(1, inboundMessages / 4);
  }
}
