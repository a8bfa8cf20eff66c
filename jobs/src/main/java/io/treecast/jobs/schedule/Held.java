package io.treecast.jobs.schedule;

import org.jspecify.annotations.Nullable;

/** A task whose outcome this member owes: the first task of its own job, or a stolen one. */
final class Held<R> {
  final KnownJob job;

  /** The member that must receive the outcome; null for a job of this member. */
  final @Nullable String lender;

  /** The loan of the task; null for a job of this member. */
  final @Nullable LoanId loan;

  /** The time at which the lender was last known to need the outcome. */
  long renewedNanos;

  /** The outcome, until the lender has received it. */
  @Nullable Outcome<R> outcome;

  long nextDeliveryNanos;

  /** Whether its tasks are no longer needed. */
  boolean isOver;

  Held(KnownJob job, @Nullable String lender, @Nullable LoanId loan, long nowNanos) {
    this.job = job;
    this.lender = lender;
    this.loan = loan;
    this.renewedNanos = nowNanos;
  }
}
