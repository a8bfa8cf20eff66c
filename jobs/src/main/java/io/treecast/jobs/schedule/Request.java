package io.treecast.jobs.schedule;

import java.util.List;

/**
 * A message from one member to another. The message or its reply may be lost.
 *
 * @param <R> the type of results
 */
public sealed interface Request<R> {
  /** Asks for a task. The reply is {@link Reply.Lent} or {@link Reply.NoTask}. */
  record Steal<R>() implements Request<R> {}

  /** Informs the owner of a job that this member takes part. There is no reply. */
  record Join<R>(JobId job) implements Request<R> {}

  /** Delivers the outcome of a task to its lender. The reply is {@link Reply.Acknowledged}. */
  record Deliver<R>(LoanId loan, Outcome<R> outcome) implements Request<R> {}

  /**
   * Renews loans: informs a lender which of its tasks this member still has. The reply is {@link
   * Reply.Acknowledged}.
   *
   * @param loans at most {@link Scheduler#MAX_HELD}
   */
  record Renew<R>(List<LoanId> loans) implements Request<R> {
    /** Copies the loans. */
    public Renew {
      if (loans.size() > Scheduler.MAX_HELD) {
        throw new IllegalArgumentException(
            loans.size() + " loans; allowed are " + Scheduler.MAX_HELD);
      }
      loans = List.copyOf(loans);
    }
  }
}
