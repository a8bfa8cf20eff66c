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
import io.treecast.tls.ConnectionFailure;
import io.treecast.tls.TlsFailure;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the agent, and the client's timer. Reconnects until it is closed, with the
 * client's own {@link Backoff}: the delays of gRPC would grow to two minutes.
 *
 * <p>A client with several agents uses one at a time. It switches to the next when an attempt to
 * connect fails or times out, and when the agent shuts down. When all have failed in a row, it
 * waits before the next attempt.
 *
 * <p>Unless documented otherwise, the fields below belong to the timer thread; any thread may call
 * the methods.
 */
final class AgentConnection {
  /** The maximum size of a message from the agent: a chunk, or a tree. */
  static final int MAX_INBOUND_MESSAGE_BYTES = 8 * 1024 * 1024;

  /** The silence after which a keepalive is sent to the agent. Agents must permit this rate. */
  static final long KEEPALIVE_SECONDS = 30;

  /** The silence after a keepalive at which the connection counts as lost. */
  static final long KEEPALIVE_TIMEOUT_SECONDS = 10;

  /**
   * The timeout of an attempt to connect, after which a client with several agents tries the next.
   */
  static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

  /** The cause of a connection that the other end closes at its start, and its remedy. */
  static final String CLOSED_AT_ONCE =
      "the connection was closed at once; does the agent want TLS?";

  static final String REMEDY_IF_CLOSED_AT_ONCE =
      "connect with a certificate if it does, or correct the address";

  /** The time for an agent to answer the last calls of a client that is closed. */
  private static final Duration LAST_CALLS_LIMIT = Duration.ofSeconds(5);

  /** The time for an agent that shuts down to answer its open calls; longer than its shutdown. */
  private static final Duration LEAVING_LIMIT = Duration.ofSeconds(15);

  private final ClientSettings settings;
  private final RandomGenerator random;
  private final AgentAddresses agents;
  private final ConnectionSecurity security;
  private final Function<AgentAddress, ManagedChannel> channels;
  private final ScheduledExecutorService timer;

  /** For any thread. */
  private volatile boolean closed;

  private final LongSupplier nanoClock;
  private final Backoff backoff;

  private final Set<Runnable> waiting = new LinkedHashSet<>();
  private @Nullable Future<?> nextAttempt;

  /** The timeout of the present attempt to connect, with several agents. */
  private @Nullable Future<?> connectLimit;

  /** The number of agents that have failed in a row, with several agents. */
  private int failedInRow;

  /** Whether the present agent is counted in {@link #failedInRow}. */
  private boolean hasFailed;

  /** The channels to agents that shut down. Guarded by their own lock. */
  private final Set<ManagedChannel> leaving = new HashSet<>();

  /** The route to the present agent. Written by the timer thread. */
  private volatile Route route;

  /** A call that determines why there is no connection; null if there is none. */
  private @Nullable ClientCall<?, ?> question;

  /** Whether a separate thread is resolving the agent's host. */
  private boolean lookingUp;

  private final Predicate<String> isKnownHost;

  /**
   * The reason of the last failed attempt to connect, by agent; empty while connected. For any
   * thread.
   */
  private final Map<AgentAddress, Status> failures = new ConcurrentHashMap<>();

  /**
   * The number of actions that are queued on the timer thread or wait for a connection. For any
   * thread.
   */
  private final AtomicInteger queued = new AtomicInteger();

  /** Starts to connect to the agent. */
  AgentConnection(ClientSettings settings) {
    this(settings, AgentConnection::isKnown);
  }

  /**
   * Starts to connect, with another resolver of the agent's host.
   *
   * @param isKnownHost returns whether a host can be resolved; may block
   */
  AgentConnection(ClientSettings settings, Predicate<String> isKnownHost) {
    this(
        settings,
        isKnownHost,
        agent -> channel(agent, settings),
        timer(settings.agents()),
        System::nanoTime,
        // Each call draws from the generator of its own thread.
        () -> ThreadLocalRandom.current().nextLong());
  }

