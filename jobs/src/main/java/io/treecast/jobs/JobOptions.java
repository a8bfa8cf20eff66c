package io.treecast.jobs;

import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The options of a member for jobs. Immutable; the methods return changed copies.
 *
 * @param workers the number of threads that run tasks, from 1 to {@link #MAX_WORKERS}
 * @param siteOf the site of a member by its node id; null to find sites by the weights of the tree
 */
public record JobOptions(int workers, @Nullable UnaryOperator<String> siteOf) {
  /** The maximum number of workers of a member. */
  public static final int MAX_WORKERS = 1_000;

  /**
   * Checks the number of workers.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public JobOptions {
    if (workers < 1 || workers > MAX_WORKERS) {
      throw new IllegalArgumentException(
          workers + " workers; allowed are 1 to " + MAX_WORKERS + " for each member");
    }
  }

  /** Returns options with one worker per processor, and sites by the weights of the tree. */
  public static JobOptions defaults() {
    return new JobOptions(Math.min(MAX_WORKERS, Runtime.getRuntime().availableProcessors()), null);
  }

  /** Returns a copy with another number of workers. */
  public JobOptions withWorkers(int newWorkers) {
    return new JobOptions(newWorkers, siteOf);
  }

  /** Returns a copy with sites that the application defines. */
  public JobOptions withSites(UnaryOperator<String> newSiteOf) {
    return new JobOptions(workers, Objects.requireNonNull(newSiteOf, "siteOf"));
  }
}
