package io.treecast.agent.transport;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The channels that an agent has dialed and not given up, one for each stream. Thread-safe. */
final class DialedChannels {
  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

  private final Set<ManagedChannel> channels = ConcurrentHashMap.newKeySet();

  /**
   * A channel that connects when its first call begins.
   *
   * @throws ConfigException if the address is none
   */
  ManagedChannel to(String address) throws ConfigException {
    HostPort target = HostPort.parseRemote("address", address);
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(target.host(), target.port())
            .usePlaintext()
            .directExecutor()
            .disableRetry()
            .maxInboundMessageSize(GrpcTransport.MAX_FRAME_BYTES)
            .keepAliveTime(GrpcTransport.KEEPALIVE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(GrpcTransport.KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
            .build();
    channels.add(channel);
    return channel;
  }

  /** Ends a channel when its calls have ended. */
  void giveUp(ManagedChannel channel) {
    channels.remove(channel);
    channel.shutdown();
  }

  /** Ends all channels at once. */
  void abort() {
    channels.forEach(ManagedChannel::shutdownNow);
    channels.clear();
  }
}
