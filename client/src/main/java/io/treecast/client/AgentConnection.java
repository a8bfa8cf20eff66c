package io.treecast.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.WatchTreeRequest;
import io.treecast.proto.v1.WatchTreeResponse;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the agent, and the client's timer. Reconnects until it is closed, with the
 * client's own {@link Backoff}: the delays of gRPC would grow to two minutes.
 *
 * <p>The fields below belong to the timer thread, unless they say otherwise; any thread may call
 * the methods.
 */
final class AgentConnection {
  /** Largest message taken from the agent: a chunk, or a tree. */
  static final int MAX_INBOUND_MESSAGE_BYTES = 8 * 1024 * 1024;

  /** Silence after which a keepalive is sent to the agent. Agents must permit this rate. */
  static final long KEEPALIVE_SECONDS = 30;

  /** Silence after a keepalive until the connection counts as lost. */
  static final long KEEPALIVE_TIMEOUT_SECONDS = 10;

  private final ClientSettings settings;
  private final RandomGenerator random;
  private final AgentAddress agent;
  private final ConnectionSecurity security;
  private final ManagedChannel channel;
  private final ScheduledExecutorService timer;
  private final LongSupplier nanoClock;
  private final Backoff backoff;

  private final Set<Runnable> waiting = new LinkedHashSet<>();
  private @Nullable Future<?> nextAttempt;

  /** A call that asks the channel why it has no connection; null while there is none. */
  private @Nullable ClientCall<?, ?> question;

  /** Whether a separate thread is looking up the agent's host. */
  private boolean lookingUp;

  private final Predicate<String> isKnownHost;

  /** Why the last attempt to connect failed; null while connected. Read by any thread. */
  private volatile @Nullable Status lastFailure;

  /** Actions that wait for the timer thread, or on it for a connection. For any thread. */
  private final AtomicInteger queued = new AtomicInteger();

  /** Starts to connect to the agent. */
  AgentConnection(ClientSettings settings) {
    this(settings, AgentConnection::isKnown);
  }

  /**
   * Starts to connect, with another lookup of the agent's host.
   *
   * @param isKnownHost may block
   */
  AgentConnection(ClientSettings settings, Predicate<String> isKnownHost) {
    this(
        settings,
        isKnownHost,
        channel(settings),
        timer(settings.agent()),
        System::nanoTime,
        // Each call draws from the generator of its own thread.
        () -> ThreadLocalRandom.current().nextLong());
  }

  /**
   * Starts to connect over a network, with a clock and jitter that tests control.
   *
   * @param timer runs one action after the other
   * @param nanoClock the clock by which it runs them
   */
  AgentConnection(
      ClientSettings settings,
      Predicate<String> isKnownHost,
      ManagedChannel channel,
      ScheduledExecutorService timer,
      LongSupplier nanoClock,
      RandomGenerator random) {
    this.settings = settings;
    this.random = random;
    this.isKnownHost = isKnownHost;
    this.agent = settings.agent();
    this.security = settings.security();
    this.backoff = newBackoff();
    this.channel = channel;
    this.timer = timer;
    this.nanoClock = nanoClock;
    channel.getState(true);
    timer.execute(this::stateChanged);
  }

  private static ManagedChannel channel(ClientSettings settings) {
    AgentAddress agent = settings.agent();
    if (agent.isInProcess()) {
      return InProcessChannelBuilder.forName(agent.host()).build();
    }
    return Grpc.newChannelBuilderForAddress(
            agent.host(), agent.port(), settings.security().credentials())
        .intercept(settings.security().interceptors())
        .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
        .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .maxInboundMessageSize(MAX_INBOUND_MESSAGE_BYTES)
        // A configuration found in DNS could turn on retries, and those send a broadcast twice.
        .disableServiceConfigLookUp()
        .build();
  }

  private static ScheduledExecutorService timer(AgentAddress agent) {
    // Tasks that arrive after close() are dropped: all callers have been notified by then.
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            HandlerThread.factory("treecast-timer-" + agent),
            new ThreadPoolExecutor.DiscardPolicy());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** Returns a backoff with the delays of the settings. */
  Backoff newBackoff() {
    return new Backoff(settings.firstReconnectDelay(), settings.maxReconnectDelay(), random);
  }

  AgentAddress agent() {
    return agent;
  }

  /** Returns the present time, as {@link System#nanoTime} does. */
  long nowNanos() {
    return nanoClock.getAsLong();
  }

