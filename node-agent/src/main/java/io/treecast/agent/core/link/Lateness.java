package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage;

/**
 * How late this agent was of late: how much later than announced its driver came, and how long
 * messages waited to be handed over. A process that lacks a processor adds as much to the round
 * trips that it measures and answers.
 */
public final class Lateness {
  /** The most is that of the latest one to two of these. */
  static final long PERIOD_NANOS = 5_000_000_000L;

  /** An agent that was so late of late needs more time to measure its links. */
  static final long BUSY_NANOS = 50_000_000;

  /** One that was so late cannot measure them. */
  static final long OVERLOAD_NANOS = 200_000_000;

  private boolean hasBegun;
  private long periodBeganNanos;
  private long mostNanos;
  private long mostBeforeNanos;
  private long arrivedNanos = Long.MAX_VALUE;

  /** The driver comes now, so much later than announced. */
  public void noted(long lateNanos, long nowNanos) {
    pass(nowNanos);
    arrivedNanos = nowNanos;
    mostNanos = Math.max(mostNanos, Math.min(lateNanos, PeerMessage.MAX_LATE_NANOS));
  }

  /** A message is handed over now that arrived then. */
  public void handedOver(long messageArrivedNanos, long nowNanos) {
    noted(nowNanos - messageArrivedNanos, nowNanos);
    arrivedNanos = Math.min(messageArrivedNanos, nowNanos);
  }

  /** When the message arrived that is being handled; now, if that is not known. */
  public long arrivedNanos(long nowNanos) {
    return Math.min(arrivedNanos, nowNanos);
  }

  /** By how much the agent was late at most in the latest {@link #PERIOD_NANOS} at least. */
  public long mostNanos(long nowNanos) {
    pass(nowNanos);
    return Math.max(mostNanos, mostBeforeNanos);
  }

  /** Whether this agent was so late of late that it takes longer to measure its links. */
  public boolean isBusy(long nowNanos) {
    return mostNanos(nowNanos) >= BUSY_NANOS;
  }

  /** Whether it was so late of late that what it measures says little of its links. */
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