  /**
   * Starts to connect over a network, with a clock and jitter that tests control.
   *
   * @param channels creates a channel to an agent
   * @param timer runs one action after the other
   * @param nanoClock the timer's clock
   */
  AgentConnection(
      ClientSettings settings,
      Predicate<String> isKnownHost,
      Function<AgentAddress, ManagedChannel> channels,
      ScheduledExecutorService timer,
      LongSupplier nanoClock,
      RandomGenerator random) {
    this.settings = settings;
    this.random = random;
    this.isKnownHost = isKnownHost;
    this.agents = settings.agents();
    this.security = settings.security();
    this.backoff = newBackoff();
    this.channels = channels;
    this.timer = timer;
    this.nanoClock = nanoClock;
    Route first = newRoute(agents.all().get(0));
    this.route = first;
    first.channel().getState(true);
    timer.execute(() -> stateChanged(first));
  }

  private Route newRoute(AgentAddress agent) {
    return new Route(agent, channels.apply(agent), this::leave);
  }

  private static ManagedChannel channel(AgentAddress agent, ClientSettings settings) {
    if (agent.isInProcess()) {
      return InProcessChannelBuilder.forName(agent.host()).build();
    }
    return Grpc.newChannelBuilderForAddress(
            agent.host(), agent.port(), settings.security().credentials())
        .intercept(settings.security().interceptors())
        .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
        .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .maxInboundMessageSize(MAX_INBOUND_MESSAGE_BYTES)
        // A configuration found in DNS could turn on retries, which send a broadcast twice.
        .disableServiceConfigLookUp()
        .build();
  }

  private static ScheduledExecutorService timer(AgentAddresses agents) {
    // Tasks that arrive after close() are dropped; all callers have been notified before.
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            HandlerThread.factory("treecast-timer-" + agents),
            new ThreadPoolExecutor.DiscardPolicy());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** Returns a backoff with the configured delays. */
  Backoff newBackoff() {
    return new Backoff(settings.firstReconnectDelay(), settings.maxReconnectDelay(), random);
  }

  /** Returns the agent that the client uses or tries to reach. */
  AgentAddress agent() {
    return route.agent();
  }

  /** Returns all agents of the client, for people. */
  AgentAddresses agents() {
    return agents;
  }

  /** Returns the route to the present agent, for calls that depend on the agent. */
  Route route() {
    return route;
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
   * Returns the reason of the last failed attempt to connect, such as {@code (Connection refused)},
   * for the end of a sentence. Empty if no attempt has failed.
   */
  String why() {
    if (!agents.areSeveral()) {
      Status failure = failures.get(agent());
      return failure == null ? "" : " (" + whyClosed(failure) + ")";
    }
    StringJoiner all = new StringJoiner("; ", " (", ")").setEmptyValue("");
    for (AgentAddress agent : agents.all()) {
      Status failure = failures.get(agent);
      if (failure != null) {
        all.add(agent + ": " + whyClosed(failure));
      }
    }
    return all.toString();
  }

  private static String whyClosed(Status failure) {
    return ConnectionFailure.isClosedAtOnce(failure)
        ? CLOSED_AT_ONCE
        : ConnectionFailure.text(failure);
  }

  private static @Nullable String remedyOfTls(Status failure) {
    return ConnectionFailure.isClosedAtOnce(failure)
        ? REMEDY_IF_CLOSED_AT_ONCE
        : TlsFailure.remedy(failure.getCause());
  }

  /**
   * Returns the remedy for {@link #why}.
   *
   * @param moreTime as in {@link Remedies#anyOf}; omitted if a certificate is the cause
   */
  String remedy(@Nullable String moreTime) {
    for (Status failure : failures.values()) {
      String ofTls = remedyOfTls(failure);
      if (ofTls != null) {
        return ofTls;
      }
    }
    return Remedies.anyOf(moreTime, "start the agent", "correct the address");
  }

  /**
   * Returns the failure of a call that timed out before it was sent.
   *
   * @param waited the time that it waited
   * @param consequence for the caller, such as {@code , so the broadcast was not sent}
   */
  TreecastException unsent(Duration waited, String consequence, @Nullable CallFailure failure) {
    String after = waited.toMillis() + " ms";
    String text;
    if (isConnected()) {
      text =
          "agent "
              + agent()
              + " is connected, but the call did not get through within "
              + after
              + consequence
              + ": it may hang, or take no more calls of this connection; check it, let other"
              + " calls end, or wait longer";
    } else if (failures.isEmpty()) {
      text =
          ("the connection to agent %s was still being made after %s%s: wait longer, or "
                  + "check whether its machine answers")
              .formatted(agents, after, consequence);
    } else {
      text =
          "no connection to agent "
              + agents
              + " within "
              + after
              + why()
              + consequence
              + ": "
              + remedy("wait longer");
    }
    return new TreecastException(
        Reason.AGENT_UNREACHABLE, text, failure == null ? null : failure.cause());
  }

  /** Returns whether calls by this route end, because the client has left it or is closed. */
  boolean isOver(Route of) {
    return closed || of != route;
  }

  /** Returns whether the client is connected now. */
  boolean isConnected() {
    return route.isConnected();
  }

  /**
   * Returns a new call to the present agent.
   *
   * @throws TreecastException {@code CLOSED} after {@link #close}
   */
  <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    requireOpen();
    return route.newCall(method, options);
  }

