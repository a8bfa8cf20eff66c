package io.treecast.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.AcquireClaim;
import io.treecast.proto.v1.ClaimServiceGrpc;
import io.treecast.proto.v1.HoldRequest;
import io.treecast.proto.v1.HoldResponse;
import io.treecast.proto.v1.ReleaseClaim;
import io.treecast.proto.v1.RenewClaim;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call that wants, and then holds, a claim. While it waits, a lost connection leads to another
 * request. While it holds, it asks to renew, counts the lease from each question on, and gives up
 * an eighth of the lease before its end, or when the connection is lost.
 *
 * <p>Safe for use by any thread; its state is guarded by this object's lock.
 */
final class HoldCall {
  /** How many questions may wait for an answer. */
  private static final int MAX_QUESTIONS = 16;

  private final AgentConnection connection;
  private final AcquireClaim request;
  private final long leaseNanos;
  private final Duration wait;
  private final Backoff backoff;
  private final Consumer<HoldCall> onEnd;
  private final long startNanos;
  private final CompletableFuture<Claim> claim = new CompletableFuture<>();

  /** Whether the claim was lost, or else released. */
  private final CompletableFuture<Boolean> lost = new CompletableFuture<>();

  private final CompletableFuture<@Nullable Void> released = new CompletableFuture<>();
  private final Runnable begin = this::begin;

  // Guarded by this.
  private @Nullable ClientCall<HoldRequest, HoldResponse> call;
  private @Nullable StreamObserver<HoldRequest> requests;
  private @Nullable CallProgress progress;
  private @Nullable Future<?> next;
  private @Nullable Future<?> expiry;
  private final SortedMap<Long, Long> askedNanos = new TreeMap<>();
  private long questions;

  /** When it gives up; later with each renewal. */
  private long endsNanos;

  /** Whether an earlier call may have reached an agent, which may have granted the claim. */
  private boolean sentBefore;

  private boolean gaveUp;
  private boolean isHolding;
  private boolean isOver;

  /**
   * Creates it idle, until {@link #start}.
   *
   * @param request complete but for the wait
   */
  HoldCall(
      AgentConnection connection,
      AcquireClaim request,
      Duration lease,
      Duration wait,
      Backoff backoff,
      Consumer<HoldCall> onEnd) {
    this.connection = connection;
    this.request = request;
    this.leaseNanos = lease.toNanos();
    this.wait = wait;
    this.backoff = backoff;
    this.onEnd = onEnd;
    this.startNanos = connection.nowNanos();
  }

  String name() {
    return request.getClaim().getName();
  }

  CompletableFuture<Claim> claim() {
    return claim;
  }

  CompletableFuture<Boolean> lost() {
    return lost;
  }

  /** Completes when the call is over and its agent, if it was asked, has released the claim. */
  CompletableFuture<@Nullable Void> released() {
    return released;
  }

  void start() {
    var unused =
        claim.whenComplete(
            (held, error) -> {
              if (error != null) {
                withdraw();
              }
            });
    synchronized (this) {
      // The agent answers in time if it can; the margin is for its answer.
      expiry = connection.schedule(this::expire, wait.plus(BroadcastCall.ANSWER_MARGIN).toNanos());
    }
    connection.whenConnected(begin);
  }

  void fail(TreecastException why) {
    claim.completeExceptionally(why);
  }

  /** Ends the wait for the claim, and withdraws a request that may be about to leave. */
  private void expire() {
    ClientCall<HoldRequest, HoldResponse> mayLeave;
    synchronized (this) {
      if (isOver || isHolding) {
        return;
      }
      gaveUp = true;
      mayLeave = hasLeft() ? null : call;
    }
    if (mayLeave == null) {
      fail(noAnswer());
    } else {
      mayLeave.cancel("its time is over", null);
    }
  }

  /** Returns whether an agent may have been asked. Under the lock. */
  private boolean hasLeft() {
    return sentBefore || (progress != null && progress.sent());
  }

