package io.treecast.jobs.schedule;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next step of a worker: it solves or divides a task, or combines the results of its children.
 *
 * @param <T> the type of tasks
 * @param <R> the type of results
 */
public final class Work<T, R> {
  final Task<T, R> of;
  private final @Nullable List<R> results;

  Work(Task<T, R> of, @Nullable List<R> results) {
    this.of = of;
    this.results = results;
  }

  /** Returns the task. */
  public T task() {
    return of.value;
  }

  /** Returns the results to combine, in the order of the children; null if it is not divided. */
  public @Nullable List<R> results() {
    return results;
  }

  /** Returns the job. */
  public JobId job() {
    return of.held.job.id;
  }

  /** Returns the best value of the job, which changes while the worker runs. */
  public BestValue best() {
    return of.held.job.best;
  }
}
