package io.treecast.jobs.schedule;

import java.util.List;

/**
 * The answer to a {@link Request}.
 *
 * @param <T> the type of tasks
 */
public sealed interface Reply<T> {
  /** There is no task to steal, or nothing to say. */
  record Nothing<T>() implements Reply<T> {}

  /**
   * A task for the thief.
   *
   * @param job the job that it is a part of
   * @param loan under which the thief delivers the outcome
   * @param task the task
   * @param depth how many times the first task of the job was divided to get it
   * @param best the best value so far
   */
  record Lent<T>(JobId job, LoanId loan, T task, int depth, long best) implements Reply<T> {
    /** Checks the depth. */
    public Lent {
      if (depth < 0 || depth > Scheduler.MAX_DEPTH) {
        throw new IllegalArgumentException(
            "depth " + depth + "; allowed are 0 to " + Scheduler.MAX_DEPTH);
      }
    }
  }

  /**
   * The lender has the outcome, or knows that the thief still works.
   *
   * @param needless loans whose outcome it no longer needs
   */
  record Noted<T>(List<LoanId> needless) implements Reply<T> {
    /** Copies the loans. */
    public Noted {
      if (needless.size() > Scheduler.MAX_HELD) {
        throw new IllegalArgumentException(
            needless.size() + " loans; allowed are " + Scheduler.MAX_HELD);
      }
      needless = List.copyOf(needless);
    }
  }
}
