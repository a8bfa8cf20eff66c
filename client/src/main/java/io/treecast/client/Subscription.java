package io.treecast.client;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A stream of events from the agent to a handler. It survives the connection: after an
 * interruption, the client reconnects until the subscription is closed or fails. Safe for use by
 * several threads.
 */
public interface Subscription extends AutoCloseable {

  /**
   * Completes with the agent's node id when the stream is in place for the first time. A
   * subscription to messages is in place when its agent has a tree: later broadcasts, on this tree
   * or the next ones, are received. While no agent answers, or the agent has no tree, the future
   * stays incomplete, without a timeout. It fails with a {@link TreecastException} if the
   * subscription ends before.
   *
   * @return the same future at each call. Callers cannot complete it: {@code cancel} and {@code
   *     complete} have no effect, and {@code orTimeout} returns another future
   */
  CompletableFuture<String> ready();

  /**
   * Completes when the subscription has ended and its last handler call has returned: normally
   * after {@link #close} of it or of its client, otherwise with the {@link TreecastException} that
   * has ended it.
   *
   * @return the same future at each call. Callers cannot complete it: {@code cancel} and {@code
   *     complete} have no effect, and {@code orTimeout} returns another future
   */
  CompletableFuture<@Nullable Void> done();

  /**
   * Ends the subscription. Returns at once: a handler call under way runs to its end, and no other
   * follows. A handler may call this. Further calls have no effect.
   */
  @Override
  void close();
}
