package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage.DataHeard;

/**
 * The progress of a link's data stream in both directions. Probes and their replies say how many
 * messages their sender has received. The stream stands still while messages are under way and that
 * number does not grow, although the control stream answers.
 *
 * <p>Only time between two answers counts, and a few seconds of it at most: while the control
 * stream is silent, or one of the agents does not run, the state of the data stream is unknown.
 */
public final class DataProgress {
  /** The most time between two answers that counts. */
  static final long MAX_COUNTED_NANOS = 5_000_000_000L;

  private long sent;
  private long heardHere;
  private long heardThere;
  private long sentWhenTold;
  private long toldNanos;
  private long stalledNanos;
  private long openedNanos;
  private long carriedUntilNanos;

  /** Begins to follow another data stream. */
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

  /** Returns this end's report for the other. */
  DataHeard tell(long stream) {
    return new DataHeard(stream, heardHere);
  }

  /**
   * Handles the other end's report that it has received this many messages.
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

  /** Returns for how long messages were under way and none arrived at the other end. */
  public long stalledNanos() {
    return stalledNanos;
  }

  /** Returns the time from the opening of the stream to the last round trip of data. */
  long carriedNanos() {
    return carriedUntilNanos - openedNanos;
  }
}
