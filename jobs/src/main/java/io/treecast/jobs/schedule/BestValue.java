package io.treecast.jobs.schedule;

/**
 * The lowest known value of a job. Workers read it while they run; only the thread that calls the
 * scheduler writes it.
 */
public final class BestValue {
  /** The value before any was found. */
  public static final long NONE = Long.MAX_VALUE;

  private volatile long value = NONE;

  BestValue() {}

  /** Returns the lowest value so far, or {@link #NONE}. */
  public long value() {
    return value;
  }

  /** Takes over a lower value. Returns whether it was lower. */
  boolean improve(long found) {
    boolean isLess = found < value;
    if (isLess) {
      value = found;
    }
    return isLess;
  }
}
