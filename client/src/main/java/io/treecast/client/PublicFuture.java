package io.treecast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Derives the futures that applications get. Their callbacks may block, so they run on a pool's
 * thread, whichever thread has the result: on the timer's or the network's thread they would stop
 * the client, on a handler's the subscription.
 *
 * <p>The client itself never waits for one of these futures, since callbacks may hold them up.
 */
final class PublicFuture {
  /** Shared by all clients. Only tests replace it. */
  static volatile Executor completions = new CompletionThreads(CompletionThreads.MOST_THREADS);

  private PublicFuture() {}

  /**
   * Returns a future that ends as the client's own future does, with the unwrapped exception.
   * Completing it does not affect the client's own.
   */
  static <T extends @Nullable Object> CompletableFuture<T> of(CompletableFuture<T> own) {
    CompletableFuture<T> given = new CompletableFuture<>();
    whenOver(own, given::complete, given::completeExceptionally);
    return given;
  }

  /**
   * Hands over the result of the client's own future: at once if it is done, else on a thread of
   * the pool.
   */
  static <T extends @Nullable Object> void whenOver(
      CompletableFuture<T> own, Consumer<T> succeeded, Consumer<Throwable> failed) {
    // There are no callbacks yet, and a done future must be seen as done at once.
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

  /**
   * Runs an action of the client that ends many futures, on the calling thread, and hands over
   * their results together.
   */
  static void together(Runnable action) {
    if (completions instanceof CompletionThreads threads) {
      threads.together(action);
    } else {
      action.run();
    }
  }

  /** Returns a future as {@link #of} does; completing it, as by cancelling, ends the call. */
  static <T extends @Nullable Object> CompletableFuture<T> ofCall(CompletableFuture<T> own) {
    CompletableFuture<T> given = of(own);
    var unused = given.whenComplete((value, error) -> own.cancel(false));
    return given;
  }
}
