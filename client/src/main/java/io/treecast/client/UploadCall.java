package io.treecast.client;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.UploadEnd;
import io.treecast.proto.v1.UploadRequest;
import io.treecast.proto.v1.UploadResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An upload on its way to the agent. Requests one buffer at a time from its publisher, and sends it
 * in pieces as the connection has room. The call ends when any party completes the future; then the
 * agent abandons the broadcast, unless it has the whole payload.
 *
 * <p>For any thread. A thread of the upload's own sends the pieces and calls the publisher, which
 * may block; other threads only notify it.
 */
final class UploadCall implements Flow.Subscriber<ByteBuffer> {
  /** The maximum size of a piece, which is the default size of agents' chunks. */
  static final int PIECE_BYTES = 64 * 1024;

  private final AgentConnection connection;
  private final Flow.Publisher<ByteBuffer> payload;
  private final BroadcastOptions options;
  private final Duration wait;
  private final Consumer<UploadCall> onEnd;
  private final long startNanos;
  private final CompletableFuture<BroadcastResult> result = new CompletableFuture<>();
  private final Runnable begin = this::begin;
  private final AtomicInteger drains = new AtomicInteger();
  private final ExecutorService ownThread;

  private volatile @Nullable ClientCallStreamObserver<UploadRequest> call;
  private volatile CallProgress progress = new CallProgress();
  private volatile @Nullable AgentAddress agent;
  private volatile Flow.@Nullable Subscription subscription;
  private volatile @Nullable ByteBuffer buffer;
  private volatile boolean payloadEnded;

  // For the upload's own thread.
  private final CRC32C checksum = new CRC32C();
  private boolean asked;

  // Guarded by this.
  private @Nullable Future<?> expiry;

  private boolean subscribed;

  /** Whether a piece was sent, after which the payload cannot be read again. */
  private boolean pieceSent;

  /** Whether the end was sent, after which the agent may have the whole payload and accept it. */
  private boolean endSent;

  /**
   * Whether the end must not be sent any more. Then the agent abandons the broadcast if it has
   * received any of it.
   */
  private boolean aborted;

  /** The time that the call had waited when it was cancelled without having been sent. */
  private @Nullable Duration waitedUnsent;

  /**
   * Creates the call, which begins with {@link #start}.
   *
   * @param ownThread ends with the upload
   * @param onEnd called at least once when there is a result
   */
  UploadCall(
      AgentConnection connection,
      Flow.Publisher<ByteBuffer> payload,
      BroadcastOptions options,
      Duration wait,
      ExecutorService ownThread,
      Consumer<UploadCall> onEnd) {
    this.connection = connection;
    this.payload = payload;
    this.options = options;
    this.wait = wait;
    this.onEnd = onEnd;
    this.startNanos = connection.nowNanos();
    this.ownThread = ownThread;
  }

  CompletableFuture<BroadcastResult> result() {
    return result;
  }

  /** Opens the gRPC call now, or as soon as there is a connection. */
  void start() {
    var unused = result.whenComplete((accepted, error) -> stop());
    connection.whenConnected(begin);
    synchronized (this) {
      if (call == null && !result.isDone()) {
        expiry = connection.schedule(this::expireBeforeItBegins, wait.toNanos());
      }
    }
  }

  /** Fails the upload, unless it has ended. */
  void fail(TreecastException why) {
    result.completeExceptionally(why);
  }

  private void begin() {
    if (open()) {
      ownThread.execute(this::subscribe);
    }
  }

  /** Returns the agent of the upload, or the present one before its beginning. */
  private AgentAddress agent() {
    AgentAddress of = agent;
    return of == null ? connection.agent() : of;
  }

  /**
   * Begins again at the next agent, if the call was not sent when the client left its agent.
   * Returns whether it does.
   */
  private synchronized boolean beginsElsewhere(CallProgress ended) {
    if (!connection.agents().areSeveral()
        || ended.sent()
        || pieceSent
        || endSent
        || aborted
        || waitedUnsent != null
        || result.isDone()) {
      return false;
    }
    call = null;
    connection.whenConnected(begin);
    return true;
  }

  private void subscribe() {
    try {
      payload.subscribe(this);
    } catch (Throwable e) { // Other JVM languages throw checked exceptions without declaring them.
      onError(e);
    }
  }

