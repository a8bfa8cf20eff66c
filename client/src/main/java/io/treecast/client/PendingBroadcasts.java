package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.client.TreecastException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The broadcasts of a client without a result, with a limit of the memory that they hold.
 *
 * <p>Safe for use by several threads.
 */
final class PendingBroadcasts {
  /** The bytes that a pending broadcast counts beside its payload. */
  static final int BROADCAST_OVERHEAD_BYTES = 1024;

  /** The pause between two passes over all pending broadcasts to find those that have expired. */
  private static final long EXPIRY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final AgentConnection connection;
  private final PublishStream stream;
  private final long maxPendingBytes;
  private final Set<BroadcastCall> pending = new LinkedHashSet<>();

  /** The timer of the next {@link #expire}; null without one. */
  private @Nullable Future<?> expiry;

  private long expiryNanos;

  /** The earliest time of the next {@link #expire}. */
  private long nextExpiryNanos;

  /** The number of payloads in memory, those that wait for another step included. */
  private int held;

  private long heldBytes;
  private @Nullable TreecastException closed;

  PendingBroadcasts(AgentConnection connection, Backoff backoff, long maxPendingBytes) {
    this.connection = connection;
    this.stream = new PublishStream(connection, backoff);
    this.maxPendingBytes = maxPendingBytes;
    this.nextExpiryNanos = connection.nowNanos();
  }

  /** Starts the broadcast, or fails it if there is no room or the client is closed. */
  CompletableFuture<BroadcastResult> start(
      ByteString payload, BroadcastOptions options, Duration wait) {
    BroadcastCall call =
        new BroadcastCall(connection, stream, payload, options, wait, this::release);
    TreecastException refusal = admit(call);
    if (refusal == null) {
      expireIn(call, call.start());
    } else {
      call.fail(refusal);
    }
    return call.result();
  }

  /**
   * Counts a payload while it waits for a step that precedes its broadcast, such as the first tree.
   * Without room, and after the close of the client, the future fails and the step does not run.
   */
  <T> CompletableFuture<T> holding(int payloadBytes, Supplier<CompletableFuture<T>> step) {
    long bytes = (long) payloadBytes + BROADCAST_OVERHEAD_BYTES;
    TreecastException refusal = hold(bytes);
    return refusal == null
        ? step.get().whenComplete((result, error) -> letGo(bytes))
        : CompletableFuture.failedFuture(refusal);
  }

  /** Fails all pending broadcasts, and all later ones. */
  void close(TreecastException why) {
    List<BroadcastCall> open;
    synchronized (this) {
      closed = why;
      open = List.copyOf(pending);
    }
    TreecastException early =
        new TreecastException(
            Reason.CLOSED,
            "the client of agent "
                + connection.agent()
                + " was closed before there was a result: it is unknown whether the agent has"
                + " accepted the broadcast, so wait for the result before you close; sending it again may"
                + " deliver it twice, unless with a retry token");
    open.forEach(call -> call.fail(early));
  }

  private synchronized @Nullable TreecastException admit(BroadcastCall call) {
    TreecastException refusal = hold(heldBytes(call));
    if (refusal == null) {
      pending.add(call);
    }
    return refusal;
  }

  private synchronized @Nullable TreecastException hold(long bytes) {
    if (closed != null) {
      return closed;
    }
    if (held > 0 && heldBytes + bytes > maxPendingBytes) {
      return new TreecastException(
          Reason.BUFFER_FULL,
          ("%s broadcasts of %s bytes wait for the agent's answer, and one more of %s bytes "
                  + "would pass the limit of %s bytes: wait for earlier results, or raise "
                  + "maxPendingBytes")
              .formatted(held, heldBytes, bytes, maxPendingBytes));
    }
    held++;
    heldBytes += bytes;
    return null;
  }

  private synchronized void letGo(long bytes) {
    held--;
    heldBytes -= bytes;
  }

  private synchronized void release(BroadcastCall call) {
    if (pending.remove(call)) {
      letGo(heldBytes(call));
    }
  }

  // All broadcasts share a timer, because nearly all have a result long before they expire.

  private synchronized void expireIn(BroadcastCall call, Duration delay) {
    if (!call.isOver()) {
      long atNanos = connection.nowNanos() + delay.toNanos();
      call.setExpiryNanos(atNanos);
      expireAt(atNanos);
    }
  }

  /** Ensures that {@link #expire} runs at a time, or after the pause that it keeps. */
  private void expireAt(long atNanos) {
    long timerNanos = atNanos - nextExpiryNanos < 0 ? nextExpiryNanos : atNanos;
    if (expiry != null && expiryNanos - timerNanos <= 0) {
      return;
    }
    if (expiry != null) {
      expiry.cancel(false);
    }
    expiryNanos = timerNanos;
    expiry = connection.schedule(() -> expire(timerNanos), timerNanos - connection.nowNanos());
  }

  private void expire(long timerNanos) {
    expired(timerNanos)
        .forEach(
            call -> {
              Duration more = call.expire();
              if (more != null) {
                expireIn(call, more);
              }
            });
  }

  /**
   * Returns the broadcasts whose wait is over, and sets the timer for the others.
   *
   * @param timerNanos the time of the timer that runs; it may have been replaced meanwhile
   */
  private synchronized List<BroadcastCall> expired(long timerNanos) {
    long nowNanos = connection.nowNanos();
    nextExpiryNanos = nowNanos + EXPIRY_PAUSE_NANOS;
    if (expiryNanos == timerNanos) {
      expiry = null;
    }
    List<BroadcastCall> expired = new ArrayList<>();
    long leastNanos = Long.MAX_VALUE;
    for (BroadcastCall call : pending) {
      long leftNanos = call.expiryNanos() - nowNanos;
      if (leftNanos <= 0) {
        expired.add(call);
      } else {
        leastNanos = Math.min(leastNanos, leftNanos);
      }
    }
    if (expired.size() < pending.size()) {
      expireAt(nowNanos + leastNanos);
    }
    return expired;
  }

  private static long heldBytes(BroadcastCall call) {
    return (long) call.payloadBytes() + BROADCAST_OVERHEAD_BYTES;
  }
}
