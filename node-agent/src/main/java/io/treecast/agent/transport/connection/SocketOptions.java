package io.treecast.agent.transport.connection;

import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollChannelOption;

/**
 * How the sockets between agents are set up. Their buffers are left to the system, which adapts
 * them to the link. But what the network cannot take yet is to wait in the agent, not in the
 * buffer: there another connection that is faster takes it, and little waits before what is small.
 * Stateless.
 */
public final class SocketOptions {
  /** As much may wait in a socket's buffer that was never sent. */
  private static final long UNSENT_BYTES = 256 << 10;

  /**
   * The HTTP/2 window of the other end, the largest of gRPC's own estimates. Credit bounds what an
   * agent takes in.
   */
  private static final int DIALED_WINDOW_BYTES = 8 << 20;

  /** The same at a server, from which gRPC's own estimate goes on. */
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
