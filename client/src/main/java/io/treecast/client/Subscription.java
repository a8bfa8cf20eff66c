package io.treecast.client;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A stream of events from the agent to a handler. It outlives the connection: when that breaks, the
 * client reconnects until the subscription is closed or fails. Safe for use by several threads.
 */
public interface Subscription extends AutoCloseable {

  /**
   * Completes when the stream is in place for the first time, with the agent's node id. For
   * messages that takes a tree of the agent: what is broadcast from then on, on this tree or a
   * later one, is seen. While no agent answers, or it has no tree, the future stays open, without
   * limit. It fails with a {@link TreecastException} if the subscription ends before.
   *
   * @return the same future for all who ask, as often as they do. Nobody but the subscription ends
   *     it: {@code cancel} and {@code complete} do nothing, and {@code orTimeout} gives another
   *     future, which ends then
   */
  CompletableFuture<String> ready();

  /**
   * Completes when the subscription has ended and its last handler call has returned: normally
   * after {@link #close} of it or of its client, else with the {@link TreecastException} that ended
   * it.
   *
   * @return the same future for all who ask, as often as they do. Nobody but the subscription ends
   *     it: {@code cancel} and {@code complete} do nothing, and {@code orTimeout} gives another
   *     future, which ends then
   */
  CompletableFuture<@Nullable Void> done();

  /**
   * Ends the subscription. Returns at once: a handler call under way goes on to its end, none comes
   * after it. May be called from the handler. Further calls do nothing.
   */
  @Override
  void close();
}
