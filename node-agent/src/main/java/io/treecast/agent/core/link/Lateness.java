package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage;

/**
 * The recent lateness of this agent: how much later than scheduled its driver called, how long
 * messages waited for its thread, and how late the threads of its transport ran. A process that
 * lacks processor time adds this lateness to the round trips that it measures and answers.
 */
public final class Lateness {
  /** The period of the reported maximum, which covers the latest one to two periods. */
  static final long PERIOD_NANOS = 5_000_000_000L;

  /** The maximum over at least the latest period. */
  private static final class Most {
    private boolean hasBegun;
    private long periodBeganNanos;
    private long mostNanos;
    private long mostBeforeNanos;

    void noted(long lateNanos, long nowNanos) {
      pass(nowNanos);
      mostNanos = Math.max(mostNanos, Math.min(lateNanos, PeerMessage.MAX_LATE_NANOS));
    }

    long nanos(long nowNanos) {
      pass(nowNanos);
      return Math.max(mostNanos, mostBeforeNanos);
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

  /** The lateness from which on an agent is busy: it needs more time to measure its links. */
  static final long BUSY_NANOS = 50_000_000;

  /** The lateness from which on an agent is overloaded: it cannot measure its links. */
  static final long OVERLOAD_NANOS = 200_000_000;

  /**
   * The longest time that a busy agent measures its links before it announces their first weights.
   */
  public static final long MAX_MEASURING_NANOS = 30_000_000_000L;

  private final Most events = new Most();
  private final Most transport = new Most();
  private long arrivedNanos = Long.MAX_VALUE;

  /** Notes a call of the driver that came this much later than scheduled. */
  public void noted(long lateNanos, long nowNanos) {
    events.noted(lateNanos, nowNanos);
    arrivedNanos = nowNanos;
  }

  /**
   * Notes that a thread of the transport ran late. Those of a starting process always do, so this
   * alone makes an agent neither busy nor overloaded.
   */
  public void ofTransport(long lateNanos, long nowNanos) {
    transport.noted(lateNanos, nowNanos);
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
    return Math.max(events.nanos(nowNanos), transport.nanos(nowNanos));
  }

  /** Returns whether recent lateness prolongs the measurement of links. */
  public boolean isBusy(long nowNanos) {
    return events.nanos(nowNanos) >= BUSY_NANOS;
  }

  /** Returns whether recent lateness makes measurements of links meaningless. */
  public boolean isOverloaded(long nowNanos) {
    return events.nanos(nowNanos) >= OVERLOAD_NANOS;
  }
}
