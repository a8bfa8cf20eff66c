package io.treecast.agent.transport.connection;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelException;
import io.grpc.netty.shaded.io.netty.channel.SingleThreadEventLoop;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.IntegerUnixChannelOption;
import io.grpc.netty.shaded.io.netty.channel.unix.RawUnixChannelOption;
import io.grpc.netty.shaded.io.netty.util.internal.ThreadExecutorMap;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The socket below a gRPC call on Linux, of Netty's native transport. */
public final class LinuxTcpSocket implements TcpSocket {
  private static final int SOL_SOCKET = 1;
  private static final int IPPROTO_TCP = 6;

  // Offsets in struct tcp_info of linux/tcp.h, which only grows at its end.
  private static final int SMOOTHED_RTT_OFFSET = 68;
  private static final int ACKED_BYTES_OFFSET = 120;
  private static final int MIN_RTT_OFFSET = 148;
  private static final int TCP_INFO_BYTES = 152;

  private static final RawUnixChannelOption TCP_INFO =
      new RawUnixChannelOption("treecast.TCP_INFO", IPPROTO_TCP, 11, TCP_INFO_BYTES);

  private static final IntegerUnixChannelOption SO_MAX_PACING_RATE =
      new IntegerUnixChannelOption("treecast.SO_MAX_PACING_RATE", SOL_SOCKET, 47);

  /** No limit, as the system writes it. */
  private static final int KERNEL_UNLIMITED = -1;

  private final Channel channel;

  private LinuxTcpSocket(Channel channel) {
    this.channel = channel;
  }

  /**
   * Returns the socket of a call that has received a message. Called by the network's thread that
   * reads it; null without Netty's native transport of Linux.
   *
   * @param ofCall the attributes of the call
   */
  public static @Nullable LinuxTcpSocket ofCurrentThread(Attributes ofCall) {
    SocketAddress local = ofCall.get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR);
    SocketAddress remote = ofCall.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    // Neither gRPC nor Netty has a public way from a call to its channel.
    if (ThreadExecutorMap.currentExecutor() instanceof SingleThreadEventLoop thread) {
      for (Iterator<Channel> all = thread.registeredChannelsIterator(); all.hasNext(); ) {
        Channel channel = all.next();
        // A channel that closes has no addresses.
        if (channel instanceof EpollSocketChannel
            && local != null
            && local.equals(channel.localAddress())
            && remote != null
            && remote.equals(channel.remoteAddress())) {
          return new LinuxTcpSocket(channel);
        }
      }
    }
    return null;
  }

  @Override
  public @Nullable Measurements measurements() {
    try {
      ByteBuffer info = channel.config().getOption(TCP_INFO);
      if (info == null || info.remaining() < TCP_INFO_BYTES) {
        return null;
      }
      info.order(ByteOrder.nativeOrder());
      int start = info.position();
      return new Measurements(
          info.getLong(start + ACKED_BYTES_OFFSET),
          Integer.toUnsignedLong(info.getInt(start + SMOOTHED_RTT_OFFSET)),
          Integer.toUnsignedLong(info.getInt(start + MIN_RTT_OFFSET)));
    } catch (ChannelException closed) {
      return null;
    }
  }

  @Override
  public void limit(long bytesPerSecond) {
    int limit =
        bytesPerSecond == UNLIMITED
            ? KERNEL_UNLIMITED
            : (int) Math.min(Integer.MAX_VALUE, bytesPerSecond);
    try {
      channel.config().setOption(SO_MAX_PACING_RATE, limit);
    } catch (ChannelException closed) {
      // There is nothing to limit.
    }
  }

  /** Returns the limit of the rate of an open socket. */
  long limitBytesPerSecond() {
    int limit = channel.config().getOption(SO_MAX_PACING_RATE);
    return limit == KERNEL_UNLIMITED ? UNLIMITED : limit;
  }
}
