package io.treecast.agent.transport;

import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The channels that an agent has dialed, one for each stream, until they have ended. One that was
 * given up ends when its call has: when the other end has heard all and says so, or is found dead.
 * Thread-safe.
 */
final class DialedChannels {
  /** Names whose turns are remembered; fewer are seeds, and members mostly say IP addresses. */
  private static final int MAX_NAMES = 1_000;

  static {
    AddressTurns.register();
  }

  private final ChannelCredentials credentials;
  private final List<ClientInterceptor> interceptors;
  private final long handshakeTimeoutNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition givenUp = lock.newCondition();

  // Guarded by the lock.
  private final Set<ManagedChannel> inUse = new LinkedHashSet<>();

  /** How often each address was dialed whose host is a name. */
  private final Map<String, Integer> turns =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
          return size() > MAX_NAMES;
        }
      };

  /** Those that were given up and may not have ended. */
  private final Set<ManagedChannel> ending = new LinkedHashSet<>();

  /**
   * None yet.
   *
   * @param credentials how connections are secured
   * @param interceptors of the calls on them
   * @param handshakeTimeoutNanos when the other end must have answered; to connect may take half of
   *     that, so that another address of its name can be tried
   */
  DialedChannels(
      ChannelCredentials credentials,
      List<ClientInterceptor> interceptors,
      long handshakeTimeoutNanos) {
    this.credentials = credentials;
    this.interceptors = interceptors;
    this.handshakeTimeoutNanos = handshakeTimeoutNanos;
  }

  /**
   * A channel that connects when its first call begins.
   *
   * @throws ConfigException if the address is none
   */
  ManagedChannel to(String address) throws ConfigException {
    HostPort target = HostPort.parseRemote("address", address);
    ManagedChannel channel =
        SocketOptions.ofDialed(builder(target))
            .directExecutor()
            .intercept(interceptors)
            .disableRetry()
            .maxInboundMessageSize(GrpcTransport.MAX_FRAME_BYTES)
            .keepAliveTime(GrpcTransport.KEEPALIVE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(
                GrpcTransport.keepaliveTimeoutNanos(handshakeTimeoutNanos), TimeUnit.NANOSECONDS)
            .withOption(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(handshakeTimeoutNanos / 2)))
            .build();
    lock.lock();
    try {
      inUse.add(channel);
    } finally {
      lock.unlock();
    }
    return channel;
  }

  private NettyChannelBuilder builder(HostPort target) {
    return target.isName()
        ? NettyChannelBuilder.forTarget(AddressTurns.target(target, nextTurn(target)), credentials)
        : NettyChannelBuilder.forAddress(target.host(), target.port(), credentials);
  }

  private int nextTurn(HostPort target) {
    lock.lock();
    try {
      return turns.merge(target.toString(), 1, Integer::sum) - 1;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a channel when its calls have ended. */
  void giveUp(ManagedChannel channel) {
    channel.shutdown();
    lock.lock();
    try {
      if (inUse.remove(channel)) {
        ending.removeIf(ManagedChannel::isTerminated);
        ending.add(channel);
        givenUp.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all channels were given up and have ended, but no longer than this. */
  void awaitAllEnded(long nanos) throws InterruptedException {
    long untilNanos = System.nanoTime() + nanos;
    for (ManagedChannel channel : awaitAllGivenUp(nanos)) {
      var unused = channel.awaitTermination(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
  }

  /** Those that may not have ended when all were given up, or it has taken so long. */
  private List<ManagedChannel> awaitAllGivenUp(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long leftNanos = nanos;
      while (!inUse.isEmpty() && leftNanos > 0) {
        leftNanos = givenUp.awaitNanos(leftNanos);
      }
      return List.copyOf(ending);
    } finally {
      lock.unlock();
    }
  }

  /** Ends all channels at once. */
  void abort() {
    lock.lock();
    try {
      inUse.forEach(ManagedChannel::shutdownNow);
      ending.forEach(ManagedChannel::shutdownNow);
      inUse.clear();
      ending.clear();
      givenUp.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
