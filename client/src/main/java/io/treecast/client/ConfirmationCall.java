package io.treecast.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Status;
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
 * The question which members have delivered a message, asked while it has the turn. To ask changes
 * nothing, so it is asked again when it has the turn again, and whenever the connection was lost,
 * until the time is over.
 *
 * <p>Any thread may touch it; its state is guarded by this object's lock.
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

  /** What there is to do when the time is over, and then when the answer's is. */
  private @Nullable Future<?> expiry;

  /** The next try, after one that was lost; null if none is due. */
  private @Nullable Future<?> nextAsk;

  /**
   * To be followed by {@link #start}. Does not have the turn.
   *
   * @param wait until the agent knows; its answer is given {@link BroadcastCall#ANSWER_MARGIN} more
   * @param backoff of this call alone
   * @param onTimeOver called when the wait is over, if there is no result
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

  /** Begins to wait. */
  void start() {
    var unused = result.whenComplete((confirmation, error) -> stop());
    synchronized (this) {
      if (!result.isDone()) {
        expiry = connection.schedule(this::timeIsOver, wait.toNanos());
      }
    }
  }

  /** To be followed by {@link #heedTurn}, which takes locks that the caller may not hold. */
  void setTurn(boolean newTurn) {
    hasTurn = newTurn;
  }

  /** If it has the turn, asks now, or as soon as there is a connection; or else not any longer. */
  void heedTurn() {
    if (hasTurn) {
      connection.whenConnected(ask);
    } else {
      setAside();
    }
  }

  /** Gives up, unless there is a result. */
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
        return; // It has it back already.
      }
      current = call;
      call = null;
    }
    if (current != null) {
      current.cancel("others have their turn", null);
    }
  }

  /** Whether a call that has ended was asked until then, and not set aside. */
  private synchronized boolean wasAsked(ClientCall<?, ?> ended) {
    if (call != ended) {
      return false;
    }
    call = null;
    return true;
  }

  /** Another try, after a while: what is between here and the agent may end calls at once. */
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

  /** Now the agent knows, and has a little time to say it. */
  private void timeIsOver() {
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

  private TreecastException noAnswer(@Nullable Status status) {
    return new TreecastException(
        Reason.NOT_CONFIRMED,
        "agent "
            + connection.agent()
            + (status == null
                ? " gave no answer within "
                    + wait.plus(BroadcastCall.ANSWER_MARGIN).toMillis()
                    + " ms"
                : " says: " + StatusText.of(status))
            + "; it has accepted the broadcast as "
            + message
            + ", and who delivered it is unknown: do not send it again",
        status == null ? null : status.asRuntimeException());
  }

  /** The callbacks of a call, on gRPC's callback threads. */
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
        fail(noAnswer(Status.fromThrowable(error)));
      } else {
        askAgain();
      }
    }

    @Override
    public void onCompleted() {}
  }
}