  private synchronized TreecastException noAnswer() {
    Duration waited = wait.plus(BroadcastCall.ANSWER_MARGIN);
    return hasLeft()
        ? outcomeUnknown(" within " + waited.toMillis() + " ms", null)
        : connection.unsent(waited, ", so claim '" + name() + "' was not asked for", null);
  }

  private TreecastException outcomeUnknown(String noAnswer, @Nullable Throwable cause) {
    return new TreecastException(
        Reason.OUTCOME_UNKNOWN,
        ("agent %s gave no answer%s whether it got claim '%s': this caller does not hold it, "
                + "but it may have been granted, and is free again when its lease is over; "
                + "acquire it again")
            .formatted(connection.agent(), noAnswer, name()),
        cause);
  }

  private synchronized void begin() {
    if (isOver || gaveUp) {
      return;
    }
    long spentMillis = TimeUnit.NANOSECONDS.toMillis(connection.nowNanos() - startNanos);
    Route route = connection.route();
    CallProgress asked = new CallProgress();
    progress = asked;
    ClientCall<HoldRequest, HoldResponse> started =
        route.newCall(
            ClaimServiceGrpc.getHoldMethod(),
            CallOptions.DEFAULT.withWaitForReady().withStreamTracerFactory(asked));
    call = started;
    StreamObserver<HoldRequest> sending =
        ClientCalls.asyncBidiStreamingCall(started, new Answers(started, asked, route.agent()));
    requests = sending;
    sending.onNext(
        HoldRequest.newBuilder()
            .setAcquire(
                request.toBuilder().setWaitMillis(Math.max(0, wait.toMillis() - spentMillis)))
            .build());
  }

  /** Asks to renew now, and again before the lease ends. */
  private synchronized void ask() {
    if (isOver || requests == null) {
      return;
    }
    long number = ++questions;
    askedNanos.put(number, connection.nowNanos());
    if (askedNanos.size() > MAX_QUESTIONS) {
      askedNanos.remove(askedNanos.firstKey());
    }
    requests.onNext(
        HoldRequest.newBuilder().setRenew(RenewClaim.newBuilder().setNumber(number)).build());
    next = connection.schedule(this::ask, leaseNanos / 4);
  }

  private void held(HoldResponse answer) {
    if (answer.getNumber() == 0) {
      ask();
      return;
    }
    boolean isFirst;
    synchronized (this) {
      Long asked = askedNanos.get(answer.getNumber());
      if (isOver || asked == null || (gaveUp && !isHolding)) {
        return;
      }
      askedNanos.headMap(answer.getNumber() + 1).clear();
      long ends = asked + answer.getRemainingNanos() - leaseNanos / 8;
      if (ends - connection.nowNanos() <= 0) {
        return;
      }
      isFirst = !isHolding;
      isHolding = true;
      if (isFirst || ends - endsNanos > 0) {
        endsNanos = ends;
        if (expiry != null) {
          expiry.cancel(false);
        }
        expiry = connection.schedule(this::giveUpIfDue, ends - connection.nowNanos());
      }
    }
    if (isFirst && !claim.complete(new Claim(this, answer.getFence()))) {
      var unused = release(); // The caller has cancelled.
    }
  }

  private void giveUpIfDue() {
    synchronized (this) {
      long leftNanos = endsNanos - connection.nowNanos();
      if (!isOver && leftNanos > 0) {
        expiry = connection.schedule(this::giveUpIfDue, leftNanos);
        return;
      }
    }
    lose();
  }

  private void lose() {
    if (end()) {
      lost.complete(true);
    }
  }

  /** Ends everything; returns false if that was done before. */
  private boolean end() {
    ClientCall<HoldRequest, HoldResponse> open;
    synchronized (this) {
      if (isOver) {
        return false;
      }
      isOver = true;
      open = call;
      call = null;
      requests = null;
      cancelTimers();
    }
    connection.forget(begin);
    if (open != null) {
      open.cancel("the claim is not wanted or not held any more", null);
    }
    released.complete(null);
    onEnd.accept(this);
    return true;
  }

