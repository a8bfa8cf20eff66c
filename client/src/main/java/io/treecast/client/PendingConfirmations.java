package io.treecast.client;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The confirmations that one client waits for.
 *
 * <p>Safe for use by several threads.
 */
final class PendingConfirmations {
  private final Set<ConfirmationCall> pending = new LinkedHashSet<>();
  private @Nullable TreecastException closed;

  /** Asks for the confirmation of a message, or fails if the client is closed. */
  CompletableFuture<Confirmation> start(
      AgentConnection connection, MessageId message, Duration wait) {
    ConfirmationCall call = new ConfirmationCall(connection, message, wait, this::release);
    TreecastException refusal = admit(call);
    if (refusal == null) {
      call.start();
    } else {
      call.fail(refusal);
    }
    return call.result();
  }

  private synchronized @Nullable TreecastException admit(ConfirmationCall call) {
    if (closed == null) {
      pending.add(call);
    }
    return closed;
  }

  private synchronized void release(ConfirmationCall call) {
    pending.remove(call);
  }

  /** Fails all that are pending, and all that come later. */
  void close(TreecastException why) {
    List<ConfirmationCall> open;
    synchronized (this) {
      closed = why;
      open = List.copyOf(pending);
    }
    open.forEach(call -> call.fail(why));
  }
}
