package io.treecast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Futures as applications get them. What an application chains to one may block, so it runs on a
 * thread of a cached pool, whichever thread has the result: on the timer's or the network's it
 * would stop the client, on a handler's the subscription.
 */
final class PublicFuture {
  private static final long IDLE_SECONDS = 10;

  /** Of all clients, as it belongs to none: its threads end when they have been idle. */
  private static final Executor COMPLETIONS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          HandlerThread.factory("treecast-completion"));

  private PublicFuture() {}

  /**
   * Ends as the client's own future does, with the exception as it is and not wrapped. What is done
   * to it changes nothing there.
   */
  static <T extends @Nullable Object> CompletableFuture<T> of(CompletableFuture<T> own) {
    CompletableFuture<T> given = new CompletableFuture<>();
    // Nobody has chained anything yet, and what is over is to be seen at once.
    Executor completions = own.isDone() ? Runnable::run : COMPLETIONS;
    var unused =
        own.whenComplete(
            (value, error) ->
                completions.execute(
                    () -> {
                      if (error == null) {
                        given.complete(value);
                      } else {
                        given.completeExceptionally(error);
                      }
                    }));
    return given;
  }

  /** As {@link #of}, and whoever ends it, as by cancelling it, ends the call whose result it is. */
  static <T extends @Nullable Object> CompletableFuture<T> ofCall(CompletableFuture<T> own) {
    CompletableFuture<T> given = of(own);
    var unused = given.whenComplete((value, error) -> own.cancel(false));
    return given;
  }
}