  /**
   * Checks that the client is not closed.
   *
   * @throws TreecastException {@code CLOSED} after {@link #close}
   */
  void requireOpen() {
    if (closed) {
      throw new TreecastException(
          Reason.CLOSED, "the client of agent " + agents + " was closed: create another one");
    }
  }

  /** Runs the action on the timer thread after a delay. */
  Future<?> schedule(Runnable action, long delayNanos) {
    return timer.schedule(action, delayNanos, TimeUnit.NANOSECONDS);
  }

  /**
   * Runs the action when the client is connected: at once on the calling thread, or later on the
   * timer thread. Actions of one thread run in the order of their calls, so none runs at once while
   * others wait. The action must not block.
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
          if (isConnected()) {
            runWaiting();
          } else {
            route.channel().getState(true);
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
        if (!hasRun) { // An exception must not stop the actions behind it.
          timer.execute(this::runWaiting);
        }
      }
    }
  }

  /** Removes an action given to {@link #whenConnected} that has not run. */
  void forget(Runnable action) {
    timer.execute(
        () -> {
          if (waiting.remove(action)) {
            queued.decrementAndGet();
          }
        });
  }

  /**
   * Refuses further calls, and closes the connection when the last ones have ended, or after {@link
   * #LAST_CALLS_LIMIT}: a request that has just been sent may be lost with its connection. A
   * program that has nothing else to do ends after that.
   */
  void closeAfter(CompletableFuture<?> lastCalls) {
    if (lastCalls.isDone()) {
      close();
      return;
    }
    closed = true;
    var unused = schedule(this::close, LAST_CALLS_LIMIT.toNanos());
    var unusedToo = lastCalls.whenCompleteAsync((ended, error) -> close(), timer);
    Thread last = new Thread(this::awaitClose, "treecast-close-" + agents);
    last.setDaemon(false);
    last.start();
  }

