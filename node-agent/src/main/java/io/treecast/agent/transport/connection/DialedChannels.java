package io.treecast.agent.transport.connection;

import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.ServiceName;
import io.treecast.agent.transport.frame.PeerMethods;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The channels that an agent has dialed, one for each stream, until they have ended. A closed
 * channel ends with its call: when the other end has acknowledged all messages, or is found dead.
 * Thread-safe.
 */
public final class DialedChannels {
  /**
   * The limit of names whose turns are remembered. Seeds are fewer, and most members announce IP
   * addresses.
   */
  private static final int MAX_NAMES = 1_000;

  static {
    AddressTurns.register();
  }

  private final ChannelCredentials credentials;
  private final List<ClientInterceptor> interceptors;
  private final long handshakeTimeoutNanos;
  private final boolean onlyThisMachine;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closed = lock.newCondition();

  // Guarded by the lock.
  private final Set<ManagedChannel> inUse = new LinkedHashSet<>();

  /** The number of dials of each address whose host is a name. */
  private final Map<String, Integer> turns =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
          return size() > MAX_NAMES;
        }
      };

  /** Channels that were closed and may not have ended yet. */
  private final Set<ManagedChannel> ending = new LinkedHashSet<>();

  /**
   * Creates an instance without channels.
   *
   * @param credentials the security of connections
   * @param interceptors of the calls on them
   * @param handshakeTimeoutNanos the time in which the other end must answer; connecting may take
   *     half of it, so that another address of the name can be tried
   * @param onlyThisMachine whether names of other machines must not be dialed
   */
  public DialedChannels(
      ChannelCredentials credentials,
      List<ClientInterceptor> interceptors,
      long handshakeTimeoutNanos,
      boolean onlyThisMachine) {
    this.credentials = HttpFrames.dialed(credentials);
    this.interceptors = interceptors;
    this.handshakeTimeoutNanos = handshakeTimeoutNanos;
    this.onlyThisMachine = onlyThisMachine;
  }

  /**
   * Returns a channel that connects when its first call begins.
   *
   * @throws ConfigException if the text is not an address
   */
  public ManagedChannel to(String address) throws ConfigException {
    ManagedChannel channel =
        SocketOptions.ofDialed(builder(address))
            .directExecutor()
            .intercept(interceptors)
            .disableRetry()
            .maxInboundMessageSize(PeerMethods.MAX_FRAME_BYTES)
            .keepAliveTime(Keepalive.SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(Keepalive.timeoutNanos(handshakeTimeoutNanos), TimeUnit.NANOSECONDS)
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

  private NettyChannelBuilder builder(String address) throws ConfigException {
    if (ServiceName.is(address)) {
      return NettyChannelBuilder.forTarget(
          AddressTurns.target(address, nextTurn(address), onlyThisMachine), credentials);
    }
    HostPort target = HostPort.parseRemote("address", address);
    String text = target.toString();
    return target.isName()
        ? NettyChannelBuilder.forTarget(
            AddressTurns.target(text, nextTurn(text), onlyThisMachine), credentials)
        : NettyChannelBuilder.forAddress(target.host(), target.port(), credentials);
  }

  private int nextTurn(String address) {
    lock.lock();
    try {
      return turns.merge(address, 1, Integer::sum) - 1;
    } finally {
      lock.unlock();
    }
  }

  /** Closes a channel, which ends with its calls. */
  public void closeChannel(ManagedChannel channel) {
    channel.shutdown();
    lock.lock();
    try {
      if (inUse.remove(channel)) {
        ending.removeIf(ManagedChannel::isTerminated);
        ending.add(channel);
        closed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all channels were closed and have ended, but no longer than this. */
  public void awaitAllEnded(long nanos) throws InterruptedException {
    long untilNanos = System.nanoTime() + nanos;
    for (ManagedChannel channel : awaitAllGivenUp(nanos)) {
      var unused = channel.awaitTermination(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
  }

  /** Returns the channels that may not have ended once all were closed, or at the timeout. */
  private List<ManagedChannel> awaitAllGivenUp(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long leftNanos = nanos;
      while (!inUse.isEmpty() && leftNanos > 0) {
        leftNanos = closed.awaitNanos(leftNanos);
      }
      return List.copyOf(ending);
    } finally {
      lock.unlock();
    }
  }

  /** Ends all channels at once. */
  public void abort() {
    lock.lock();
    try {
      inUse.forEach(ManagedChannel::shutdownNow);
      ending.forEach(ManagedChannel::shutdownNow);
      inUse.clear();
      ending.clear();
      closed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
