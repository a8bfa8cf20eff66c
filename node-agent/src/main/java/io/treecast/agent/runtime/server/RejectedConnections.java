package io.treecast.agent.runtime.server;

import io.grpc.Attributes;
import io.grpc.ServerTransportFilter;
import io.treecast.agent.transport.StreamDrops;
import org.jspecify.annotations.Nullable;

/**
 * Counts connections to the agent's port that ended before the HTTP/2 handshake, such as those of a
 * port scanner.
 */
final class RejectedConnections extends ServerTransportFilter {
  private final StreamDrops drops;

  RejectedConnections(StreamDrops drops) {
    this.drops = drops;
  }

  @Override
  public void transportTerminated(@Nullable Attributes attributes) {
    // gRPC gives attributes to a connection once its handshake is complete.
    if (attributes == null) {
      drops.count(StreamDrops.Reason.INVALID_CONNECTION);
    }
  }
}
