package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a client that wait for claims or hold them. Each such call stays open, and a
 * connection has 1,024 calls at most. Safe for use by several threads.
 */
final class PendingClaims {
  /** The limit of such calls. */
  static final int MAX_CALLS = 256;

  private final Set<HoldCall> calls = new LinkedHashSet<>();

  /** The calls whose agents have not yet answered a release. */
  private final Set<HoldCall> releasing = new LinkedHashSet<>();

  private @Nullable TreecastException closed;

  /** Adds a call; returns the reason why it must not start, or null. */
  synchronized @Nullable TreecastException admit(HoldCall call) {
    if (closed != null) {
      return closed.rethrown();
    }
    if (calls.size() == MAX_CALLS) {
      return new TreecastException(
          Reason.BUFFER_FULL,
          "a client has at most " + MAX_CALLS + " claims: release some, or use another client");
    }
    calls.add(call);
    return null;
  }

  /** Removes a call that is over, or whose release is under way. */
  synchronized void remove(HoldCall call) {
    calls.remove(call);
    releasing.add(call);
    var unused = call.released().thenRun(() -> answered(call));
  }

  private synchronized void answered(HoldCall call) {
    releasing.remove(call);
  }

  /**
   * Releases all claims, and fails all calls that wait or come later.
   *
   * @return completes when all releases have been answered, or their leases have ended
   */
  CompletableFuture<Void> close(TreecastException why) {
    List<HoldCall> open;
    synchronized (this) {
      closed = why;
      open = List.copyOf(calls);
    }
    open.forEach(call -> call.close(why));
    synchronized (this) {
      // One of the open calls may be on its way to the others.
      return CompletableFuture.allOf(
          Stream.concat(open.stream(), releasing.stream())
              .map(HoldCall::released)
              .toArray(CompletableFuture<?>[]::new));
    }
  }
}
