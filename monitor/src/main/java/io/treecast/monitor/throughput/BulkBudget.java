package io.treecast.monitor.throughput;

/**
 * Bounds the cost of an agent's bulk probes. After each probe the agent pauses: with a budget of a
 * thousandth of the link, for a thousand times the duration of the probe, and for {@link
 * #LEAST_PAUSE_NANOS} at least. Single-threaded. Times are nanoseconds of any clock that does not
 * run backwards.
 */
public final class BulkBudget {
  /** The least pause between two probes. */
  public static final long LEAST_PAUSE_NANOS = 2_000_000_000L;

  private final int budgetPermille;
  private long nextNanos;

  /** Creates a budget whose first probe may be sent after the least pause. */
  public BulkBudget(ThroughputPolicy policy, long nowNanos) {
    this.budgetPermille = policy.budgetPermille();
    this.nextNanos = nowNanos + LEAST_PAUSE_NANOS;
  }

  /** Returns when the next probe may be sent. */
  public long nextNanos() {
    return nextNanos;
  }

  /**
   * Accounts for a finished probe.
   *
   * @param bytes carried by the link for the probe
   * @param kbps throughput of the link
   */
  public void spent(long bytes, long kbps, long nowNanos) {
    double probeNanos = bytes * 8e6 / kbps;
    long pauseNanos = (long) (probeNanos * 1_000 / budgetPermille);
    nextNanos = nowNanos + Math.max(LEAST_PAUSE_NANOS, pauseNanos);
  }
}
