package io.treecast.jobs.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a task.
 *
 * @param result the result; null if the task failed
 * @param error the failure, for people; null if the task has a result
 * @param <R> the type of results
 */
public record Outcome<R>(@Nullable R result, @Nullable String error) {
  /** Checks that there is either a result or an error. */
  public Outcome {
    if ((result == null) == (error == null)) {
      throw new IllegalArgumentException("an outcome is a result or an error");
    }
  }

  /** Returns the outcome of a task that has a result. */
  public static <R> Outcome<R> of(R result) {
    return new Outcome<>(result, null);
  }

  /** Returns the outcome of a task that failed. */
  public static <R> Outcome<R> failure(String error) {
    return new Outcome<>(null, error);
  }
}
