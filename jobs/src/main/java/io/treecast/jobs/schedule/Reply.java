package io.treecast.jobs.schedule;

import java.util.List;

/**
 * The reply to a {@link Request}.
 *
 * @param <T> the type of tasks
 */
public sealed interface Reply<T> {
  /** There is no task to steal, or no reply is needed. */
  record NoTask<T>() implements Reply<T> {}

  /**
   * A task for the thief.
   *
   * @param job the job of the task
   * @param loan the loan under which the thief delivers the outcome
   * @param task the task
   * @param depth the number of divisions between the job's first task and this one
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
   * The lender has received the outcome, or the renewal of the loans.
   *
   * @param obsolete loans whose outcome the lender no longer needs
   */
  record Acknowledged<T>(List<LoanId> obsolete) implements Reply<T> {
    /** Copies the loans. */
    public Acknowledged {
      if (obsolete.size() > Scheduler.MAX_HELD) {
        throw new IllegalArgumentException(
            obsolete.size() + " loans; allowed are " + Scheduler.MAX_HELD);
      }
      obsolete = List.copyOf(obsolete);
    }
  }
}
