package io.treecast.jobs;

import java.util.List;

/**
 * Divides, solves and combines tasks. All members of a job run the same problem; several threads
 * call it at once. An exception from a call fails its job.
 *
 * @param <T> the type of tasks
 * @param <R> the type of results
 */
public interface Problem<T, R> {
  /**
   * Returns whether a task is solved without being divided.
   *
   * @param best the best value so far. A task may be small if its bound is above that value: {@link
   *     #solve} then returns a result without a solution. A bound equal to the best value is not
   *     sufficient: the member that found the value may be lost with its result, and then the task
   *     runs again
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
   * Combines the results of a task's children.
   *
   * @param results the results in the order of {@link #divide}
   */
  R combine(T task, List<R> results) throws Exception;
}
