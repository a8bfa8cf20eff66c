package io.treecast.agent.runtime.server;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerTransportFilter;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.inprocess.InProcessSocketAddress;
import io.treecast.ghs.NodeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The in-process server for applications in the agent's own process, without a socket. Starts at
 * the first use. Thread-safe.
 */
public final class InProcessServer implements AutoCloseable {
  private final String name;
  private final List<ServerServiceDefinition> services;
  private final AtomicLong connections = new AtomicLong();

  // Guarded by this.
  private @Nullable Server server;
  private boolean closed;

  /** Creates an instance that has not started. */
  public InProcessServer(NodeId agent, List<ServerServiceDefinition> services) {
    this.name = agent + "-" + UUID.randomUUID();
    this.services = List.copyOf(services);
  }

  /**
   * Returns the name by which clients in this process reach the server; starts it unless this is
   * closed.
   */
  public synchronized String name() {
    if (server == null && !closed) {
      try {
        server =
            InProcessServerBuilder.forName(name)
                .addServices(services)
                .addTransportFilter(new Numbered())
                .build()
                .start();
      } catch (IOException e) { // Only if another server had this name.
        throw new UncheckedIOException(e);
      }
    }
    return name;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (server != null) {
      server.shutdownNow();
    }
  }

  /** Gives each connection its own address, since each connection counts as a client. */
  private final class Numbered extends ServerTransportFilter {
    @Override
    public Attributes transportReady(Attributes attributes) {
      return attributes.toBuilder()
          .set(
              Grpc.TRANSPORT_ATTR_REMOTE_ADDR,
              new InProcessSocketAddress(name + "/" + connections.incrementAndGet()))
          .build();
    }
  }
}