  /** Opens the gRPC call, unless the upload has ended. */
  private synchronized boolean open() {
    if (result.isDone() || aborted) {
      return false;
    }
    if (expiry != null) {
      expiry.cancel(false);
    }
    CallProgress ofCall = new CallProgress();
    progress = ofCall;
    Route route = connection.route();
    agent = route.agent();
    var unused =
        ClientCalls.asyncClientStreamingCall(
            route.newCall(
                TreecastServiceGrpc.getUploadMethod(),
                CallOptions.DEFAULT.withWaitForReady().withStreamTracerFactory(ofCall)),
            new Answer(ofCall));
    long spentNanos = connection.nowNanos() - startNanos;
    long leftMillis = Math.max(0, wait.toMillis() - TimeUnit.NANOSECONDS.toMillis(spentNanos));
    // The connection may end before it accepts the call, which then waits for another one.
    expiry =
        connection.schedule(
            () -> expireUnsent(wait.plus(BroadcastCall.ANSWER_MARGIN)),
            Duration.ofMillis(leftMillis).plus(BroadcastCall.ANSWER_MARGIN).toNanos());
    call()
        .onNext(
            UploadRequest.newBuilder()
                .setBegin(BroadcastCall.request(options, leftMillis))
                .build());
    boolean isFirst = !subscribed;
    subscribed = true;
    return isFirst;
  }

  private ClientCallStreamObserver<UploadRequest> call() {
    ClientCallStreamObserver<UploadRequest> current = call;
    if (current == null) {
      throw new IllegalStateException("the upload has not begun");
    }
    return current;
  }

  /**
   * Ends the wait before the call begins, unless there is a connection, so that it is about to
   * begin.
   */
  private void expireBeforeItBegins() {
    if (!connection.isConnected()) {
      expireUnsent(wait);
      return;
    }
    synchronized (this) {
      if (call == null && !result.isDone()) {
        Duration margin = BroadcastCall.ANSWER_MARGIN;
        expiry = connection.schedule(() -> expireUnsent(wait.plus(margin)), margin.toNanos());
      }
    }
  }

  /**
   * Fails the upload if the call was not sent, which means that no piece was sent either. The call
   * may be sent at any moment, so it is cancelled first: its end then shows whether it was sent.
   */
  private void expireUnsent(Duration waited) {
    ClientCallStreamObserver<UploadRequest> current;
    synchronized (this) {
      if (progress.underWay() || !abort()) {
        return;
      }
      waitedUnsent = waited;
      current = call;
    }
    if (current == null) {
      fail(BroadcastCall.unreachable(connection, waited, null));
    } else {
      current.cancel("the upload timed out", null);
    }
  }

  /** Stops the upload if the end was not sent; returns whether it was not. */
  private synchronized boolean abort() {
    aborted |= !endSent;
    return aborted;
  }

  /** Returns whether the end may be sent now; then the upload can no longer be stopped. */
  private synchronized boolean claimEnd() {
    endSent = !aborted && call != null;
    return endSent;
  }

  private synchronized boolean isEndSent() {
    return endSent;
  }

  private void stop() {
    onEnd.accept(this);
    synchronized (this) {
      if (expiry != null) {
        expiry.cancel(false);
      }
    }
    ClientCallStreamObserver<UploadRequest> current = call;
    if (current == null) {
      connection.forget(begin);
    } else {
      current.cancel("the upload's result is no longer wanted", null);
    }
    Flow.Subscription publisher = subscription;
    if (publisher != null) {
      ownThread.execute(publisher::cancel);
    }
    ownThread.shutdown();
  }

  // Sending.

  /** Requests another look at the state of the call. */
  private void drain() {
    if (drains.getAndIncrement() == 0) {
      ownThread.execute(this::drainAll);
    }
  }

  private void drainAll() {
    int handled = 1;
    do {
      try {
        while (!result.isDone() && sendOrAsk()) {
          // Until there is no possible step.
        }
      } catch (Throwable e) {
        // An exception of the publisher; or the call was cancelled meanwhile, and there is a result
        // already.
        onError(e);
      }
      handled = drains.addAndGet(-handled);
    } while (handled > 0);
  }

  /** Takes the next possible step; returns false if there is none now. */
  private boolean sendOrAsk() {
    Flow.Subscription publisher = subscription;
    ClientCallStreamObserver<UploadRequest> current = call;
    if (publisher == null || isEndSent() || current == null || !current.isReady()) {
      return false;
    }
    ByteBuffer bytes = buffer;
    if (bytes != null) {
      send(bytes);
    } else if (payloadEnded) {
      if (!claimEnd()) {
        return false;
      }
      UploadEnd end = UploadEnd.newBuilder().setCrc32C((int) checksum.getValue()).build();
      call().onNext(UploadRequest.newBuilder().setEnd(end).build());
      call().onCompleted();
    } else if (asked) {
      return false;
    } else {
      asked = true;
      publisher.request(1);
    }
    return true;
  }

