package io.treecast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Derives the futures that applications receive. Their callbacks may block, so they run on a thread
 * of a pool: on the timer's or the network's thread they would stop the client, on a handler's
 * thread the subscription.
 *
 * <p>The client itself never waits for such a future, since callbacks may delay it.
 */
final class PublicFuture {
  /** Shared by all clients. Only tests replace it. */
  static volatile Executor completions = new CompletionThreads(CompletionThreads.MOST_THREADS);

  private PublicFuture() {}

  /**
   * Returns a future that completes like the client's own, with the unwrapped exception. Completing
   * it does not affect the client's own.
   */
  static <T extends @Nullable Object> CompletableFuture<T> of(CompletableFuture<T> own) {
    CompletableFuture<T> given = new CompletableFuture<>();
    whenOver(own, given::complete, given::completeExceptionally);
    return given;
  }

  /**
   * Passes on the result of the client's own future: at once if it is complete, or else on a thread
   * of the pool.
   */
  static <T extends @Nullable Object> void whenOver(
      CompletableFuture<T> own, Consumer<T> succeeded, Consumer<Throwable> failed) {
    // There are no callbacks yet, and a completed future must be observed as complete at once.
    Executor executor = own.isDone() ? Runnable::run : completions;
    var unused =
        own.whenComplete(
            (value, error) ->
                executor.execute(
                    () -> {
                      if (error == null) {
                        succeeded.accept(value);
                      } else {
                        failed.accept(unwrapped(error));
                      }
                    }));
  }

  private static Throwable unwrapped(Throwable error) {
    Throwable cause = error.getCause();
    return error instanceof CompletionException && cause != null ? cause : error;
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

  /** Returns a future like {@link #of}; completing or cancelling it ends the call. */
  static <T extends @Nullable Object> CompletableFuture<T> ofCall(CompletableFuture<T> own) {
    CompletableFuture<T> given = of(own);
    var unused = given.whenComplete((value, error) -> own.cancel(false));
    return given;
  }
}