  private static boolean isKnown(String host) {
    try {
      return InetAddress.getAllByName(host).length > 0;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * Returns why there is no connection, such as {@code (Connection refused)}, to follow words that
   * say that there is none. Empty while no attempt has ended.
   */
  String why() {
    Status failure = lastFailure;
    return failure == null ? "" : " (" + StatusText.ofConnecting(failure) + ")";
  }

  /**
   * Returns a remedy for {@link #why}.
   *
   * @param moreTime as in {@link Remedies#anyOf}; does not help where a certificate is wrong
   */
  String remedy(@Nullable String moreTime) {
    Status failure = lastFailure;
    String ofTls = failure == null ? null : StatusText.remedyOfConnecting(failure);
    return ofTls == null
        ? Remedies.anyOf(moreTime, "start the agent", "correct the address")
        : ofTls;
  }

  /**
   * Returns the failure of a call that was not sent before its time was over.
   *
   * @param waited how long it waited
   * @param consequence for the caller, as {@code , so the broadcast was not sent}
   */
  TreecastException unsent(Duration waited, String consequence, @Nullable Status status) {
    String after = waited.toMillis() + " ms";
    String text;
    if (isConnected()) {
      text =
          "agent "
              + agent
              + " is connected, but the call did not get through within "
              + after
              + consequence
              + ": it may hang, or take no more calls of this connection; check it, let other"
              + " calls end, or wait longer";
    } else if (lastFailure == null) {
      text =
          "the connection to agent "
              + agent
              + " was still being made after "
              + after
              + consequence
              + ": wait longer, or check whether its machine answers";
    } else {
      text =
          "no connection to agent "
              + agent
              + " within "
              + after
              + why()
              + consequence
              + ": "
              + remedy("wait longer");
    }
    return new TreecastException(
        Reason.AGENT_UNREACHABLE, text, status == null ? null : status.asRuntimeException());
  }

  /** Returns whether there is a connection now. */
  boolean isConnected() {
    return channel.getState(false) == ConnectivityState.READY;
  }

  <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    return channel.newCall(method, options);
  }

  /** Runs the action on the timer thread after a delay. */
  Future<?> schedule(Runnable action, long delayNanos) {
    return timer.schedule(action, delayNanos, TimeUnit.NANOSECONDS);
  }

  /**
   * Runs the action as soon as there is a connection: at once on the calling thread, or later on
   * the timer thread. Actions of one thread run in the order in which it gave them, so none runs at
   * once while others wait. The action must not block.
   */
  void whenConnected(Runnable action) {
    if (queued.get() == 0 && isConnected()) {
      action.run();
      return;
    }
    queued.incrementAndGet();
    timer.execute(
        () -> {
          if (!waiting.add(action)) {
            queued.decrementAndGet();
          }
          if (channel.getState(true) == ConnectivityState.READY) {
            runWaiting();
          }
        });
  }

  private void runWaiting() {
    while (!waiting.isEmpty()) {
      Runnable action = waiting.iterator().next();
      waiting.remove(action);
      boolean hasRun = false;
      try {
        action.run();
        hasRun = true;
      } finally {
        queued.decrementAndGet();
        if (!hasRun) { // An action that throws must not stop those behind it.
          timer.execute(this::runWaiting);
        }
      }
    }
  }

  /** Forgets an action given to {@link #whenConnected} that is no longer wanted. */
  void forget(Runnable action) {
    timer.execute(
        () -> {
          if (waiting.remove(action)) {
            queued.decrementAndGet();
          }
        });
  }

  /** Ends the connection, all calls on it, and the timer. */
  void close() {
    timer.shutdownNow();
    channel.shutdownNow();
    security.close();
  }

  private void stateChanged() {
    ConnectivityState state = channel.getState(false);
    if (state == ConnectivityState.SHUTDOWN) {
      return;
    }
    channel.notifyWhenStateChanged(state, () -> timer.execute(this::stateChanged));
    if (state != ConnectivityState.READY) {
      if (state == ConnectivityState.TRANSIENT_FAILURE) {
        askWhy();
      }
      if (nextAttempt == null) {
        nextAttempt = schedule(this::attempt, backoff.nextDelayNanos());
      }
      return;
    }
    backoff.reset();
    lastFailure = null;
    if (question != null) {
      ClientCall<?, ?> pointless = question;
      question = null;
      pointless.cancel("there is a connection", null);
    }
    if (nextAttempt != null) {
      nextAttempt.cancel(false);
      nextAttempt = null;
    }
    runWaiting();
  }

  /**
   * Reschedules itself until there is a connection: a failed attempt does not always change the
   * channel's state.
   */
  private void attempt() {
    nextAttempt = null;
    ConnectivityState state = channel.getState(true);
    if (state == ConnectivityState.READY || state == ConnectivityState.SHUTDOWN) {
      return;
    }
    if (state == ConnectivityState.TRANSIENT_FAILURE) {
      askWhy();
      retry();
    }
    nextAttempt = schedule(this::attempt, backoff.nextDelayNanos());
  }

  /**
   * gRPC logs a long warning for each attempt with an unknown host. So the host is looked up here
   * first; while it is unknown, only gRPC's own attempts, which become rare, are made.
   */
  private void retry() {
    Status failure = lastFailure;
    if (failure == null || !StatusText.isUnknownHost(failure)) {
      channel.resetConnectBackoff();
    } else if (!lookingUp) {
      lookingUp = true;
      HandlerThread.factory("treecast-lookup-" + agent).newThread(this::lookUp).start();
    }
  }

  private void lookUp() {
    boolean isKnown = isKnownHost.test(agent.host());
    timer.execute(
        () -> {
          lookingUp = false;
          if (isKnown) {
            channel.resetConnectBackoff();
          }
        });
  }

  /**
   * Makes a call that does not wait for a connection, so that it ends with the reason why there is
   * none. It has no request: if a connection comes up meanwhile, the agent does nothing.
   */
  private void askWhy() {
    if (question != null) {
      return;
    }
    ClientCall<WatchTreeRequest, WatchTreeResponse> asked =
        channel.newCall(
            TreecastServiceGrpc.getWatchTreeMethod(), CallOptions.DEFAULT.withExecutor(timer));
    question = asked;
    asked.start(
        new ClientCall.Listener<WatchTreeResponse>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            if (question == asked) {
              question = null;
              lastFailure = status;
            }
          }
        },
        new Metadata());
  }
}
