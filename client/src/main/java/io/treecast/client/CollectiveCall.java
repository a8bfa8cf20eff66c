package io.treecast.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.CollectiveFailure;
import io.treecast.proto.v1.RefusalReason;
import io.treecast.proto.v1.TakePartRequest;
import io.treecast.proto.v1.TakePartResponse;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call of a collective operation. Its token identifies the call across repetitions: until its
 * timeout, the client repeats the request whenever the connection is lost or the agent stops.
 *
 * <p>Safe for use by any thread; its state is guarded by this object's lock.
 */
final class CollectiveCall<T extends @Nullable Object> {
  private final AgentConnection connection;
  private final TakePartRequest request;
  private final CollectiveReader<T> reader;
  private final Duration wait;
  private final RetryToken token;
  private final boolean hasRetryToken;
  private final Backoff backoff;
  private final long startNanos;
  private final CompletableFuture<CollectiveResult<T>> result = new CompletableFuture<>();
  private final Runnable ask = this::ask;
  private final Consumer<CollectiveCall<?>> onEnd;

  // Guarded by this.
  private @Nullable ClientCall<TakePartRequest, TakePartResponse> call;

  /** The agent of the last request; the present one before the first request. */
  private AgentAddress agent;

  private @Nullable CallProgress progress;
  private @Nullable Future<?> expiry;
  private @Nullable Future<?> nextAsk;

  /** Whether an earlier request may have reached the agent. */
  private boolean sentBefore;

  /** The reason for repeating the request; null if it was not repeated. */
  private @Nullable CallFailure lost;

  /**
   * The time beyond the wait after which the call timed out; null before. The request is not
   * repeated afterwards. If it may still be sent, the result waits for the end of the gRPC call:
   * only then is it known whether it was sent.
   */
  private @Nullable Duration gaveUpAfter;

  /**
   * Creates the call, which begins with {@link #start}.
   *
   * @param request complete but for the wait
   * @param wait the total wait for the agent and, in the agent, for the other members
   * @param token the token of the request
   * @param hasRetryToken whether the application can repeat the call
   * @param backoff a backoff for this call alone
   * @param onEnd called at least once when there is a result, before the caller receives it
   */
  CollectiveCall(
      AgentConnection connection,
      TakePartRequest request,
      CollectiveReader<T> reader,
      Duration wait,
      RetryToken token,
      boolean hasRetryToken,
      Backoff backoff,
      Consumer<CollectiveCall<?>> onEnd) {
    this.connection = connection;
    this.request = request;
    this.reader = reader;
    this.wait = wait;
    this.token = token;
    this.hasRetryToken = hasRetryToken;
    this.agent = connection.agent();
    this.backoff = backoff;
    this.onEnd = onEnd;
    this.startNanos = connection.nowNanos();
  }

  CompletableFuture<CollectiveResult<T>> result() {
    return result;
  }

  /** Returns the memory that the call holds, in bytes. */
  int bytes() {
    return request.getSerializedSize();
  }

  /** Sends the request now, or as soon as there is a connection. */
  void start() {
    var unused = result.whenComplete((value, error) -> stop());
    connection.whenConnected(ask);
    synchronized (this) {
      if (!result.isDone()) {
        expiry = connection.schedule(this::expire, wait.toNanos());
      }
    }
  }

  /** Fails the call, unless there is a result. */
  void fail(TreecastException why) {
    onEnd.accept(this);
    result.completeExceptionally(why);
  }

  private void ask() {
    AgentAddress elsewhere = askUnlessElsewhere();
    if (elsewhere != null) {
      fail(
          new TreecastException(
              Reason.OUTCOME_UNKNOWN,
              ("the client has switched to agent %s, and this member's contribution to %s "
                      + "may count at the agent of the earlier request: %s at that agent")
                  .formatted(elsewhere, operation(), again("get the result"))));
    }
  }

  /**
   * Sends the request to the present agent, and returns null. If an earlier request may count at
   * another agent, a second one would count as that of another member; then sends nothing, and
   * returns the present agent.
   */
  private synchronized @Nullable AgentAddress askUnlessElsewhere() {
    if (result.isDone() || gaveUpAfter != null) {
      return null;
    }
    Route route = connection.route();
    agent = route.agent();
    if (connection.agents().areSeveral()) {
      if (!token.maySendTo(agent)) {
        return agent;
      }
      var unused = token.sentNow(agent);
    }
    CallProgress asked = new CallProgress();
    progress = asked;
    call =
        route.newCall(
            TreecastServiceGrpc.getTakePartMethod(),
            CallOptions.DEFAULT.withWaitForReady().withStreamTracerFactory(asked));
    ClientCalls.asyncUnaryCall(
        call, request.toBuilder().setWaitMillis(leftMillis()).build(), new Answer(asked));
    return null;
  }

  private long leftMillis() {
    long spentNanos = connection.nowNanos() - startNanos;
    return Math.max(0, wait.toMillis() - TimeUnit.NANOSECONDS.toMillis(spentNanos));
  }

