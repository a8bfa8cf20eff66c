package io.treecast.jobs.schedule;

/** A task that a thief has. */
final class Loan<T, R> {
  final long number;
  final Task<T, R> task;
  String thief;

  /** When the thief was last known to have it. */
  long renewedNanos;

  /** The task waits or runs here again; an outcome from the thief would still count. */
  boolean isTakenBack;

  Loan(long number, Task<T, R> task, String thief, long nowNanos) {
    this.number = number;
    this.task = task;
    this.thief = thief;
    this.renewedNanos = nowNanos;
  }
}
