package io.treecast.monitor.probe;

/**
 * Judges, at one end of a link, whether the other end has fallen silent. One instance for each link
 * and end; it outlives the sessions of the link, because it learns properties of the link.
 *
 * <p>An accrual failure detector after Hayashibara, D&eacute;fago, Yared and Katayama, "The phi
 * accrual failure detector" (SRDS 2004, section 4): suspicion grows with the silence, relative to
 * the arrivals seen before. It differs in the model of those arrivals. The paper fits a normal
 * distribution to the intervals. On a stream that retransmits with doubling timeouts each further
 * loss doubles the stall, so the tail follows a power law, and no multiple of a standard deviation
 * learnt in a minute reaches the stalls of an hour. Here the threshold grows with the share of time
 * in which the link was late, which is well known after a minute, because short stalls are
 * frequent:
 *
 * <pre>threshold = min(maxThreshold, minThreshold + stretch * max(0, lateShare - forgiven))</pre>
 *
 * <p>Each probe states when the next one follows, so both ends know when something must arrive from
 * the other: {@link #expectProbe}, {@link #expectReply}. Without such a statement it is due a
 * heartbeat interval after the latest arrival. The part of the wait that exceeds a heartbeat
 * interval is added to the threshold, and does not count as time in which the link could be late.
 *
 * <p>An interval between arrivals is late by its excess over the heartbeat interval and a tenth of
 * it. An excess of more than {@value #MAX_LATE_HEARTBEATS} heartbeat intervals is capped, so that a
 * few long stalls weigh little and frequent ones much. The share fades with the time constant
 * {@code memory}. The largest contribution of one interval is forgiven: a single pause of the other
 * end, however long, leaves the threshold alone.
 *
 * <p>Constant time and memory for each call. Single-threaded. Times are nanoseconds of any clock
 * that does not run backwards, with any origin.
 */
public final class SilenceDetector {
  /** The part of the heartbeat interval by which a punctual interval may exceed it. */
  private static final int TOLERANCE_DIVISOR = 10;

  /** The largest number of heartbeat intervals that one interval counts as late. */
  private static final int MAX_LATE_HEARTBEATS = 2;

  /** The time for a demanded answer beyond a round trip, in heartbeat intervals. */
  static final int DEMAND_HEARTBEATS = 2;

  /** Nothing is expected; later than any other time, whatever the clock's origin. */
  private static final long NEVER = Long.MAX_VALUE;

  private final long heartbeatNanos;
  private final long punctualNanos;
  private final long maxLateNanos;
  private final long minThresholdNanos;
  private final long maxThresholdNanos;
  private final double forgivenShare;
  private final double memoryNanos;
  private final double stretchNanos;

  private boolean hasReceived;

  /** The latest arrival, moved on by the pauses of this process since. */
  private long silentSinceNanos;

  private long probeDueNanos = NEVER;
  private long replyDueNanos = NEVER;
  private long answerDueNanos = NEVER;

  private double lateShare;

  /**
   * Creates the detector of a link that is open.
   *
   * <p>Until the first arrival the threshold is {@code maxThreshold}: the first reply takes an
   * unknown round trip.
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
   * Notes an arrival from the other end, of any kind. Ends a silence.
   *
   * @param nowNanos time of arrival; a time before an earlier call's changes nothing
   */
  public void received(long nowNanos) {
    long intervalNanos = nowNanos - silentSinceNanos;
    if (intervalNanos < 0) {
      return;
    }
    if (hasReceived) {
      long countedNanos =
          Math.max(0, Math.min(intervalNanos - calmNanos(), punctualNanos + maxLateNanos));
      long lateNanos = Math.max(0, countedNanos - punctualNanos);
      lateShare = (lateShare * memoryNanos + lateNanos) / (memoryNanos + countedNanos);
    }
    hasReceived = true;
    silentSinceNanos = nowNanos;
    answerDueNanos = NEVER;
  }

  /**
   * Notes that the other end, which has just sent a message, sends its next probe after the given
   * time.
   *
   * @param afterNanos 0 if it sends no more
   */
  public void expectProbe(long afterNanos) {
    probeDueNanos = due(afterNanos);
  }

