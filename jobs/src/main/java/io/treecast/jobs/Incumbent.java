package io.treecast.jobs;

/** The best value of a job, shared by all members: the lowest one. Negate values to maximize. */
public interface Incumbent {
  /** Returns the lowest value at this member; {@code Long.MAX_VALUE} if there is none. */
  long value();

  /**
   * Announces a value to all members. Lost and late messages do no harm: a member then has a higher
   * value for a while. A value above the present one has no effect.
   */
  void offer(long value);
}
