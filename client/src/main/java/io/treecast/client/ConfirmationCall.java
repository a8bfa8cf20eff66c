package io.treecast.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.AwaitConfirmationRequest;
import io.treecast.proto.v1.AwaitConfirmationResponse;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A query for the members that have delivered a message. A gRPC call is open while the query has
 * its turn. The query changes nothing, so it is repeated at each turn, and whenever the connection
 * was lost, until it times out.
 *
 * <p>Safe for use by any thread; its state is guarded by this object's lock.
 */
final class ConfirmationCall {
  private final AgentConnection connection;
  private final MessageId message;
  private final Duration wait;
  private final Backoff backoff;
  private final CompletableFuture<Confirmation> result = new CompletableFuture<>();
  private final Runnable ask = this::ask;
  private final Consumer<ConfirmationCall> onTimeOver;
  private final Consumer<ConfirmationCall> onEnd;

  private volatile boolean hasTurn;

  // Guarded by this.
  private @Nullable ClientCall<AwaitConfirmationRequest, AwaitConfirmationResponse> call;

  /** The timer of the wait, and then of the margin for the answer. */
  private @Nullable Future<?> expiry;

  /** The next attempt after a lost one; null if none is scheduled. */
  private @Nullable Future<?> nextAsk;

  /**
   * Creates the query without its turn, which begins with {@link #start}.
   *
   * @param wait the time until the agent knows the confirmation; its answer has {@link
   *     BroadcastCall#ANSWER_MARGIN} more
   * @param backoff a backoff for this call alone
   * @param onTimeOver called at the end of the wait, if there is no result
   * @param onEnd called at least once when there is a result
   */
  ConfirmationCall(
      AgentConnection connection,
      MessageId message,
      Duration wait,
      Backoff backoff,
      Consumer<ConfirmationCall> onTimeOver,
      Consumer<ConfirmationCall> onEnd) {
    this.connection = connection;
    this.message = message;
    this.wait = wait;
    this.backoff = backoff;
    this.onTimeOver = onTimeOver;
    this.onEnd = onEnd;
  }

  CompletableFuture<Confirmation> result() {
    return result;
  }

  /** Starts the wait. */
  void start() {
    var unused = result.whenComplete((confirmation, error) -> stop());
    synchronized (this) {
      if (!result.isDone()) {
        expiry = connection.schedule(this::expire, wait.toNanos());
      }
    }
  }

  /**
   * Gives or takes the turn. A call of {@link #turnChanged} must follow, which takes locks that the
   * caller must not hold here.
   */
  void setTurn(boolean newTurn) {
    hasTurn = newTurn;
  }

  /**
   * Sends the query if it has the turn, now or as soon as there is a connection; otherwise cancels
   * it.
   */
  void turnChanged() {
    if (hasTurn) {
      connection.whenConnected(ask);
    } else {
      setAside();
    }
  }

  /** Fails the query, unless there is a result. */
  void fail(TreecastException why) {
    onEnd.accept(this);
    result.completeExceptionally(why);
  }

  private synchronized void ask() {
    if (result.isDone() || !hasTurn || call != null || nextAsk != null) {
      return;
    }
    CallProgress progress = new CallProgress();
    ClientCall<AwaitConfirmationRequest, AwaitConfirmationResponse> next =
        connection.newCall(
            TreecastServiceGrpc.getAwaitConfirmationMethod(),
            CallOptions.DEFAULT.withWaitForReady().withStreamTracerFactory(progress));
    call = next;
    AwaitConfirmationRequest request =
        AwaitConfirmationRequest.newBuilder().setMessageId(ToWire.messageId(message)).build();
    ClientCalls.asyncUnaryCall(next, request, new Answer(next, progress));
  }

  private void setAside() {
    ClientCall<AwaitConfirmationRequest, AwaitConfirmationResponse> current;
    synchronized (this) {
      if (hasTurn) {
        return; // The turn has returned meanwhile.
      }
      current = call;
      call = null;
    }
    if (current != null) {
      current.cancel("others have their turn", null);
    }
  }

  /** Returns whether a gRPC call was still the current one when it ended. */
  private synchronized boolean wasAsked(ClientCall<?, ?> ended) {
    if (call != ended) {
      return false;
    }
    call = null;
    return true;
  }

  /**
   * Schedules another attempt with a delay: proxies between client and agent may end calls at once.
   */
  private synchronized void askAgain() {
    if (!result.isDone()) {
      nextAsk = connection.schedule(this::endPause, backoff.nextDelayNanos());
    }
  }

  private void endPause() {
    synchronized (this) {
      if (nextAsk != null) {
        nextAsk.cancel(false);
        nextAsk = null;
      }
    }
    connection.whenConnected(ask);
  }

  /** Handles the end of the wait: the agent now has a margin for its answer. */
  private void expire() {
    synchronized (this) {
      if (result.isDone()) {
        return;
      }
      expiry =
          connection.schedule(() -> fail(noAnswer(null)), BroadcastCall.ANSWER_MARGIN.toNanos());
    }
    onTimeOver.accept(this);
    endPause();
  }

  private void stop() {
    onEnd.accept(this);
    ClientCall<AwaitConfirmationRequest, AwaitConfirmationResponse> current;
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
      current.cancel("the confirmation is no longer wanted", null);
    }
  }

  private TreecastException noAnswer(@Nullable CallFailure failure) {
    return new TreecastException(
        Reason.NOT_CONFIRMED,
        "agent "
            + connection.agent()
            + (failure == null
                ? " gave no answer within "
                    + wait.plus(BroadcastCall.ANSWER_MARGIN).toMillis()
                    + " ms"
                : " says: " + failure.text())
            + "; the broadcast was accepted as "
            + message
            + ", and the members that delivered it are unknown: do not send it again",
        failure == null ? null : failure.cause());
  }

  /** The callbacks of a gRPC call, on gRPC's callback threads. */
  private final class Answer implements StreamObserver<AwaitConfirmationResponse> {
    private final ClientCall<?, ?> of;
    private final CallProgress progress;

    Answer(ClientCall<?, ?> of, CallProgress progress) {
      this.of = of;
      this.progress = progress;
    }

    @Override
    public void onNext(AwaitConfirmationResponse response) {
      onEnd.accept(ConfirmationCall.this);
      result.complete(FromWire.confirmation(response));
    }

    @Override
    public void onError(Throwable error) {
      if (!wasAsked(of)) {
        return;
      }
      if (progress.answered()) {
        fail(noAnswer(CallFailure.of(error)));
      } else {
        askAgain();
      }
    }

    @Override
    public void onCompleted() {}
  }
}
