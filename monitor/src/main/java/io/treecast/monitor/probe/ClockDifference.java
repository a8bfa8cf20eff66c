package io.treecast.monitor.probe;

/**
 * Estimates how far the clock at the other end of a link is ahead of the local one. The answer to a
 * probe carries the other clock's time, read somewhere within the round trip, so half the round
 * trip is the error (Cristian, Probabilistic clock synchronization, 1989). The sample with the
 * least error counts; its error grows with time, because clocks drift.
 *
 * <p>Single-threaded. Times are nanoseconds.
 */
public final class ClockDifference {
  /** Two clocks drift apart by at most one part in this many: each by 100 in a million. */
  public static final long DRIFT_DIVISOR = 5_000;

  private boolean known;
  private long aheadNanos;
  private long halfRttNanos;

  /** The time when the sample's probe was sent. The clocks may have drifted since then. */
  private long atNanos;

  /**
   * Takes in the answer to a probe.
   *
   * @param otherNanos the other clock's time at the answer
   * @param rttNanos round trip of the probe
   * @param nowNanos arrival of the answer
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

  /** Returns how far the other clock is ahead; 0 before the first sample. */
  public long aheadNanos() {
    return aheadNanos;
  }

  /** Returns the bound of the error; {@link Long#MAX_VALUE} before the first sample. */
  public long errorNanos(long nowNanos) {
    if (!known) {
      return Long.MAX_VALUE;
    }
    long ageNanos = Math.max(0, nowNanos - atNanos);
    return halfRttNanos + (ageNanos + DRIFT_DIVISOR - 1) / DRIFT_DIVISOR;
  }
}
