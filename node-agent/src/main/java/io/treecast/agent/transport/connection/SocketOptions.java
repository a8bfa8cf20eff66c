package io.treecast.agent.transport.connection;

import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollChannelOption;
import io.grpc.netty.shaded.io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

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

  /** A congestion control without pacing, which each Linux has and each process may choose. */
  private static final String UNPACED = "reno";

  private static final int IPPROTO_TCP = 6;

  private static final RawUnixChannelOption TCP_CONGESTION =
      new RawUnixChannelOption("treecast.TCP_CONGESTION", IPPROTO_TCP, 13, UNPACED.length());

  /** The use of a socket. */
  public enum Use {
    STREAM,

    /**
     * A bulk probe. It needs a congestion control that sends its window at once. BBR spreads it
     * over the round trip, so that a train on a long link measures BBR's first estimate.
     */
    PROBE
  }

  private SocketOptions() {}

  static NettyChannelBuilder ofDialed(NettyChannelBuilder builder, Use use) {
    builder.flowControlWindow(DIALED_WINDOW_BYTES);
    if (!Epoll.isAvailable()) {
      return builder;
    }
    if (use == Use.PROBE) {
      builder.withOption(
          TCP_CONGESTION, ByteBuffer.wrap(UNPACED.getBytes(StandardCharsets.US_ASCII)));
    }
    return builder.withOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES);
  }

  /** Sets the options of connections that a server accepts. */
  public static NettyServerBuilder ofAccepted(NettyServerBuilder builder) {
    builder.initialFlowControlWindow(ACCEPTED_WINDOW_BYTES);
    return Epoll.isAvailable()
        ? builder.withChildOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
        : builder;
  }
}