  /**
   * Schedules another attempt, unless the call has timed out. The attempt is delayed, because an
   * agent that stops still accepts calls and ends them at once.
   */
  private void askAgain(CallProgress ended, CallFailure why) {
    Duration timeOverAfter;
    synchronized (this) {
      sentBefore |= ended.sent();
      if (!ended.sent() && connection.agents().areSeveral()) {
        token.refused();
      }
      call = null;
      progress = null;
      timeOverAfter = gaveUpAfter;
      if (timeOverAfter == null) {
        lost = why;
      }
      if (timeOverAfter == null && !result.isDone()) {
        nextAsk =
            connection.schedule(() -> connection.whenConnected(ask), backoff.nextDelayNanos());
      }
    }
    if (timeOverAfter != null) {
      fail(noAnswer(timeOverAfter));
    }
  }

  /** Ends the wait. An agent that has received the request, or is about to, may still answer. */
  private void expire() {
    synchronized (this) {
      if (result.isDone()) {
        return;
      }
      boolean isAboutToAsk = !sentBefore && connection.isConnected();
      if (call != null || isAboutToAsk) {
        Duration margin = BroadcastCall.ANSWER_MARGIN;
        expiry = connection.schedule(() -> expire(margin), margin.toNanos());
        return;
      }
    }
    expire(Duration.ZERO);
  }

  /** Ends the repetitions, and withdraws a request that may be about to be sent. */
  private void expire(Duration margin) {
    ClientCall<TakePartRequest, TakePartResponse> mayLeave;
    synchronized (this) {
      gaveUpAfter = margin;
      mayLeave = hasLeft() ? null : call;
    }
    if (mayLeave == null) {
      fail(noAnswer(margin));
    } else {
      mayLeave.cancel("the call timed out", null);
    }
  }

  /** Returns whether the agent may have received a request. Under the lock. */
  private boolean hasLeft() {
    return sentBefore || (progress != null && progress.sent());
  }

  private void stop() {
    onEnd.accept(this);
    ClientCall<TakePartRequest, TakePartResponse> current;
    synchronized (this) {
      current = call;
      if (expiry != null) {
        expiry.cancel(false);
      }
      if (nextAsk != null) {
        nextAsk.cancel(false);
      }
    }
    connection.forget(ask);
    if (current != null) {
      current.cancel("the result is no longer wanted", null);
    }
  }

  // Failures.

  private String operation() {
    return "operation '" + request.getOperation().getName() + "'";
  }

  /**
   * Returns the failure of a call that has timed out.
   *
   * @param margin the time beyond the wait that it waited for a due answer
   */
  private synchronized TreecastException noAnswer(Duration margin) {
    String within =
        " within "
            + wait.plus(margin).toMillis()
            + " ms"
            + (margin.isZero() ? "" : ", the wait and " + margin.toMillis() + " ms for the answer");
    CallFailure why = lost;
    if (!hasLeft()) {
      return connection.unsent(wait.plus(margin), notReached(), null);
    }
    return new TreecastException(
        Reason.OUTCOME_UNKNOWN,
        "agent "
            + agent
            + " gave no answer on "
            + operation()
            + within
            + whyLost(why)
            + ": this member's contribution may count; "
            + again("get the result"),
        why == null ? null : why.cause());
  }

  /** States that this call was never sent; an earlier one with its token may have been. */
  private String notReached() {
    return hasRetryToken
        ? ", so this call of "
            + operation()
            + " was not sent; an earlier one with the same retry token may count"
        : ", so this member did not take part in " + operation();
  }

  /** States how the application can repeat the call, or could have. */
  private String again(String what) {
    return hasRetryToken
        ? "to " + what + ", call again with the same retry token"
        : "to be able to " + what + ", give each call a retry token";
  }

  /** Returns why the connection is missing or, if it exists, why the request was repeated. */
  private String whyLost(@Nullable CallFailure last) {
    String unconnected = connection.why();
    return unconnected.isEmpty() && last != null ? " (" + last.text() + ")" : unconnected;
  }

