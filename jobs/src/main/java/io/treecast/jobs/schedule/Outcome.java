package io.treecast.jobs.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The end of a task.
 *
 * @param result what it resulted in; null if it failed
 * @param error why it failed, for people; null if it did not
 * @param <R> the type of results
 */
public record Outcome<R>(@Nullable R result, @Nullable String error) {
  /** Checks that it is one of the two. */
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
