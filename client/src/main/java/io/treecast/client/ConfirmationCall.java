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
 * The question which members have delivered a message. To ask changes nothing, so it is asked again
 * whenever the connection was lost, until the time is over.
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
  private final Consumer<ConfirmationCall> onEnd;

  // Guarded by this.
  private @Nullable ClientCall<AwaitConfirmationRequest, AwaitConfirmationResponse> call;
  private @Nullable Future<?> expiry;
  private @Nullable Future<?> nextAsk;

  /**
   * To be followed by {@link #start}, and when it is its turn by {@link #askWhenConnected}.
   *
   * @param wait for the answer
   * @param backoff of this call alone
   * @param onEnd called at least once when there is a result
   */
  ConfirmationCall(
      AgentConnection connection,
      MessageId message,
      Duration wait,
      Backoff backoff,
      Consumer<ConfirmationCall> onEnd) {
    this.connection = connection;
    this.message = message;
    this.wait = wait;
    this.backoff = backoff;
    this.onEnd = onEnd;
  }

  CompletableFuture<Confirmation> result() {
    return result;
  }

  /** Begins to wait. */
  void start() {
    var unused = result.whenComplete((confirmation, error) -> stop());
    synchronized (this) {
      expiry = connection.schedule(() -> fail(noAnswer(null)), wait.toNanos());
    }
  }

  /** Asks now, or as soon as there is a connection, unless there is a result. */
  void askWhenConnected() {
    connection.whenConnected(ask);
  }

  /** Gives up, unless there is a result. */
  void fail(TreecastException why) {
    onEnd.accept(this);
    result.completeExceptionally(why);
  }

  private synchronized void ask() {
    if (result.isDone()) {
      return;
    }
    CallProgress progress = new CallProgress();
    call =
        connection.newCall(
            TreecastServiceGrpc.getAwaitConfirmationMethod(),
            CallOptions.DEFAULT.withWaitForReady().withStreamTracerFactory(progress));
    AwaitConfirmationRequest request =
        AwaitConfirmationRequest.newBuilder().setMessageId(ToWire.messageId(message)).build();
    ClientCalls.asyncUnaryCall(call, request, new Answer(progress));
  }

  /** Another try, after a while: what is between here and the agent may end calls at once. */
  private synchronized void askAgain() {
    if (!result.isDone()) {
      nextAsk = connection.schedule(this::askWhenConnected, backoff.nextDelayNanos());
    }
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
                ? " gave no answer within " + wait.toMillis() + " ms"
                : " says: " + StatusText.of(status))
            + "; it has accepted the broadcast as "
            + message
            + ", and who delivered it is unknown: do not send it again",
        status == null ? null : status.asRuntimeException());
  }

  /** The callbacks of a call, on gRPC's callback threads. */
  private final class Answer implements StreamObserver<AwaitConfirmationResponse> {
    private final CallProgress progress;

    Answer(CallProgress progress) {
      this.progress = progress;
    }

    @Override
    public void onNext(AwaitConfirmationResponse response) {
      onEnd.accept(ConfirmationCall.this);
      result.complete(FromWire.confirmation(response));
    }

    @Override
    public void onError(Throwable error) {
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
