package io.treecast.client;

import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.treecast.proto.v1.ClockServiceGrpc;
import io.treecast.proto.v1.ReadClockRequest;
import io.treecast.proto.v1.ReadClockResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time of the root of the committed tree. The clock queries the agent and adds half of that
 * call's round trip to the bound of the error. For a second it then derives times by itself, in
 * which drift adds 0.2 ms to the bound.
 *
 * <pre>{@code
 * ClusterTime begun = treecast.clock().now().join();
 * }</pre>
 *
 * <p>Safe for use by several threads.
 */
public final class ClusterClock {
  /** The time for which an answer is used. */
  static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The assumed drift between two clocks is one part in this many, as in agents. */
  private static final long DRIFT_DIVISOR = 5_000;

  private final AgentConnection connection;
  private final Duration wait;

  // Guarded by this.
  private @Nullable Reading best;
  private long askedNanos;
  private @Nullable CompletableFuture<Reading> asking;
  private @Nullable TreecastException closed;
  private @Nullable ClusterTime last;

  ClusterClock(AgentConnection connection, Duration wait) {
    this.connection = connection;
    this.wait = wait;
  }

  /** The root's time at one instant of {@link System#nanoTime}. */
  private record Reading(long atNanos, ClusterTime time) {
    ClusterTime at(long instantNanos) {
      return time.after(instantNanos - atNanos, DRIFT_DIVISOR);
    }
  }

  /**
   * Returns the present time. Within an epoch, the times that one client returns never go back.
   * Fails with {@code NO_TREE} if the agent has no time of the root, with {@code PERMISSION_DENIED}
   * without the permission {@code administrate}, and with {@code AGENT_UNREACHABLE} without an
   * answer within {@link TreecastBuilder#defaultWait}.
   */
  public CompletableFuture<ClusterTime> now() {
    return PublicFuture.of(ownNow());
  }

  /**
   * Returns the time at a past or future instant of this process, by the root of the present tree.
   * The bound grows by 0.2 ms for each second between now and the instant.
   *
   * @param nanoTime a value of {@link System#nanoTime}
   * @return fails like {@link #now}
   */
  public CompletableFuture<ClusterTime> at(long nanoTime) {
    return PublicFuture.of(ownAt(nanoTime));
  }

  /** Returns the present time as the client's own future. */
  CompletableFuture<ClusterTime> ownNow() {
    return reading().thenApply(this::monotonic);
  }

  /** Returns the time at an instant as the client's own future. */
  CompletableFuture<ClusterTime> ownAt(long nanoTime) {
    return reading().thenApply(reading -> reading.at(nanoTime));
  }

  private synchronized ClusterTime monotonic(Reading reading) {
    ClusterTime time = reading.at(System.nanoTime());
    if (last != null && last.isSameEpoch(time)) {
      time = time.notBefore(last.rootNanos());
    }
    last = time;
    return time;
  }

  private CompletableFuture<Reading> reading() {
    CompletableFuture<Reading> asked;
    synchronized (this) {
      if (closed != null) {
        return CompletableFuture.failedFuture(closed.rethrown());
      }
      if (best != null && System.nanoTime() - askedNanos < FRESH_NANOS) {
        return CompletableFuture.completedFuture(best);
      }
      if (asking != null) {
        return asking;
      }
      asked = new CompletableFuture<>();
      asking = asked;
    }
    ask(asked, connection.newBackoff(), System.nanoTime() + wait.toNanos(), null);
    return asked;
  }

  /**
   * Calls the agent.
   *
   * @param refusal the failure of the previous call, which explains a wait that ends during this
   *     call; null for the first call
   */
  private void ask(
      CompletableFuture<Reading> asked,
      Backoff backoff,
      long untilNanos,
      @Nullable TreecastException refusal) {
    AgentAddress agent = connection.agent();
    long sentNanos = System.nanoTime();
    ClientCalls.asyncUnaryCall(
        connection.newCall(
            ClockServiceGrpc.getReadClockMethod(),
            CallOptions.DEFAULT
                .withWaitForReady()
                .withDeadlineAfter(Math.max(1, untilNanos - sentNanos), TimeUnit.NANOSECONDS)),
        ReadClockRequest.getDefaultInstance(),
        new StreamObserver<ReadClockResponse>() {
          @Override
          public void onNext(ReadClockResponse answer) {
            answered(asked, read(answer, sentNanos, System.nanoTime()), sentNanos);
          }

          @Override
          public void onError(Throwable error) {
            CallFailure failure = CallFailure.of(error);
            long pauseNanos = backoff.nextDelayNanos();
            boolean isOver = System.nanoTime() + pauseNanos - untilNanos >= 0;
            if (failure.isUnavailable() && !isOver) {
              TreecastException last = failure.ofClock(agent);
              var unused =
                  connection.schedule(() -> ask(asked, backoff, untilNanos, last), pauseNanos);
            } else if (refusal != null && isOver && !failure.isOfAgent()) {
              failed(asked, refusal);
            } else {
              failed(asked, failure.ofClock(agent));
            }
          }

          @Override
          public void onCompleted() {}
        });
  }

  /**
   * Returns a reading. The agent has read its clock during the round trip, in which the clocks may
   * have drifted.
   */
  private static Reading read(ReadClockResponse answer, long sentNanos, long arrivedNanos) {
    long rttNanos = arrivedNanos - sentNanos;
    return new Reading(
        sentNanos + rttNanos / 2,
        new ClusterTime(
            answer.getTreeVersion(),
            answer.getRoot(),
            answer.getRootIncarnation(),
            answer.getRootNanos(),
            answer.getErrorNanos() + (rttNanos + 1) / 2 + rttNanos / DRIFT_DIVISOR + 1));
  }

  private void answered(CompletableFuture<Reading> asked, Reading answer, long sentNanos) {
    Reading used = answer;
    synchronized (this) {
      Reading before = best;
      long now = System.nanoTime();
      if (before != null
          && before.time().isSameEpoch(answer.time())
          && before.at(now).errorNanos() < answer.at(now).errorNanos()) {
        used = before;
      }
      best = used;
      askedNanos = sentNanos;
      asking = null;
    }
    asked.complete(used);
  }

  private void failed(CompletableFuture<Reading> asked, TreecastException failure) {
    synchronized (this) {
      asking = null;
    }
    asked.completeExceptionally(failure);
  }

  /** Fails waiting calls, because the client is closed. */
  void close(TreecastException why) {
    CompletableFuture<Reading> asked;
    synchronized (this) {
      closed = why;
      asked = asking;
    }
    if (asked != null) {
      failed(asked, why);
    }
  }
}
