package io.treecast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Futures as applications get them. What an application chains to one may block, so it runs on a
 * thread of a pool, whichever thread has the result: on the timer's or the network's it would stop
 * the client, on a handler's the subscription.
 *
 * <p>Nothing of the client waits for one of these: what applications chain may hold them up.
 */
final class PublicFuture {
  /** Of all clients, as it belongs to none. Only tests put another one in its place. */
  static volatile Executor completions = new CompletionThreads(CompletionThreads.MOST_THREADS);

  private PublicFuture() {}

  /**
   * Ends as the client's own future does, with the exception as it is and not wrapped. What is done
   * to it changes nothing there.
   */
  static <T extends @Nullable Object> CompletableFuture<T> of(CompletableFuture<T> own) {
    CompletableFuture<T> given = new CompletableFuture<>();
    whenOver(own, given::complete, given::completeExceptionally);
    return given;
  }

  /**
   * Hands over how the client's own future ends: at once if it has, else on a thread of the pool.
   */
  static <T extends @Nullable Object> void whenOver(
      CompletableFuture<T> own, Consumer<T> succeeded, Consumer<Throwable> failed) {
    // Nobody has chained anything yet, and what is over is to be seen at once.
    Executor executor = own.isDone() ? Runnable::run : completions;
    var unused =
        own.whenComplete(
            (value, error) ->
                executor.execute(
                    () -> {
                      if (error == null) {
                        succeeded.accept(value);
                      } else {
                        failed.accept(error);
                      }
                    }));
  }

  /** As {@link #of}, and whoever ends it, as by cancelling it, ends the call whose result it is. */
  static <T extends @Nullable Object> CompletableFuture<T> ofCall(CompletableFuture<T> own) {
    CompletableFuture<T> given = of(own);
    var unused = given.whenComplete((value, error) -> own.cancel(false));
    return given;
  }
}
