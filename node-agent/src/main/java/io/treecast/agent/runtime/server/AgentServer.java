package io.treecast.agent.runtime.server;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.permission.PermittedCalls;
import io.treecast.agent.transport.StreamDrops;
import io.treecast.agent.transport.connection.HttpFrames;
import io.treecast.agent.transport.connection.Keepalive;
import io.treecast.agent.transport.connection.SocketOptions;
import io.treecast.agent.transport.frame.PeerMethods;
import io.treecast.tls.TlsFiles;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The server of an agent, with the limits and keepalives of its connections. Stateless. */
public final class AgentServer {
  /** The limit of concurrent calls on a connection of an application or another agent. */
  public static final int MAX_CALLS_PER_CONNECTION = 1_024;

  private AgentServer() {}

  /**
   * Listens on the configured address.
   *
   * @throws ConfigException if the address is in use, or does not belong to this machine
   */
  public static Server listen(
      AgentConfig config,
      ConnectionSecurity security,
      @Nullable CallPermissions permissions,
      StreamDrops drops,
      List<ServerServiceDefinition> services)
      throws ConfigException {
    int maxRequestBytes = config.broadcast().payloadBytes() + PeerMethods.MAX_FRAME_BYTES;
    try {
      NettyServerBuilder builder =
          NettyServerBuilder.forAddress(
              config.listen().toSocketAddress(), HttpFrames.accepted(security.asAgent()));
      if (permissions != null) {
        builder.intercept(new PermittedCalls(permissions.gate()));
      }
      TlsFiles files = security.files();
      if (files != null) {
        builder.addTransportFilter(files.admission());
        builder.intercept(files.revocation());
      }
      return SocketOptions.ofAccepted(builder)
          .directExecutor()
          .maxInboundMessageSize(maxRequestBytes)
          .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
          // Keepalives of the server detect a peer that disappears, in addition to those of the
          // dialing end.
          .keepAliveTime(Keepalive.SECONDS, TimeUnit.SECONDS)
          .keepAliveTimeout(
              Keepalive.timeoutNanos(config.links().handshakeTimeoutNanos()), TimeUnit.NANOSECONDS)
          .permitKeepAliveTime(5, TimeUnit.SECONDS)
          .permitKeepAliveWithoutCalls(true)
          .addTransportFilter(new RejectedConnections(drops))
          .addStreamTracerFactory(new UnreadableStreams(drops))
          .addServices(services)
          .build()
          .start();
    } catch (IOException e) {
      throw ConfigException.now(
          ("listen: cannot listen on %s (%s); choose a free --listen address of this machine, or "
                  + "stop the process that uses it")
              .formatted(config.listen(), BindReason.of(e)));
    }
  }
}