  /** Returns the gRPC call. From then on it is the only one of this upload. */
  private synchronized @Nullable ClientCallStreamObserver<UploadRequest> claimCall() {
    pieceSent |= call != null;
    return call;
  }

  private void send(ByteBuffer bytes) {
    ClientCallStreamObserver<UploadRequest> to = claimCall();
    if (to == null) {
      return; // The upload begins again at another agent, with this buffer.
    }
    ByteBuffer piece = bytes.slice(bytes.position(), Math.min(PIECE_BYTES, bytes.remaining()));
    checksum.update(piece.duplicate());
    if (piece.hasRemaining()) {
      bytes.position(bytes.position() + piece.remaining());
      to.onNext(UploadRequest.newBuilder().setPiece(ByteString.copyFrom(piece)).build());
    }
    if (!bytes.hasRemaining()) {
      buffer = null;
      asked = false;
    }
  }

  // The publisher.

  @Override
  public void onSubscribe(Flow.Subscription publisher) {
    subscription = publisher;
    if (result.isDone()) {
      publisher.cancel();
    } else {
      drain();
    }
  }

  @Override
  public void onNext(ByteBuffer bytes) {
    buffer = bytes.duplicate();
    drain();
  }

  @Override
  public void onError(Throwable error) {
    if (!abort()) {
      fail(
          new TreecastException(
              Reason.OUTCOME_UNKNOWN,
              ("the payload to upload to agent %s failed after its end: %s; it is unknown "
                      + "whether the agent has all of the upload; repeating it may deliver it "
                      + "twice")
                  .formatted(agent(), error),
              error));
      return;
    }
    if (error instanceof TreecastException failure) {
      fail(failure);
      return;
    }
    fail(
        new TreecastException(
            Reason.INCOMPLETE,
            "the payload to upload to agent %s failed: %s; its broadcast was abandoned"
                .formatted(agent(), error),
            error));
  }

  @Override
  public void onComplete() {
    payloadEnded = true;
    drain();
  }

  /** The callbacks of the gRPC call, on gRPC's threads. */
  private final class Answer implements ClientResponseObserver<UploadRequest, UploadResponse> {
    private final CallProgress ofCall;

    Answer(CallProgress ofCall) {
      this.ofCall = ofCall;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<UploadRequest> requests) {
      requests.setOnReadyHandler(UploadCall.this::drain);
      call = requests;
    }

    @Override
    public void onNext(UploadResponse response) {
      DisseminationTree tree =
          response.hasTree() ? FromWire.disseminationTree(response.getTree()) : null;
      BroadcastCall.complete(
          result, FromWire.broadcastResult(response.getBroadcast(), tree), options, agent());
    }

    @Override
    public void onError(Throwable error) {
      if (!beginsElsewhere(ofCall)) {
        fail(failure(CallFailure.of(error)));
      }
    }

    @Override
    public void onCompleted() {}
  }

  private synchronized TreecastException failure(CallFailure failure) {
    Duration waited = waitedUnsent;
    if (waited != null && !progress.underWay()) {
      return BroadcastCall.unreachable(connection, waited, null);
    }
    if (!progress.sent()) {
      return BroadcastCall.unreachable(connection, wait, failure);
    }
    if (failure.isShutdown()) {
      return new TreecastException(
          Reason.INCOMPLETE,
          "agent "
              + agent()
              + " is shutting down and did not accept the whole upload; the broadcast was"
              + " abandoned: upload again when the agent is back, or through another one",
          failure.cause());
    }
    if (failure.isOfAgent() || (progress.answered() && !endSent)) {
      return failure.ofBroadcast(agent(), "");
    }
    String lost = "the connection to agent " + agent() + " was lost (" + failure.text() + "): ";
    return endSent
        ? new TreecastException(
            Reason.OUTCOME_UNKNOWN,
            lost
                + "it is unknown whether it has all of the upload; repeating it may deliver it twice",
            failure.cause())
        : new TreecastException(
            Reason.INCOMPLETE,
            lost + "it did not receive the whole upload; the broadcast was abandoned; upload again",
            failure.cause());
  }
}
