package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage;

/**
 * The recent lateness of this agent: how much later than scheduled its driver came, and how long
 * messages waited to be handed over. A process that lacks processor time adds as much to the round
 * trips that it measures and answers.
 */
public final class Lateness {
  /** The reported maximum covers the latest one to two of these periods. */
  static final long PERIOD_NANOS = 5_000_000_000L;

  /** An agent with more recent lateness needs more time to measure its links. */
  static final long BUSY_NANOS = 50_000_000;

  /** An agent with more recent lateness cannot measure its links. */
  static final long OVERLOAD_NANOS = 200_000_000;

  /**
   * The longest time for which a busy agent measures its links before it announces their first
   * weights.
   */
  public static final long MAX_MEASURING_NANOS = 30_000_000_000L;

  private boolean hasBegun;
  private long periodBeganNanos;
  private long mostNanos;
  private long mostBeforeNanos;
  private long arrivedNanos = Long.MAX_VALUE;

  /** Notes that the driver comes this much later than scheduled. */
  public void noted(long lateNanos, long nowNanos) {
    pass(nowNanos);
    arrivedNanos = nowNanos;
    mostNanos = Math.max(mostNanos, Math.min(lateNanos, PeerMessage.MAX_LATE_NANOS));
  }

  /** Notes that a message is handed over that arrived then. */
  public void handedOver(long messageArrivedNanos, long nowNanos) {
    noted(nowNanos - messageArrivedNanos, nowNanos);
    arrivedNanos = Math.min(messageArrivedNanos, nowNanos);
  }

  /** Returns when the message arrived that is being handled; now, if that is not known. */
  public long arrivedNanos(long nowNanos) {
    return Math.min(arrivedNanos, nowNanos);
  }

  /** Returns the greatest lateness in at least the latest {@link #PERIOD_NANOS}. */
  public long mostNanos(long nowNanos) {
    pass(nowNanos);
    return Math.max(mostNanos, mostBeforeNanos);
  }

  /** Returns whether this agent was so late recently that it takes longer to measure its links. */
  public boolean isBusy(long nowNanos) {
    return mostNanos(nowNanos) >= BUSY_NANOS;
  }

  /**
   * Returns whether this agent was so late recently that its measurements say little of its links.
   */
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
