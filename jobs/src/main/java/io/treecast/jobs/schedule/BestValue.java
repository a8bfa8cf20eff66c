package io.treecast.jobs.schedule;

/**
 * The least value that is known of a job. Workers read it while they run; only the thread that
 * calls the scheduler writes it.
 */
public final class BestValue {
  /** The value before any was found. */
  public static final long NONE = Long.MAX_VALUE;

  private volatile long value = NONE;

  BestValue() {}

  /** Returns the least value so far, or {@link #NONE}. */
  public long value() {
    return value;
  }

  /** Takes a value over if it is less. Returns whether it was. */
  boolean improve(long found) {
    boolean isLess = found < value;
    if (isLess) {
      value = found;
    }
    return isLess;
  }
}
