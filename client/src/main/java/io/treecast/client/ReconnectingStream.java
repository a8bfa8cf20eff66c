package io.treecast.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.treecast.client.TreecastException.Reason;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream of events from the agent that is reopened after each interruption, until it is closed or
 * fails permanently. It requests further events only as the handler finishes earlier ones, so few
 * are in memory beside those in the connection's flow-control window.
 *
 * <p>All events, and the end of each gRPC call, are handled on the handler's executor, one at a
 * time: gRPC serializes the callbacks of a call, and the next call starts after the last callback
 * of the previous one. Other threads run {@code close()} and the timer; they synchronize on this
 * object's lock, which is never held while a handler runs.
 *
 * @param <Q> the request
 * @param <R> the events
 */
abstract class ReconnectingStream<Q, R> implements Subscription {
  /** The limit of events that are requested before the handler has finished earlier ones. */
  private static final int EVENTS_AHEAD = 16;

  /** Events are requested in batches, because each request wakes the network's thread. */
  private static final int REQUEST_BATCH = 8;

  static final System.Logger LOG = System.getLogger("io.treecast.client");

  private final AgentConnection connection;
  private final MethodDescriptor<Q, R> method;
  private final ConnectionListener listener;
  private final Executor executor;
  private final Backoff backoff;
  private final Consumer<Subscription> onEnd;
  private final AbsenceWarnings absence;
  private final CompletableFuture<String> ready = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
  private final SharedFuture<String> readyForAll = SharedFuture.of(ready);
  private final SharedFuture<@Nullable Void> doneForAll = SharedFuture.of(done);

  // For the handler's thread.
  private boolean inPlace;
  private boolean interrupted;
  private boolean hasEnded;

  // Guarded by this. The call is null only between two calls.
  private @Nullable ClientCall<Q, R> call;
  private @Nullable AgentAddress agent;
  private @Nullable CallProgress progress;
  private long openedNanos;
  private @Nullable Future<?> reopening;

  /** The agent's reason for the last refusal; null if the stream was confirmed since. */
  private @Nullable String refusal;

  /** The reason for the end of the last call; null if that call was confirmed. */
  private @Nullable String unconfirmedEnd;

  private boolean opened;
  private boolean closing;
  private @Nullable TreecastException failure;

  /**
   * Creates the stream, which begins with {@link #open}.
   *
   * @param onEnd called once, after the last call of the handler has returned
   */
  ReconnectingStream(
      AgentConnection connection,
      MethodDescriptor<Q, R> method,
      ConnectionListener listener,
      Executor executor,
      Backoff backoff,
      Consumer<Subscription> onEnd) {
    this.connection = connection;
    this.method = method;
    this.listener = listener;
    this.executor = new SerialExecutor(executor);
    this.backoff = backoff;
    this.onEnd = onEnd;
    this.absence =
        new AbsenceWarnings(since -> unavailable(since, null), this::warn, this::afterSilence);
  }

  /**
   * Handles one event.
   *
   * @throws TreecastException if the stream must end permanently
   */
  abstract void accept(R event);

  /**
   * Returns the request of the next call. Called by any thread, after {@link #callLost} has
   * returned.
   */
  abstract Q request();

  /**
   * Discards the state of a call that has ended, before the next one begins.
   *
   * @param what the end of the call, for people
   * @throws TreecastException if the stream must end permanently
   */
  abstract void callLost(String what);

  /** Cleans up after the last call; the handler is no longer called. */
  void ended() {}

  /** Starts the next call; it waits until there is a connection. */
  final synchronized void open() {
    if (isStopping()) {
      return;
    }
    reopening = null;
    Q asked = request(); // First, so that an exception leaves no step half done.
    if (!opened) {
      opened = true;
      absence.begin();
    }
    CallProgress ofCall = new CallProgress();
    progress = ofCall;
    openedNanos = connection.nowNanos();
    Route route = connection.route();
    agent = route.agent();
    call =
        route.newCall(
            method,
            CallOptions.DEFAULT
                .withWaitForReady()
                .withExecutor(executor)
                .withStreamTracerFactory(ofCall));
    ClientCalls.asyncServerStreamingCall(call, asked, new Events(ofCall, route.agent()));
  }

  @Override
  public final CompletableFuture<String> ready() {
    return readyForAll.given();
  }

  @Override
  public final CompletableFuture<@Nullable Void> done() {
    return doneForAll.given();
  }

  /**
   * Returns the client's own future of {@link #ready}, which callers may await but must not
   * complete.
   */
  final CompletableFuture<String> ownReady() {
    return ready;
  }

  /**
   * Returns the client's own future of {@link #done}: callbacks must not block, and callers must
   * not complete it.
   */
  final CompletableFuture<@Nullable Void> ownDone() {
    return done;
  }