  private synchronized TreecastException refusal(CallFailure failure) {
    String agentSays = "agent " + agent + " says: " + failure.text() + "; ";
    RefusalReason reason = failure.reason();
    if (reason == RefusalReason.REFUSAL_REASON_RESULT_NOT_READ
        || !failure.isWithoutEffect()
        || (mayCountAlready() && reason != RefusalReason.REFUSAL_REASON_INVALID_REQUEST)) {
      return new TreecastException(
          Reason.OUTCOME_UNKNOWN,
          "%sthis member's contribution to %s may count: %s"
              .formatted(agentSays, operation(), again("get the result")),
          failure.cause());
    }
    return switch (reason) {
      case REFUSAL_REASON_NO_ROOM ->
          new TreecastException(
              Reason.BUFFER_FULL,
              agentSays + "call " + operation() + " again when earlier ones are through",
              failure.cause());
      case REFUSAL_REASON_INVALID_REQUEST ->
          new TreecastException(
              Reason.REFUSED,
              agentSays + "the same call of " + operation() + " will be refused again",
              failure.cause());
      case REFUSAL_REASON_PERMISSION_DENIED ->
          new TreecastException(
              Reason.PERMISSION_DENIED,
              "agent " + connection.agent() + " says: " + failure.text(),
              failure.cause());
      // Agents refuse such calls only for the first two reasons.
      case REFUSAL_REASON_UNSPECIFIED,
          UNRECOGNIZED,
          REFUSAL_REASON_PAYLOAD_TOO_LARGE,
          REFUSAL_REASON_TOO_MANY_TOPICS,
          REFUSAL_REASON_NO_TREE,
          REFUSAL_REASON_SHUTTING_DOWN,
          REFUSAL_REASON_MAY_BE_ACCEPTED,
          REFUSAL_REASON_TOKEN_REUSED,
          REFUSAL_REASON_UNKNOWN_BROADCAST,
          REFUSAL_REASON_CLAIM_HELD,
          REFUSAL_REASON_NO_MAJORITY,
          REFUSAL_REASON_CLAIM_LOST,
          REFUSAL_REASON_RESULT_NOT_READ ->
          new TreecastException(Reason.REFUSED, agentSays + failure.remedy(), failure.cause());
    };
  }

  /**
   * Returns whether an agent may have accepted this member's contribution in an earlier request.
   */
  private synchronized boolean mayCountAlready() {
    return sentBefore;
  }

  private synchronized TreecastException failure(CollectiveFailure failure) {
    String agentSays = "agent " + agent + " says: " + failure.getText();
    return switch (failure.getReason()) {
      case COLLECTIVE_FAILURE_REASON_MEMBERS_MISSING ->
          new TreecastException(Reason.MEMBERS_MISSING, agentSays + "; " + again("go on waiting"));
      case COLLECTIVE_FAILURE_REASON_DISAGREEMENT ->
          new TreecastException(Reason.DISAGREEMENT, agentSays);
      case COLLECTIVE_FAILURE_REASON_OVERFLOW -> new TreecastException(Reason.OVERFLOW, agentSays);
      case COLLECTIVE_FAILURE_REASON_TOO_LARGE ->
          new TreecastException(Reason.PAYLOAD_TOO_LARGE, agentSays);
      case COLLECTIVE_FAILURE_REASON_NO_ROOM ->
          new TreecastException(Reason.BUFFER_FULL, agentSays);
      case COLLECTIVE_FAILURE_REASON_NAME_USED ->
          new TreecastException(Reason.NAME_USED, agentSays);
      case COLLECTIVE_FAILURE_REASON_NOT_A_PARTICIPANT ->
          new TreecastException(Reason.REFUSED, agentSays);
      case COLLECTIVE_FAILURE_REASON_RESULT_LOST ->
          new TreecastException(Reason.RESULT_LOST, agentSays);
      case COLLECTIVE_FAILURE_REASON_VIEW_CHANGED ->
          new TreecastException(Reason.VIEW_CHANGED, agentSays);
      case COLLECTIVE_FAILURE_REASON_LEFT_OUT -> new TreecastException(Reason.LEFT_OUT, agentSays);
      case COLLECTIVE_FAILURE_REASON_UNSPECIFIED, UNRECOGNIZED ->
          new TreecastException(
              Reason.PROTOCOL_VIOLATION,
              agentSays
                  + "; the reason is unknown to this client: upgrade it to the agent's version");
    };
  }

  private synchronized TreecastException notUnderstood(String what) {
    return new TreecastException(
        Reason.PROTOCOL_VIOLATION,
        "agent %s answered %s to %s; check that client and agent have the same version"
            .formatted(agent, what, operation()));
  }

  private void answered(TakePartResponse response) {
    switch (response.getOutcomeCase()) {
      case RESULT -> {
        CollectiveResult<T> read;
        try {
          read = read(response.getResult());
        } catch (IllegalArgumentException e) {
          fail(notUnderstood(String.valueOf(e.getMessage())));
          return;
        }
        onEnd.accept(this);
        result.complete(read);
      }
      case FAILURE -> fail(failure(response.getFailure()));
      case OUTCOME_NOT_SET -> fail(notUnderstood("neither a result nor a failure"));
    }
  }

  private CollectiveResult<T> read(io.treecast.proto.v1.CollectiveResult answer) {
    return new CollectiveResult<>(
        reader.read(answer),
        new LinkedHashSet<>(answer.getContributorsList()),
        answer.getTreeVersion());
  }

  /** The callbacks of a gRPC call, on gRPC's callback threads. */
  private final class Answer implements StreamObserver<TakePartResponse> {
    private final CallProgress asked;

    Answer(CallProgress asked) {
      this.asked = asked;
    }

    @Override
    public void onNext(TakePartResponse response) {
      answered(response);
    }

    @Override
    public void onError(Throwable error) {
      CallFailure failure = CallFailure.of(error);
      if (asked.answered() && !failure.isUnavailable()) {
        fail(refusal(failure));
      } else {
        askAgain(asked, failure);
      }
    }

    @Override
    public void onCompleted() {}
  }
}
