package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.client.TreecastException.Reason;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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

  private final AgentConnection connection;
  private final PublishStream stream;
  private final long maxPendingBytes;
  private final Set<BroadcastCall> pending = new LinkedHashSet<>();

  /** The number of payloads in memory, those that wait for another step included. */
  private int held;

  private long heldBytes;
  private @Nullable TreecastException closed;

  PendingBroadcasts(AgentConnection connection, Backoff backoff, long maxPendingBytes) {
    this.connection = connection;
    this.stream = new PublishStream(connection, backoff);
    this.maxPendingBytes = maxPendingBytes;
  }

  /** Starts the broadcast, or fails it if there is no room or the client is closed. */
  CompletableFuture<BroadcastResult> start(
      ByteString payload, BroadcastOptions options, Duration wait) {
    BroadcastCall call =
        new BroadcastCall(connection, stream, payload, options, wait, this::release);
    TreecastException refusal = admit(call);
    if (refusal == null) {
      call.start();
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

  private static long heldBytes(BroadcastCall call) {
    return (long) call.payloadBytes() + BROADCAST_OVERHEAD_BYTES;
  }
}