  @Override
  public final void close() {
    ClientCall<Q, R> current;
    synchronized (this) {
      if (closing) {
        return;
      }
      closing = true;
      current = call;
      if (reopening != null) {
        reopening.cancel(false);
      }
    }
    ready.completeExceptionally(
        new TreecastException(
            Reason.CLOSED, "the subscription to agent " + connection.agents() + " was closed"));
    closed.complete(null);
    if (current == null) {
      executor.execute(this::end);
    } else {
      current.cancel("closed by the application", null);
    }
  }

  /** Runs the action at {@link #close}, or now if that was called; not when the stream fails. */
  final void onClose(Runnable action) {
    var unused = closed.thenRun(action);
  }

  /** Returns whether {@link #close} was called. */
  final boolean isClosed() {
    return closed.isDone();
  }

  /** Notes that the agent has confirmed the call; called at the first event of each call. */
  final void confirmed(String nodeId) {
    if (inPlace) {
      return;
    }
    inPlace = true;
    backoff.reset();
    absence.end();
    synchronized (this) {
      refusal = null;
      unconfirmedEnd = null;
    }
    if (interrupted) {
      interrupted = false;
      callHandler(listener::onResumed);
    }
    ready.complete(nodeId);
  }

  final boolean isConfirmed() {
    return inPlace;
  }

  /**
   * Returns the failure of a call that the agent has received, but neither confirmed nor refused.
   *
   * @param asked the time of the request, as the beginning of a sentence for people
   * @param moreTime as in {@link #unavailable}
   */
  abstract TreecastException unanswered(String asked, @Nullable String moreTime);

  /** Returns the failure if it is unknown whether the agent has received the call. */
  static TreecastException silent(String asked, @Nullable String moreTime) {
    return new TreecastException(
        Reason.AGENT_UNREACHABLE,
        asked
            + ", and does not answer: it hangs, or is very busy; "
            + Remedies.anyOf(moreTime, "restart it"));
  }

  /** Runs an action on the handler's thread after the time of silence. */
  private void afterSilence(Runnable action) {
    var unused =
        connection.schedule(() -> executor.execute(action), AbsenceWarnings.SILENT_WAIT.toNanos());
  }

  /** Reports to the handler, on its thread, why the stream is absent. */
  private void warn(TreecastException why) {
    if (isStopping()) {
      return;
    }
    try {
      callHandler(() -> listener.onUnavailable(why));
    } catch (TreecastException e) {
      if (fail(e)) {
        end(); // Otherwise the end of the open call ends the stream.
      }
    }
  }

  /** Returns why the stream is absent at the end of a wait. Called by any thread. */
  final TreecastException unavailableAfter(Duration wait) {
    return unavailable(
        "the subscription is not in place after " + wait.toMillis() + " ms: ", "raise defaultWait");
  }

  /**
   * Returns why the stream is absent.
   *
   * @param since the beginning of a sentence for people
   * @param moreTime the remedy that extends the wait; null if there is no timeout
   */
  private synchronized TreecastException unavailable(String since, @Nullable String moreTime) {
    boolean isUnconnected = !connection.why().isEmpty();
    if (refusal != null && !isUnconnected) {
      return new TreecastException(
          Reason.REFUSED,
          since + refusal + "; end other subscriptions, or raise that limit of the agent");
    }
    boolean isSent = call != null && progress != null && progress.sent();
    if (isSent && progress != null && progress.underWay() && !isRecentRetry()) {
      String asked = since + "agent " + agent + " has the request";
      return progress.taken() ? unanswered(asked, moreTime) : silent(asked, moreTime);
    }
    if (unconfirmedEnd != null && !isUnconnected) {
      return new TreecastException(
          Reason.AGENT_UNREACHABLE,
          since + unconfirmedEnd + "; " + Remedies.anyOf(moreTime, "see what the agent logs"));
    }
    if (isSent || connection.isConnected()) {
      return new TreecastException(
          Reason.AGENT_UNREACHABLE,
          since
              + "agent "
              + connection.agent()
              + " has not received the request yet, since the connection to it accepts no more "
              + "calls now, or this machine is busy: "
              + Remedies.anyOf(moreTime, "let other calls end", "use another client"));
    }
    return new TreecastException(
        Reason.AGENT_UNREACHABLE,
        since
            + "there is no connection to agent "
            + connection.agents()
            + connection.why()
            + ": "
            + connection.remedy(moreTime));
  }

  /**
   * Returns whether the present call follows one that ended without a confirmation, and is too
   * recent for its silence to mean anything.
   */
  private synchronized boolean isRecentRetry() {
    return unconfirmedEnd != null
        && connection.nowNanos() - openedNanos < AbsenceWarnings.SILENT_WAIT.toNanos() / 2;
  }