  private void cancelTimers() {
    if (next != null) {
      next.cancel(false);
    }
    if (expiry != null) {
      expiry.cancel(false);
    }
  }

  synchronized boolean isHeld() {
    return remainingNanos() > 0;
  }

  synchronized long remainingNanos() {
    return isHolding && !isOver ? Math.max(0, endsNanos - connection.nowNanos()) : 0;
  }

  /**
   * Ends the wait for the claim. An agent that was asked gets a release, because it cannot tell
   * whether the caller of a cancelled call relies on its lease.
   */
  private void withdraw() {
    ClientCall<HoldRequest, HoldResponse> asked;
    synchronized (this) {
      asked = progress != null && progress.sent() ? call : null;
    }
    if (asked == null) {
      end();
    } else {
      var unused = release();
      var unusedToo =
          connection.schedule(
              () -> asked.cancel("the agent does not answer a release", null),
              BroadcastCall.ANSWER_MARGIN.toNanos());
    }
  }

  /** Gives the claim up. From now on it is not held. */
  CompletableFuture<@Nullable Void> release() {
    synchronized (this) {
      if (isOver) {
        return released;
      }
      isOver = true;
      cancelTimers();
      if (requests != null) {
        requests.onNext(
            HoldRequest.newBuilder().setRelease(ReleaseClaim.getDefaultInstance()).build());
        requests.onCompleted();
        // Without an answer, the lease ends by itself.
        var unused = connection.schedule(() -> released.complete(null), leaseNanos);
      } else {
        released.complete(null);
      }
    }
    lost.complete(false);
    onEnd.accept(this);
    return released;
  }

  /** Gives a claim up, or ends the wait for it: the client is closed. */
  void close(TreecastException why) {
    fail(why.rethrown()); // No effect if the caller has the claim.
    var unused = release();
  }

  private void ended(Answers of, Throwable why) {
    CallFailure failure = CallFailure.of(why);
    boolean wasHolding;
    boolean isTimeOver;
    boolean wasSent;
    synchronized (this) {
      if (isOver) {
        released.complete(null);
        return;
      }
      if (call != of.call) {
        return;
      }
      wasHolding = isHolding;
      isTimeOver = gaveUp;
      sentBefore |= of.progress.sent();
      wasSent = sentBefore;
      call = null;
      requests = null;
      progress = null;
      if (next != null) {
        next.cancel(false);
      }
      if (!wasHolding && !isTimeOver && (failure.isUnavailable() || isLost(failure))) {
        askedNanos.clear();
        next = connection.schedule(() -> connection.whenConnected(begin), backoff.nextDelayNanos());
        return;
      }
    }
    if (wasHolding) {
      lose();
    } else if (isTimeOver) {
      fail(noAnswer());
    } else if (failure.isOfAgent()
        || (of.progress.answered() && failure.isWithoutEffect())
        || !wasSent) {
      fail(failure.ofCall(of.agent));
    } else {
      fail(outcomeUnknown(" (" + failure.text() + ")", failure.cause()));
    }
  }

  /** Returns whether the lease ended before this client knew that it was granted. */
  private static boolean isLost(CallFailure failure) {
    return failure.reason() == io.treecast.proto.v1.RefusalReason.REFUSAL_REASON_CLAIM_LOST;
  }

  private final class Answers implements StreamObserver<HoldResponse> {
    private final ClientCall<HoldRequest, HoldResponse> call;
    private final CallProgress progress;
    private final AgentAddress agent;

    Answers(ClientCall<HoldRequest, HoldResponse> call, CallProgress progress, AgentAddress agent) {
      this.call = call;
      this.progress = progress;
      this.agent = agent;
    }

    @Override
    public void onNext(HoldResponse answer) {
      held(answer);
    }

    @Override
    public void onError(Throwable why) {
      ended(this, why);
    }

    @Override
    public void onCompleted() {
      ended(this, io.grpc.Status.UNAVAILABLE.asRuntimeException());
    }
  }
}
