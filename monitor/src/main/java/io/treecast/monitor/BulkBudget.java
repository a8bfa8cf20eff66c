package io.treecast.monitor;

/**
 * Bounds what bulk probes cost an agent: after each it pauses for as long as the probe would take a
 * thousand times over, if the budget is a thousandth of the link, and for {@link
 * #LEAST_PAUSE_NANOS} at least. Single-threaded. Times are nanoseconds of any clock that does not
 * run backwards.
 */
public final class BulkBudget {
  /** Between any two probes. */
  public static final long LEAST_PAUSE_NANOS = 2_000_000_000L;

  private final int budgetPermille;
  private long nextNanos;

  /** The first probe may be sent after the least pause. */
  public BulkBudget(ThroughputPolicy policy, long nowNanos) {
    this.budgetPermille = policy.budgetPermille();
    this.nextNanos = nowNanos + LEAST_PAUSE_NANOS;
  }

  /** When the next probe may be sent. */
  public long nextNanos() {
    return nextNanos;
  }

  /**
   * A probe has ended.
   *
   * @param bytes that the link has carried for it
   * @param kbps what the link carries
   */
  public void spent(long bytes, long kbps, long nowNanos) {
    double probeNanos = bytes * 8e6 / kbps;
    long pauseNanos = (long) (probeNanos * 1_000 / budgetPermille);
    nextNanos = nowNanos + Math.max(LEAST_PAUSE_NANOS, pauseNanos);
  }
}
