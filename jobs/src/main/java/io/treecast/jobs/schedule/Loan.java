package io.treecast.jobs.schedule;

/** A task that a thief runs. */
final class Loan<T, R> {
  final long number;
  final Task<T, R> task;
  String thief;

  /** The time at which the thief was last known to have the task. */
  long renewedNanos;

  /** Whether the task waits or runs here again. An outcome from the thief still counts. */
  boolean isTakenBack;

  Loan(long number, Task<T, R> task, String thief, long nowNanos) {
    this.number = number;
    this.task = task;
    this.thief = thief;
    this.renewedNanos = nowNanos;
  }
}
