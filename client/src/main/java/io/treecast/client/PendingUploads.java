package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The uploads of a client without a result.
 *
 * <p>Safe for use by several threads.
 */
final class PendingUploads {
  private final AgentConnection connection;
  private final Supplier<ExecutorService> threads;
  private final Set<UploadCall> pending = new LinkedHashSet<>();
  private @Nullable TreecastException closed;

  /**
   * Creates an instance without uploads.
   *
   * @param threads creates a thread for each upload, which ends it
   */
  PendingUploads(AgentConnection connection, Supplier<ExecutorService> threads) {
    this.connection = connection;
    this.threads = threads;
  }

  /** Starts the upload, or fails it if the client is closed. */
  CompletableFuture<BroadcastResult> start(
      Flow.Publisher<ByteBuffer> payload, BroadcastOptions options, Duration wait) {
    UploadCall call =
        new UploadCall(connection, payload, options, wait, threads.get(), this::release);
    TreecastException refusal = admit(call);
    if (refusal == null) {
      call.start();
    } else {
      call.fail(refusal);
    }
    return call.result();
  }

  private synchronized @Nullable TreecastException admit(UploadCall call) {
    if (closed == null) {
      pending.add(call);
    }
    return closed;
  }

  private synchronized void release(UploadCall call) {
    pending.remove(call);
  }

  /** Fails all pending uploads, and all later ones. */
  void close(TreecastException why) {
    List<UploadCall> open;
    synchronized (this) {
      closed = why;
      open = List.copyOf(pending);
    }
    TreecastException early =
        new TreecastException(
            Reason.CLOSED,
            "the client of agent "
                + connection.agent()
                + " was closed before there was a result: the broadcast was abandoned, unless"
                + " the agent has all of it, so wait for the result before you close");
    open.forEach(call -> call.fail(early));
  }
}
