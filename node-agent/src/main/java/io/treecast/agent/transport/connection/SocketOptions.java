package io.treecast.agent.transport.connection;

import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollChannelOption;

/**
 * The options of the sockets between agents. The operating system adapts the buffers to the link.
 * But data that the network cannot take yet should wait in the agent and not in the buffer: there a
 * faster connection can take it, and small messages have little to wait for. Stateless.
 */
public final class SocketOptions {
  /** The limit of bytes in a socket's buffer that were never sent (TCP_NOTSENT_LOWAT). */
  private static final long UNSENT_BYTES = 256 << 10;

  /**
   * The HTTP/2 window at the dialing end, the largest of gRPC's own estimates. Credit bounds the
   * data that an agent accepts.
   */
  private static final int DIALED_WINDOW_BYTES = 8 << 20;

  /** The HTTP/2 window at the accepting end, from which gRPC's own estimate starts. */
  private static final int ACCEPTED_WINDOW_BYTES = 4 << 20;

  private SocketOptions() {}

  static NettyChannelBuilder ofDialed(NettyChannelBuilder builder) {
    builder.flowControlWindow(DIALED_WINDOW_BYTES);
    return Epoll.isAvailable()
        ? builder.withOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
        : builder;
  }

  /** Sets the options of connections that a server accepts. */
  public static NettyServerBuilder ofAccepted(NettyServerBuilder builder) {
    builder.initialFlowControlWindow(ACCEPTED_WINDOW_BYTES);
    return Epoll.isAvailable()
        ? builder.withChildOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
        : builder;
  }
}
