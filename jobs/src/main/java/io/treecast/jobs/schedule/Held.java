package io.treecast.jobs.schedule;

import org.jspecify.annotations.Nullable;

/** A task whose outcome this member owes: the first one of its own job, or one that it stole. */
final class Held<R> {
  final KnownJob job;

  /** To whom it owes the outcome; null for a job of its own. */
  final @Nullable String lender;

  /** Under which loan; null for a job of its own. */
  final @Nullable LoanId loan;

  /** When the lender was last known to need the outcome. */
  long renewedNanos;

  /** The outcome, until the lender has it. */
  @Nullable Outcome<R> outcome;

  long nextDeliveryNanos;

  /** None of its tasks need be run. */
  boolean isOver;

  Held(KnownJob job, @Nullable String lender, @Nullable LoanId loan, long nowNanos) {
    this.job = job;
    this.lender = lender;
    this.loan = loan;
    this.renewedNanos = nowNanos;
  }
}
