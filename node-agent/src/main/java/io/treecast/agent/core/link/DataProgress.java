package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage.DataHeard;

/**
 * How far the data stream of a link has come in both directions. Probes and their replies tell how
 * many messages their sender has received. The stream stands still while messages are under way and
 * that number does not grow, although the control stream answers.
 *
 * <p>Only time between two answers counts, and a few seconds of it at most: while the control
 * stream is silent, or one of the agents does not run, nothing is known of the data stream.
 */
public final class DataProgress {
  /** As much of the time between two answers counts. */
  static final long MAX_COUNTED_NANOS = 5_000_000_000L;

  private long sent;
  private long heardHere;
  private long heardThere;
  private long sentWhenTold;
  private long toldNanos;
  private long stalledNanos;
  private long openedNanos;
  private long carriedUntilNanos;

  /** Another data stream is used from now on. */
  public void opened(long nowNanos) {
    sent = 0;
    heardHere = 0;
    heardThere = 0;
    sentWhenTold = 0;
    toldNanos = nowNanos;
    stalledNanos = 0;
    openedNanos = nowNanos;
    carriedUntilNanos = nowNanos;
  }

  public void sent() {
    sent++;
  }

  public void heard() {
    heardHere++;
  }

  /** What this end tells the other. */
  DataHeard tell(long stream) {
    return new DataHeard(stream, heardHere);
  }

  /**
   * The other end has received so many messages.
   *
   * @return whether that is possible
   */
  public boolean told(long messages, long nowNanos) {
    if (messages < heardThere || messages > sent) {
      return false;
    }
    if (messages > heardThere) {
      stalledNanos = 0;
      carriedUntilNanos = heardHere > 0 ? nowNanos : carriedUntilNanos;
    } else if (sentWhenTold > heardThere) {
      stalledNanos += Math.min(nowNanos - toldNanos, MAX_COUNTED_NANOS);
    }
    heardThere = messages;
    sentWhenTold = sent;
    toldNanos = nowNanos;
    return true;
  }

  /** For how long nothing has arrived at the other end, of what was under way. */
  public long stalledNanos() {
    return stalledNanos;
  }

  /** From when the stream was opened to when it last carried something, there and back. */
  long carriedNanos() {
    return carriedUntilNanos - openedNanos;
  }
}
