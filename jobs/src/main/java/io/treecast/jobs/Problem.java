package io.treecast.jobs;

import java.util.List;

/**
 * How tasks are divided, solved and combined. All members of a job run the same problem; several
 * threads call it at once. A call that throws fails its job.
 *
 * @param <T> the type of tasks
 * @param <R> the type of results
 */
public interface Problem<T, R> {
  /**
   * Returns whether a task is solved without being divided.
   *
   * @param best the best value so far. A task whose bound is greater may be small: {@link #solve}
   *     then returns a result without a solution. A bound that equals the best value must not
   *     count: the member that found the value may be lost with its result, and the task runs again
   */
  boolean isSmall(T task, Incumbent best);

  /** Solves a small task. */
  R solve(T task, Incumbent best) throws Exception;

  /**
   * Divides a task that is not small into at most {@link
   * io.treecast.jobs.schedule.Scheduler#MAX_CHILDREN} tasks.
   */
  List<T> divide(T task) throws Exception;

  /**
   * Combines the results of the tasks into which a task was divided.
   *
   * @param results in the order of these tasks
   */
  R combine(T task, List<R> results) throws Exception;
}