  private void awaitClose() {
    try {
      var unused = timer.awaitTermination(LAST_CALLS_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Closes the connection, all calls on it, and the timer. */
  void close() {
    closed = true;
    route.channel().shutdownNow();
    synchronized (leaving) {
      leaving.forEach(ManagedChannel::shutdownNow);
    }
    security.close();
    timer.shutdownNow(); // It interrupts this thread if that is the timer's.
  }

  private void stateChanged(Route of) {
    ManagedChannel channel = of.channel();
    ConnectivityState state = channel.getState(false);
    if (of != route || state == ConnectivityState.SHUTDOWN) {
      return;
    }
    channel.notifyWhenStateChanged(state, () -> timer.execute(() -> stateChanged(of)));
    if (state != ConnectivityState.READY) {
      if (agents.areSeveral() && connectLimit == null && !hasFailed) {
        connectLimit = schedule(() -> tookTooLong(of), CONNECT_LIMIT.toNanos());
      }
      if (state == ConnectivityState.TRANSIENT_FAILURE) {
        askWhy();
      }
      if (nextAttempt == null) {
        nextAttempt = schedule(this::attempt, backoff.nextDelayNanos());
      }
      return;
    }
    backoff.reset();
    failures.clear();
    failedInRow = 0;
    hasFailed = false;
    endAttempt("there is a connection");
    runWaiting();
  }

  /** Cancels the call and the timers of the present attempt to connect. */
  private void endAttempt(String why) {
    if (question != null) {
      ClientCall<?, ?> pointless = question;
      question = null;
      pointless.cancel(why, null);
    }
    if (nextAttempt != null) {
      nextAttempt.cancel(false);
      nextAttempt = null;
    }
    if (connectLimit != null) {
      connectLimit.cancel(false);
      connectLimit = null;
    }
  }

  /**
   * Tries to connect, and schedules itself again until there is a connection. The schedule is
   * needed because a failed attempt does not always change the channel's state.
   */
  private void attempt() {
    nextAttempt = null;
    ConnectivityState state = route.channel().getState(true);
    if (state == ConnectivityState.READY || state == ConnectivityState.SHUTDOWN) {
      return;
    }
    if (state == ConnectivityState.TRANSIENT_FAILURE) {
      askWhy();
      if (!agents.areSeveral()) {
        retry();
      }
    }
    if (nextAttempt == null) {
      nextAttempt = schedule(this::attempt, backoff.nextDelayNanos());
    }
  }

  // Several agents.

  private void tookTooLong(Route of) {
    if (of == route) {
      connectLimit = null;
      failed(
          of,
          Status.UNAVAILABLE.withDescription(
              "no connection within " + CONNECT_LIMIT.toSeconds() + " s"));
    }
  }

  /**
   * Handles a failed attempt to connect: tries the next agent, after a delay if all have failed.
   */
  private void failed(Route of, Status why) {
    if (of != route || of.isConnected()) {
      return;
    }
    failures.put(of.agent(), why);
    if (!agents.areSeveral() || hasFailed) {
      return;
    }
    hasFailed = true;
    failedInRow++;
    if (failedInRow % agents.all().size() != 0) {
      tryNext();
      return;
    }
    endAttempt("all agents have failed");
    nextAttempt = schedule(this::tryNext, backoff.nextDelayNanos());
  }

  /** Switches from the present agent, which cannot be reached, to the next. */
  private void tryNext() {
    Route old = route;
    goOn();
    old.channel().shutdownNow();
  }

  /**
   * Switches from an agent that shuts down to the next. Calls that the agent still answers
   * continue.
   */
  void leave(Route of) {
    if (!agents.areSeveral() || !of.leave()) {
      return;
    }
    timer.execute(
        () -> {
          if (of != route) {
            return;
          }
          failures.put(
              of.agent(), Status.UNAVAILABLE.withDescription("the agent is shutting down"));
          goOn();
          ManagedChannel old = of.channel();
          synchronized (leaving) {
            leaving.add(old);
          }
          old.shutdown();
          endIfClosed(old);
          var unused = schedule(() -> end(old), LEAVING_LIMIT.toNanos());
        });
  }

  private void end(ManagedChannel old) {
    synchronized (leaving) {
      leaving.remove(old);
    }
    old.shutdownNow();
  }

  /** Ends a channel that {@link #close}, on another thread, may not have seen. */
  private void endIfClosed(ManagedChannel channel) {
    if (closed) {
      channel.shutdownNow();
    }
  }

  /** Starts to connect to the next agent. */
  private void goOn() {
    endAttempt("the client switches to another agent");
    hasFailed = false;
    List<AgentAddress> all = agents.all();
    Route next = newRoute(all.get((all.indexOf(agent()) + 1) % all.size()));
    route = next;
    endIfClosed(next.channel());
    next.channel().getState(true);
    stateChanged(next);
  }

  /**
   * Tries again at once, if the host is known. gRPC logs a long warning for each attempt with an
   * unknown host, so a thread resolves the host first. While it is unknown, only gRPC's own
   * attempts are made, which become rare.
   */
  private void retry() {
    Status failure = failures.get(agent());
    if (failure == null || !ConnectionFailure.isUnknownHost(failure)) {
      route.channel().resetConnectBackoff();
    } else if (!lookingUp) {
      lookingUp = true;
      HandlerThread.factory("treecast-lookup-" + agents).newThread(this::lookUp).start();
    }
  }

  private void lookUp() {
    boolean isKnown = isKnownHost.test(agent().host());
    timer.execute(
        () -> {
          lookingUp = false;
          if (isKnown) {
            route.channel().resetConnectBackoff();
          }
        });
  }

  /**
   * Makes a call that does not wait for a connection, so that it fails with the reason why there is
   * none. The call has no request: if a connection comes up meanwhile, the agent does nothing.
   */
  private void askWhy() {
    if (question != null) {
      return;
    }
    Route of = route;
    ClientCall<WatchTreeRequest, WatchTreeResponse> asked =
        of.channel()
            .newCall(
                TreecastServiceGrpc.getWatchTreeMethod(), CallOptions.DEFAULT.withExecutor(timer));
    question = asked;
    asked.start(
        new ClientCall.Listener<WatchTreeResponse>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            if (question == asked) {
              question = null;
              failed(of, status);
            }
          }
        },
        new Metadata());
  }
}