  /**
   * Notes the interval between the probe just answered and its successor, after which the next
   * reply is due.
   *
   * @param afterNanos 0 if no probe follows
   */
  public void expectReply(long afterNanos) {
    replyDueNanos = due(afterNanos);
  }

  private long due(long afterNanos) {
    return afterNanos <= 0 ? NEVER : silentSinceNanos + Math.max(afterNanos, heartbeatNanos);
  }

  /**
   * Notes that a message was sent that a live end answers at once. If nothing at all arrives for
   * {@value #DEMAND_HEARTBEATS} heartbeat intervals longer than a round trip, or longer where the
   * link is often late, the link is silent. A repeated demand changes nothing.
   *
   * @param rttNanos the round trip of the link
   */
  public void demandAnswer(long rttNanos, long nowNanos) {
    if (answerDueNanos == NEVER) {
      answerDueNanos =
          nowNanos
              + rttNanos
              + DEMAND_HEARTBEATS * heartbeatNanos
              + (thresholdNanos() - calmNanos() - minThresholdNanos);
    }
  }

  /** The time beyond a heartbeat interval until something is due. */
  private long calmNanos() {
    if (probeDueNanos == NEVER && replyDueNanos == NEVER) {
      return 0;
    }
    long dueNanos =
        probeDueNanos == NEVER || (replyDueNanos != NEVER && replyDueNanos - probeDueNanos < 0)
            ? replyDueNanos
            : probeDueNanos;
    return Math.max(0, dueNanos - silentSinceNanos - heartbeatNanos);
  }

  /**
   * Notes that this process did not run for a while. The silence of that time does not count,
   * because arrivals of that time still wait to be read. Must be called before arrivals are handled
   * and before {@link #isSilent}.
   *
   * <p>A driver notices a pause only by its own lateness, which can be less than the pause. So if
   * that was a heartbeat interval or more, the link is not silent for at least another one.
   *
   * @param gapNanos lateness of the driver, at least 0
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
    long passedNanos = sinceNanos - remainingNanos;
    silentSinceNanos += passedNanos;
    probeDueNanos = later(probeDueNanos, passedNanos);
    replyDueNanos = later(replyDueNanos, passedNanos);
    answerDueNanos = later(answerDueNanos, Math.max(gapNanos, passedNanos));
  }

  private static long later(long dueNanos, long passedNanos) {
    return dueNanos == NEVER ? NEVER : dueNanos + passedNanos;
  }

  /** Returns when the link becomes silent unless a message arrives before. */
  public long silentAtNanos() {
    long silentAtNanos = silentSinceNanos + thresholdNanos();
    return answerDueNanos != NEVER && answerDueNanos - silentAtNanos < 0
        ? answerDueNanos
        : silentAtNanos;
  }

  /** Returns whether the other end has sent nothing for as long as {@link #thresholdNanos}. */
  public boolean isSilent(long nowNanos) {
    return nowNanos - silentAtNanos() >= 0;
  }

  /**
   * Returns when an edge of the tree is suspected: early enough to question other links that may
   * have failed with it, so that they become silent at the same time, but not before a heartbeat
   * and a half is late.
   */
  public long suspectAtNanos() {
    return Math.max(
        silentAtNanos() - DEMAND_HEARTBEATS * heartbeatNanos,
        silentSinceNanos + calmNanos() + heartbeatNanos + heartbeatNanos / 2);
  }

  /**
   * Returns the silence, in nanoseconds, after which the link counts as silent; fixed while it
   * lasts.
   */
  public long thresholdNanos() {
    if (!hasReceived) {
      return maxThresholdNanos;
    }
    double countedShare = Math.max(0, lateShare - forgivenShare);
    return calmNanos()
        + Math.min(maxThresholdNanos, minThresholdNanos + (long) (stretchNanos * countedShare));
  }

  /** Returns the share of recent time in which arrivals were late, 0 to 1. */
  public double lateShare() {
    return lateShare;
  }
}
