package io.treecast.client;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.BroadcastResponse;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One broadcast on its way to the agent. It waits for a connection, then sends once, with what is
 * left of its time as the agent's time to wait for a tree and for room; so the reason arrives
 * whichever of them is missing. Completion of the future, by whomever, ends the call.
 *
 * <p>Any thread may touch it; the two steps meet under this object's lock.
 */
final class BroadcastCall {
  /** How long after the agent's own limit its answer may still arrive. */
  static final Duration ANSWER_MARGIN = Duration.ofSeconds(5);

  /** How gRPC says that a message is so large that the application itself never sees it. */
  private static final String TOO_LARGE_FOR_TRANSPORT = "gRPC message exceeds maximum size";

  /** How an agent that stops begins what it says; part of its interface. */
  private static final String SHUTTING_DOWN = "the agent is shutting down";

  private final AgentConnection connection;
  private final ByteString payload;
  private final BroadcastOptions options;
  private final Duration wait;
  private final long startNanos = System.nanoTime();
  private final CallProgress progress = new CallProgress();
  private final CompletableFuture<BroadcastResult> result = new CompletableFuture<>();
  private final Runnable send = this::send;
  private final Consumer<BroadcastCall> onEnd;

  // Guarded by this.
  private @Nullable ClientCall<BroadcastRequest, BroadcastResponse> call;
  private @Nullable Future<?> expiry;

  /**
   * Does nothing until {@link #start}.
   *
   * @param onEnd called at least once when there is a result, before anyone sees it
   */
  BroadcastCall(
      AgentConnection connection,
      ByteString payload,
      BroadcastOptions options,
      Duration wait,
      Consumer<BroadcastCall> onEnd) {
    this.connection = connection;
    this.payload = payload;
    this.options = options;
    this.wait = wait;
    this.onEnd = onEnd;
  }

  int payloadBytes() {
    return payload.size();
  }

  CompletableFuture<BroadcastResult> result() {
    return result;
  }

  /** Sends now, or as soon as there is a connection. */
  void start() {
    var unused = result.whenComplete((accepted, error) -> stop());
    connection.whenConnected(send);
    // After it: where there is a connection, not even a wait of nothing is too short.
    synchronized (this) {
      if (call == null && !result.isDone()) {
        expiry = connection.schedule(this::expireUnsent, wait.toNanos());
      }
    }
  }

  /** Fails the broadcast, unless it has ended. */
  void fail(TreecastException why) {
    onEnd.accept(this);
    result.completeExceptionally(why);
  }

  private synchronized void send() {
    if (result.isDone()) {
      return;
    }
    if (expiry != null) {
      expiry.cancel(false);
    }
    long spentNanos = System.nanoTime() - startNanos;
    long leftMillis = Math.max(0, wait.toMillis() - TimeUnit.NANOSECONDS.toMillis(spentNanos));
    BroadcastRequest.Builder request =
        request(options, leftMillis).setPayload(payload).setCrc32C(crc32c(payload));
    RetryToken token = options.retryToken();
    if (token != null) {
      request.setRetryToken(token.name()).setTokenAgeMillis(token.ageMillis());
    }
    call =
        connection.newCall(
            TreecastServiceGrpc.getBroadcastMethod(),
            CallOptions.DEFAULT
                .withWaitForReady()
                .withDeadlineAfter(leftMillis + ANSWER_MARGIN.toMillis(), TimeUnit.MILLISECONDS)
                .withStreamTracerFactory(progress));
    ClientCalls.asyncUnaryCall(call, request.build(), new Answer());
  }

  /** What is asked of an agent, but for the payload. */
  static BroadcastRequest.Builder request(BroadcastOptions options, long waitMillis) {
    return BroadcastRequest.newBuilder()
        .setWaitMillis(waitMillis)
        .setTopic(options.topic())
        .setConfirmMillis((int) options.confirmMillis());
  }

  private void expireUnsent() {
    synchronized (this) {
      if (call != null) {
        return;
      }
    }
    fail(unreachable(connection, wait, null));
  }

  private void stop() {
    onEnd.accept(this);
    ClientCall<BroadcastRequest, BroadcastResponse> current;
    synchronized (this) {
      current = call;
      if (expiry != null) {
        expiry.cancel(false);
      }
    }
    if (current == null) {
      connection.forget(send);
    } else {
      current.cancel("the broadcast's result is no longer wanted", null);
    }
  }

  private static int crc32c(ByteString payload) {
    CRC32C checksum = new CRC32C();
    payload.asReadOnlyByteBufferList().forEach(checksum::update);
    return (int) checksum.getValue();
  }