  /**
   * Runs code of the application.
   *
   * @throws TreecastException {@code HANDLER_FAILED} if it throws
   */
  final void callHandler(Runnable handlerCall) {
    try {
      handlerCall.run();
    } catch (Throwable e) { // Other JVM languages throw checked exceptions without declaring them.
      throw new TreecastException(
          Reason.HANDLER_FAILED,
          "the subscription to agent %s ended because its handler threw %s"
              .formatted(connection.agents(), e),
          e);
    }
  }

  /** Returns whether no more events must be handled. */
  final synchronized boolean isStopping() {
    return closing || failure != null;
  }

  /** Returns the reason why incomplete messages fail, other than a lost connection. */
  private synchronized String whyStopping() {
    return closing || failure == null
        ? "the subscription was closed"
        : "the subscription has failed: " + failure.getMessage();
  }

  /**
   * Fails the stream. Returns true if no gRPC call is open, so that the caller must end the stream.
   */
  private boolean fail(TreecastException why) {
    ClientCall<Q, R> current;
    synchronized (this) {
      if (isStopping()) {
        return false;
      }
      failure = why;
      current = call;
    }
    // A refusal needs no stack trace.
    boolean isRefusal = why.reason() == Reason.REFUSED || why.reason() == Reason.PERMISSION_DENIED;
    LOG.log(Level.ERROR, why.getMessage(), isRefusal ? null : why);
    if (current != null) {
      current.cancel("the subscription failed", why);
    }
    return current == null;
  }

  /**
   * Handles the last callback of a gRPC call: ends the stream, or reopens it after a delay.
   *
   * @param refused whether the agent has refused the stream, unless it was in place
   */
  private void callEnded(String what, boolean refused, @Nullable TreecastException permanent) {
    try {
      callLost(isStopping() ? whyStopping() : what);
    } catch (TreecastException e) {
      fail(e);
    }
    boolean wasInPlace = inPlace;
    inPlace = false;
    if (permanent != null) {
      fail(permanent);
    } else if (!isStopping()) {
      try {
        if (wasInPlace) {
          interrupted = true;
          absence.begin();
          callHandler(() -> listener.onInterrupted(what));
        } else if (refused && isNewRefusal(what)) {
          callHandler(() -> listener.onRefused(what));
        }
      } catch (TreecastException e) {
        fail(e);
      }
    }
    synchronized (this) {
      if (!isStopping()) {
        call = null;
        unconfirmedEnd = wasInPlace ? null : what;
        reopening = connection.schedule(this::open, backoff.nextDelayNanos());
        return;
      }
    }
    end();
  }

  private synchronized boolean isNewRefusal(String what) {
    boolean isNew = !what.equals(refusal);
    refusal = what;
    return isNew;
  }

  private void end() {
    if (hasEnded) {
      return;
    }
    hasEnded = true;
    absence.end();
    ended();
    onEnd.accept(this);
    TreecastException why;
    synchronized (this) {
      why = failure;
    }
    if (why == null) {
      done.complete(null);
    } else {
      ready.completeExceptionally(why);
      done.completeExceptionally(why);
    }
  }

  /** The callbacks of one gRPC call. */
  private final class Events implements ClientResponseObserver<Q, R> {
    private final CallProgress progress;
    private final AgentAddress agent;
    private @Nullable ClientCallStreamObserver<Q> stream;
    private int handled;

    Events(CallProgress progress, AgentAddress agent) {
      this.progress = progress;
      this.agent = agent;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Q> requestStream) {
      stream = requestStream;
      requestStream.disableAutoRequestWithInitial(EVENTS_AHEAD);
    }

    @Override
    public void onNext(R event) {
      if (isStopping()) {
        return;
      }
      try {
        accept(event);
      } catch (TreecastException e) {
        fail(e);
      }
      if (stream != null && !isStopping()) {
        requestMore(stream);
      }
    }

    private void requestMore(ClientCallStreamObserver<Q> from) {
      handled++;
      if (handled == REQUEST_BATCH) {
        handled = 0;
        from.request(REQUEST_BATCH);
      }
    }

    @Override
    public void onError(Throwable error) {
      CallFailure failure = CallFailure.of(error);
      callEnded(
          progress.answered()
              ? "agent " + agent + " ended the stream: " + failure.text()
              : "the connection to agent " + agent + " was lost: " + failure.text(),
          // An agent that shuts down is unavailable, which is not a refusal.
          progress.answered() && !failure.isUnavailable(),
          failure.ofStream(agent, method, progress));
    }

    @Override
    public void onCompleted() {
      callEnded("agent " + agent + " ended the stream", false, null);
    }
  }
}
