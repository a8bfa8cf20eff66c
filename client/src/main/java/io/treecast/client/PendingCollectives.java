package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.TakePartRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The collective operations of a client without a result. Each is a call that stays open until the
 * other members have called, and a connection has 1,024 calls at most. Operations are not queued
 * here, because two members that begin with different ones would wait for each other.
 *
 * <p>Safe for use by several threads.
 */
final class PendingCollectives {
  /** The limit of operations, which leaves room for broadcasts and their confirmations. */
  static final int MAX_PENDING = 256;

  private final AgentConnection connection;
  private final ClientSettings settings;
  private final Set<CollectiveCall<?>> pending = new LinkedHashSet<>();

  /** The segments of large operations, whose number is limited by the operations. */
  private final Set<CollectiveCall<?>> segments = new LinkedHashSet<>();

  private long pendingBytes;
  private @Nullable TreecastException closed;

  PendingCollectives(AgentConnection connection, ClientSettings settings) {
    this.connection = connection;
    this.settings = settings;
  }

  /**
   * Starts the call, or fails it if there is no room or the client is closed.
   *
   * @param token the token of the request
   * @param hasRetryToken whether the application can repeat the call
   */
  <T extends @Nullable Object> CompletableFuture<CollectiveResult<T>> start(
      TakePartRequest request,
      CollectiveReader<T> reader,
      Duration wait,
      RetryToken token,
      boolean hasRetryToken) {
    CollectiveCall<T> call =
        new CollectiveCall<>(
            connection,
            request,
            reader,
            wait,
            token,
            hasRetryToken,
            connection.newBackoff(),
            this::release);
    start(call, admit(call));
    return call.result();
  }

  /** Starts a segment of a large operation, unless the client is closed. */
  CompletableFuture<CollectiveResult<CollectiveValue>> startSegment(
      TakePartRequest request, Duration wait, RetryToken token, boolean hasRetryToken) {
    CollectiveCall<CollectiveValue> call =
        new CollectiveCall<>(
            connection,
            request,
            value -> value,
            wait,
            token,
            hasRetryToken,
            connection.newBackoff(),
            this::release);
    start(call, admitSegment(call));
    return call.result();
  }

  private static void start(CollectiveCall<?> call, @Nullable TreecastException refusal) {
    if (refusal == null) {
      call.start();
    } else {
      call.fail(refusal);
    }
  }

  private synchronized @Nullable TreecastException admitSegment(CollectiveCall<?> call) {
    if (closed == null) {
      segments.add(call);
    }
    return closed;
  }

  private synchronized @Nullable TreecastException admit(CollectiveCall<?> call) {
    if (closed != null) {
      return closed;
    }
    if (pending.size() >= MAX_PENDING) {
      return new TreecastException(
          Reason.BUFFER_FULL,
          ("%s collective operations wait for the answer of agent %s, the limit of a client: "
                  + "wait for earlier results, or use another client")
              .formatted(pending.size(), connection.agent()));
    }
    if (!pending.isEmpty() && pendingBytes + call.bytes() > settings.maxPendingBytes()) {
      return new TreecastException(
          Reason.BUFFER_FULL,
          pending.size()
              + " collective operations of "
              + pendingBytes
              + " bytes wait for the answer of agent "
              + connection.agent()
              + ", and one more of "
              + call.bytes()
              + " bytes would pass the limit of "
              + settings.maxPendingBytes()
              + " bytes: wait for earlier results, or raise maxPendingBytes");
    }
    pending.add(call);
    pendingBytes += call.bytes();
    return null;
  }

  private synchronized void release(CollectiveCall<?> call) {
    segments.remove(call);
    if (pending.remove(call)) {
      pendingBytes -= call.bytes();
    }
  }

  /** Fails all pending calls, and all later ones. */
  void close(TreecastException why) {
    List<CollectiveCall<?>> open;
    synchronized (this) {
      closed = why;
      open = new ArrayList<>(pending);
      open.addAll(segments);
    }
    TreecastException early =
        new TreecastException(
            Reason.CLOSED,
            "the client of agent "
                + connection.agent()
                + " was closed before there was a result: this member's contribution"
                + " may count, so wait for the result before you close");
    open.forEach(call -> call.fail(early));
  }
}