  private TreecastException failure(Status status) {
    if (!progress.sent()) {
      return unreachable(connection, wait, status);
    }
    if (!progress.answered()) {
      Throwable cause = status.asRuntimeException();
      return new TreecastException(
          Reason.OUTCOME_UNKNOWN,
          "agent "
              + connection.agent()
              + " gave no answer"
              + noAnswer(status)
              + ": it is unknown whether it accepted the broadcast; to send it again may deliver it"
              + " twice, unless with a retry token",
          cause);
    }
    return refusal(connection, status);
  }

  private String noAnswer(Status status) {
    return status.getCode() == Status.Code.DEADLINE_EXCEEDED
        ? " within "
            + wait.plus(ANSWER_MARGIN).toMillis()
            + " ms, the wait and "
            + ANSWER_MARGIN.toMillis()
            + " ms for the answer"
        : " (" + StatusText.of(status) + ")";
  }

  /** What the agent answered instead of accepting. */
  static TreecastException refusal(AgentConnection connection, Status status) {
    Throwable cause = status.asRuntimeException();
    String agentSays = "agent " + connection.agent() + " says: " + StatusText.of(status);
    return switch (status.getCode()) {
      case UNAVAILABLE ->
          new TreecastException(
              Reason.NO_TREE,
              agentSays
                  + (isShuttingDown(status)
                      ? "; the broadcast was not sent: send it again when the agent is back, or"
                          + " through another one"
                      : "; it waited as long as it was told: bring its members up, or wait longer"),
              cause);
      case RESOURCE_EXHAUSTED ->
          isTooLargeForTransport(status)
              ? new TreecastException(
                  Reason.PAYLOAD_TOO_LARGE,
                  "agent "
                      + connection.agent()
                      + " takes no payload that large: upload it, which has no such limit, send"
                      + " less, or raise limits.payloadBytes of the agents",
                  cause)
              : new TreecastException(
                  Reason.BUFFER_FULL,
                  agentSays + "; broadcast again when earlier ones are through",
                  cause);
      case ABORTED ->
          new TreecastException(
              Reason.RETRY_TOO_LATE,
              agentSays
                  + "; ask the subscribers, or send it as a new broadcast if it may come twice",
              cause);
      case OUT_OF_RANGE ->
          new TreecastException(
              Reason.PAYLOAD_TOO_LARGE,
              agentSays
                  + "; upload it, which has no such limit, send less, or raise that limit of the"
                  + " agents",
              cause);
      case INVALID_ARGUMENT, FAILED_PRECONDITION, ALREADY_EXISTS ->
          new TreecastException(
              Reason.REFUSED, agentSays + "; the same request will be refused again", cause);
      default ->
          new TreecastException(
              Reason.REFUSED,
              agentSays + "; check that the address is an agent's and that its version fits",
              cause);
    };
  }

  /** Whether one end got a message that it does not take for its size. */
  static boolean isTooLargeForTransport(Status status) {
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED
        && StatusText.of(status).contains(TOO_LARGE_FOR_TRANSPORT);
  }

  /** Whether that is why an agent refuses, or ends what it had accepted. */
  static boolean isShuttingDown(Status status) {
    String description = status.getDescription();
    return status.getCode() == Status.Code.UNAVAILABLE
        && description != null
        && description.startsWith(SHUTTING_DOWN);
  }

  static TreecastException unreachable(
      AgentConnection connection, Duration wait, @Nullable Status status) {
    return new TreecastException(
        Reason.AGENT_UNREACHABLE,
        "no connection to agent "
            + connection.agent()
            + " within "
            + wait.toMillis()
            + " ms"
            + connection.why()
            + ", so the broadcast was not sent: start the agent, correct the address, or wait"
            + " longer",
        status == null ? null : status.asRuntimeException());
  }

  /** The callbacks of the call, on gRPC's callback threads. */
  private final class Answer implements StreamObserver<BroadcastResponse> {
    @Override
    public void onNext(BroadcastResponse response) {
      onEnd.accept(BroadcastCall.this);
      long treeVersion = response.getTreeVersion();
      result.complete(
          new BroadcastResult(
              FromWire.messageId(response.getMessageId()),
              treeVersion,
              new CarryingTree(TreeMetric.LATENCY, treeVersion),
              null));
    }

    @Override
    public void onError(Throwable error) {
      fail(failure(Status.fromThrowable(error)));
    }

    @Override
    public void onCompleted() {}
  }
}
