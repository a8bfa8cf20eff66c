package io.treecast.agent.transport;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The channels that an agent has dialed and not given up, one for each stream. Thread-safe. */
final class DialedChannels {
  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition givenUp = lock.newCondition();

  /** Guarded by the lock. */
  private final Set<ManagedChannel> channels = new LinkedHashSet<>();

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
    lock.lock();
    try {
      channels.add(channel);
    } finally {
      lock.unlock();
    }
    return channel;
  }

  /** Ends a channel when its calls have ended. */
  void giveUp(ManagedChannel channel) {
    lock.lock();
    try {
      channels.remove(channel);
      givenUp.signalAll();
    } finally {
      lock.unlock();
    }
    channel.shutdown();
  }

  /** Waits until all channels are given up, but no longer than this. */
  void awaitAllGivenUp(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long leftNanos = nanos;
      while (!channels.isEmpty() && leftNanos > 0) {
        leftNanos = givenUp.awaitNanos(leftNanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends all channels at once. */
  void abort() {
    lock.lock();
    try {
      channels.forEach(ManagedChannel::shutdownNow);
      channels.clear();
      givenUp.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
