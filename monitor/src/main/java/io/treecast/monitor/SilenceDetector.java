package io.treecast.monitor;

/**
 * Judges, at one end of a link, whether the other end has fallen silent. One for each link and end;
 * it outlives the sessions of the link, because what it learns is a property of the link.
 *
 * <p>An accrual failure detector after Hayashibara, D&eacute;fago, Yared and Katayama, "The phi
 * accrual failure detector" (SRDS 2004, section 4): suspicion grows with the silence, relative to
 * the arrivals seen before. It differs in the model of those arrivals. The paper fits a normal
 * distribution to the intervals. On a stream that retransmits with doubling timeouts each further
 * loss doubles the stall, so the tail follows a power law, and no multiple of a standard deviation
 * that is learnt in a minute reaches the stalls of an hour. Here the threshold grows with the share
 * of time in which the link was late, which is known well after a minute, since the short stalls
 * are frequent:
 *
 * <pre>threshold = min(maxThreshold, minThreshold + stretch * max(0, lateShare - forgiven))</pre>
 *
 * <p>An interval between arrivals is late by what exceeds the heartbeat interval and a tenth of it.
 * What exceeds that by more than {@value #MAX_LATE_HEARTBEATS} heartbeat intervals does not count
 * at all, so that a few long stalls weigh little and frequent ones much. The share fades with the
 * time constant {@code memory}. As much as one interval can add to it is forgiven: a single pause
 * of the other end, however long, leaves the threshold alone.
 *
 * <p>Constant time and memory for each call. Single-threaded. Times are nanoseconds of any clock
 * that does not run backwards, with any origin.
 */
public final class SilenceDetector {
  /** What an interval may exceed the heartbeat interval by, as a part of it, and be punctual. */
  private static final int TOLERANCE_DIVISOR = 10;

  /** The most heartbeat intervals that one interval counts as late. */
  private static final int MAX_LATE_HEARTBEATS = 2;

  private final long heartbeatNanos;
  private final long punctualNanos;
  private final long maxLateNanos;
  private final long minThresholdNanos;
  private final long maxThresholdNanos;
  private final double forgivenShare;
  private final double memoryNanos;
  private final double stretchNanos;

  private boolean heard;

  /** The latest arrival, moved on by the pauses of this process since. */
  private long silentSinceNanos;

  private double lateShare;

  /**
   * The detector of a link that is open.
   *
   * <p>Until the first arrival the threshold is {@code maxThreshold}: the first reply takes a round
   * trip that nobody knows yet.
   */
  public SilenceDetector(SilencePolicy policy, long nowNanos) {
    this.heartbeatNanos = policy.heartbeatInterval().toNanos();
    this.punctualNanos = heartbeatNanos + heartbeatNanos / TOLERANCE_DIVISOR;
    this.maxLateNanos = MAX_LATE_HEARTBEATS * heartbeatNanos;
    this.minThresholdNanos = policy.minThreshold().toNanos();
    this.maxThresholdNanos = policy.maxThreshold().toNanos();
    this.memoryNanos = policy.memory().toNanos();
    this.forgivenShare = maxLateNanos / memoryNanos;
    this.stretchNanos = policy.stretch().toNanos();
    this.silentSinceNanos = nowNanos;
  }

  /**
   * Something has arrived from the other end, whatever it was. Ends a silence.
   *
   * @param nowNanos when it arrived; a time before an earlier call's changes nothing
   */
  public void heard(long nowNanos) {
    long intervalNanos = nowNanos - silentSinceNanos;
    if (intervalNanos < 0) {
      return;
    }
    if (heard) {
      long countedNanos = Math.min(intervalNanos, punctualNanos + maxLateNanos);
      long lateNanos = Math.max(0, countedNanos - punctualNanos);
      lateShare = (lateShare * memoryNanos + lateNanos) / (memoryNanos + countedNanos);
    }
    heard = true;
    silentSinceNanos = nowNanos;
  }

  /**
   * This process did not run for a while: the silence of that time is no sign of anything, as what
   * arrived meanwhile still waits to be read. To be called before what has arrived is handled and
   * before {@link #isSilent} is asked.
   *
   * <p>A driver sees only by how much it came later than it meant to, which can be less than the
   * pause. So where that was a heartbeat interval or more, the link is not silent for at least
   * another one.
   *
   * @param gapNanos by how much the driver came late, at least 0
   * @param nowNanos the end of the pause
   */
  public void paused(long gapNanos, long nowNanos) {
    if (gapNanos < 0) {
      throw new IllegalArgumentException("gapNanos is " + gapNanos + "; the least is 0");
    }
    long sinceNanos = Math.max(0, nowNanos - silentSinceNanos);
    long remainingNanos = Math.max(0, sinceNanos - gapNanos);
    if (gapNanos >= heartbeatNanos) {
      remainingNanos = Math.min(remainingNanos, thresholdNanos() - heartbeatNanos);
    }
    silentSinceNanos += sinceNanos - remainingNanos;
  }

  /** When the link counts as silent unless the other end is heard before. */
  public long silentAtNanos() {
    return silentSinceNanos + thresholdNanos();
  }

  /** Whether the other end has not been heard for as long as {@link #thresholdNanos}. */
  public boolean isSilent(long nowNanos) {
    return nowNanos - silentAtNanos() >= 0;
  }

  /** The silence, in nanoseconds, after which the link counts as silent; fixed while it lasts. */
  public long thresholdNanos() {
    if (!heard) {
      return maxThresholdNanos;
    }
    double countedShare = Math.max(0, lateShare - forgivenShare);
    return Math.min(maxThresholdNanos, minThresholdNanos + (long) (stretchNanos * countedShare));
  }

  /**
   * The level of suspicion, for metrics: the present silence as a part of the threshold. 0 when the
   * other end was heard just now; 1 or more when the link is silent.
   */
  public double suspicion(long nowNanos) {
    return Math.max(0, nowNanos - silentSinceNanos) / (double) thresholdNanos();
  }

  /** The share of recent time in which arrivals were late, 0 to 1. */
  public double lateShare() {
    return lateShare;
  }
}
