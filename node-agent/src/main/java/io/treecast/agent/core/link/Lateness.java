package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage;

/**
 * The recent lateness of this agent: how much later than scheduled its driver called, and how long
 * messages waited for its thread. A process that lacks processor time adds this lateness to the
 * round trips that it measures and answers.
 */
public final class Lateness {
  /** The period of the reported maximum, which covers the latest one to two periods. */
  static final long PERIOD_NANOS = 5_000_000_000L;

  /** The lateness from which on an agent is busy: it needs more time to measure its links. */
  static final long BUSY_NANOS = 50_000_000;

  /** The lateness from which on an agent is overloaded: it cannot measure its links. */
  static final long OVERLOAD_NANOS = 200_000_000;

  /**
   * The longest time that a busy agent measures its links before it announces their first weights.
   */
  public static final long MAX_MEASURING_NANOS = 30_000_000_000L;

  private boolean hasBegun;
  private long periodBeganNanos;
  private long mostNanos;
  private long mostBeforeNanos;
  private long arrivedNanos = Long.MAX_VALUE;

  /** Notes a call of the driver that came this much later than scheduled. */
  public void noted(long lateNanos, long nowNanos) {
    pass(nowNanos);
    arrivedNanos = nowNanos;
    mostNanos = Math.max(mostNanos, Math.min(lateNanos, PeerMessage.MAX_LATE_NANOS));
  }

  /** Notes the handling of a message that arrived at this time. */
  public void handedOver(long messageArrivedNanos, long nowNanos) {
    noted(nowNanos - messageArrivedNanos, nowNanos);
    arrivedNanos = Math.min(messageArrivedNanos, nowNanos);
  }

  /** Returns the arrival time of the message that is being handled; the present time if unknown. */
  public long arrivedNanos(long nowNanos) {
    return Math.min(arrivedNanos, nowNanos);
  }

  /** Returns the greatest lateness over at least the latest {@link #PERIOD_NANOS}. */
  public long mostNanos(long nowNanos) {
    pass(nowNanos);
    return Math.max(mostNanos, mostBeforeNanos);
  }

  /** Returns whether recent lateness prolongs the measurement of links. */
  public boolean isBusy(long nowNanos) {
    return mostNanos(nowNanos) >= BUSY_NANOS;
  }

  /** Returns whether recent lateness makes measurements of links meaningless. */
  public boolean isOverloaded(long nowNanos) {
    return mostNanos(nowNanos) >= OVERLOAD_NANOS;
  }

  private void pass(long nowNanos) {
    if (!hasBegun) {
      hasBegun = true;
      periodBeganNanos = nowNanos;
    }
    long passedNanos = nowNanos - periodBeganNanos;
    if (passedNanos >= PERIOD_NANOS) {
      mostBeforeNanos = passedNanos < 2 * PERIOD_NANOS ? mostNanos : 0;
      mostNanos = 0;
      periodBeganNanos = nowNanos;
    }
  }
}
