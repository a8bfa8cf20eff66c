package io.treecast.monitor;

/**
 * How far the clock at the other end of a link is ahead of the one here, estimated from probes: an
 * answer carries the other clock's time, which it said somewhere within the round trip. So half the
 * round trip is the error (Cristian, Probabilistic clock synchronization, 1989). The sample with
 * the least error counts; its error grows with time, since clocks drift.
 *
 * <p>Single-threaded. Times are nanoseconds.
 */
public final class ClockDifference {
  /** Two clocks drift apart by at most one part of so many: each by 100 in a million. */
  public static final long DRIFT_DIVISOR = 5_000;

  private boolean known;
  private long aheadNanos;
  private long halfRttNanos;

  /** The clocks may have drifted since the probe left. */
  private long atNanos;

  /**
   * A probe was answered.
   *
   * @param otherNanos what the other clock said when it was
   * @param rttNanos how long the answer took
   * @param nowNanos when the answer arrived
   */
  public void sampled(long otherNanos, long rttNanos, long nowNanos) {
    long half = (rttNanos + 1) / 2;
    if (!known || half <= errorNanos(nowNanos)) {
      known = true;
      aheadNanos = otherNanos - (nowNanos - rttNanos / 2);
      halfRttNanos = half;
      atNanos = nowNanos - rttNanos;
    }
  }

  /** How far the other clock is ahead; 0 before the first sample. */
  public long aheadNanos() {
    return aheadNanos;
  }

  /** How wrong that may be; {@link Long#MAX_VALUE} before the first sample. */
  public long errorNanos(long nowNanos) {
    if (!known) {
      return Long.MAX_VALUE;
    }
    long ageNanos = Math.max(0, nowNanos - atNanos);
    return halfRttNanos + (ageNanos + DRIFT_DIVISOR - 1) / DRIFT_DIVISOR;
  }
}
