package io.treecast.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
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
 * The connection to the agent, and the client's timer. While there is no connection it tries again
 * and again, by the client's own {@link Backoff}: gRPC's would grow to two minutes.
 *
 * <p>The state below is touched on the timer thread only, unless it says otherwise; the methods may
 * be called from any.
 */
final class AgentConnection {
  /** Largest message taken from the agent: a chunk, or a tree. */
  static final int MAX_INBOUND_MESSAGE_BYTES = 8 * 1024 * 1024;

  /** Silence after which the agent is asked for a sign of life. Agents must permit this rate. */
  static final long KEEPALIVE_SECONDS = 30;

  /** Silence after that question until the connection counts as lost. */
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

  /** Asks the channel why it has no connection; absent while nothing is asked. */
  private @Nullable ClientCall<?, ?> question;

  /** Whether a thread of its own looks up the agent's host. */
  private boolean lookingUp;

  private final Predicate<String> isKnownHost;

  /** Why there was no connection when it was last asked; null if there is one. Read by any. */
  private volatile @Nullable Status lastFailure;

  /** Actions that wait for the timer thread or there for a connection; of any thread. */
  private final AtomicInteger queued = new AtomicInteger();

  /** Starts to connect. */
  AgentConnection(ClientSettings settings) {
    this(settings, AgentConnection::isKnown);
  }

  /**
   * Starts to connect.
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
        // Each use draws from the generator of the thread that it is on.
        () -> ThreadLocalRandom.current().nextLong());
  }

  /**
   * Starts to connect, over a network, in a time and with a chance that tests control.
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
    // What arrives after close() is dropped: then everything has been told that it is over.
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            HandlerThread.factory("treecast-timer-" + agent),
            new ThreadPoolExecutor.DiscardPolicy());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** A backoff as the settings want it. */
  Backoff newBackoff() {
    return new Backoff(settings.firstReconnectDelay(), settings.maxReconnectDelay(), random);
  }

  AgentAddress agent() {
    return agent;
  }

  /** What time it is, as {@link System#nanoTime} says it. */
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
   * Why there is no connection, such as {@code (Connection refused)}: to be put behind words that
   * say that there is none. Empty if that is not known, as no attempt has come to an end yet.
   */
  String why() {
    Status failure = lastFailure;
    return failure == null ? "" : " (" + StatusText.ofConnecting(failure) + ")";
  }

  /**
   * What to do about {@link #why}.
   *
   * @param moreTime as {@link Remedies#anyOf} has it; does not help where a certificate is wrong
   */
  String remedy(@Nullable String moreTime) {
    Status failure = lastFailure;
    String ofTls = failure == null ? null : StatusText.remedyOfConnecting(failure);
    return ofTls == null
        ? Remedies.anyOf(moreTime, "start the agent", "correct the address")
        : ofTls;
  }

  /**
   * What a call fails with that was not sent, since its time was over before.
   *
   * @param waited how long it was
   * @param consequence for whoever called, as {@code , so the broadcast was not sent}
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
              + ": it may hang, or take no more calls of this connection; look at it, let other"
              + " calls end, or wait longer";
    } else if (lastFailure == null) {
      text =
          "the connection to agent "
              + agent
              + " was still being made after "
              + after
              + consequence
              + ": wait longer, or see whether that machine answers";
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

  /** Whether there is a connection now. */
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
        if (!hasRun) { // One that throws is not to stop those behind it.
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
   * Repeats itself until there is a connection: a failed attempt is not always a change of state.
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
   * Each attempt with a host that is not known makes gRPC log a long warning. So the host is looked
   * up here first, and gRPC has only its own attempts, which become rare, until it is known.
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
   * A call that does not wait for a connection ends with the reason why there is none. It has no
   * request, so should there be a connection meanwhile, the agent does nothing.
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
