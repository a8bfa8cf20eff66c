package io.treecast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Futures as applications get them. What an application chains to one may block, so it runs on a
 * thread of a pool, whichever thread has the result: on the timer's or the network's it would stop
 * the client, on a handler's the subscription.
 *
 * <p>The pool is of a kind that knows when one of its threads waits for a future: such a thread
 * does not count. So many futures that end at once need no thread each, and what is chained to one
 * may still wait for another, however many do.
 */
final class PublicFuture {
  /** Most threads that do not wait for a future; what ends meanwhile waits in a queue. */
  static final int THREADS = 64;

  private static final int MOST_THREADS_WAITING_OR_NOT = 16_384;

  /** After each time the pool loses one thread more. */
  private static final long IDLE_SECONDS = 1;

  /** Of all clients, as it belongs to none: its threads are daemons, and end when they are idle. */
  private static final Executor COMPLETIONS =
      new ForkJoinPool(
          THREADS,
          PublicFuture::newThread,
          null,
          true,
          0,
          MOST_THREADS_WAITING_OR_NOT,
          THREADS,
          pool -> true,
          IDLE_SECONDS,
          TimeUnit.SECONDS);

  private PublicFuture() {}

  private static ForkJoinWorkerThread newThread(ForkJoinPool pool) {
    ForkJoinWorkerThread thread = new ForkJoinWorkerThread(pool) {};
    thread.setName("treecast-completion");
    return thread;
  }

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
    Executor completions = own.isDone() ? Runnable::run : COMPLETIONS;
    var unused =
        own.whenComplete(
            (value, error) ->
                completions.execute(
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
