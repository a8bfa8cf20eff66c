package io.treecast.jobs;

/** The best value of a job, shared by all members: the least one. Negate values to maximize. */
public interface Incumbent {
  /** Returns the least value that this member knows; {@code Long.MAX_VALUE} before there is one. */
  long value();

  /**
   * Tells all members a value. Lost and late messages do no harm: members then know a greater value
   * for a while. A greater value than the present one has no effect.
   */
  void offer(long value);
}
