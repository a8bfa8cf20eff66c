package io.treecast.cli.query;

import io.treecast.agent.config.HostPort;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lookups of names with a timeout. The system's resolver cannot be interrupted and has limits of
 * its own, so each lookup runs on a daemon thread, of which there are at most {@link
 * #MOST_THREADS}. Thread-safe.
 */
final class NameLookups {
  /** The lookups that may be blocked before others wait. */
  static final int MOST_THREADS = 16;

  private static final long IDLE_SECONDS = 5;

  private final Function<HostPort, InetSocketAddress> resolver;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          MOST_THREADS,
          MOST_THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          task -> {
            Thread thread = new Thread(task, "treecast-lookup");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Creates lookups without threads.
   *
   * @param resolver returns the address of a name, unresolved if there is none
   */
  NameLookups(Function<HostPort, InetSocketAddress> resolver) {
    this.resolver = resolver;
    threads.allowCoreThreadTimeOut(true);
  }

  /** Returns the address of an agent; null if the lookup takes longer than the timeout. */
  @Nullable InetSocketAddress resolve(HostPort agent, int millis) {
    CompletableFuture<@Nullable InetSocketAddress> address =
        CompletableFuture.supplyAsync(() -> resolver.apply(agent), threads);
    try {
      return address.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("an address that was checked", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
