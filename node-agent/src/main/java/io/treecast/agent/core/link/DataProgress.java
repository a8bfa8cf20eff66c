package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage.DataAck;

/**
 * The progress of a link's data stream in both directions. Probes and their replies report the
 * number of messages that their sender has received. The stream stalls if messages are in transit
 * and this number does not grow, although the control stream answers.
 *
 * <p>A stall consists of the intervals between reports, each counted up to a few seconds. While the
 * control stream is silent, or one of the agents does not run, the state of the data stream is
 * unknown.
 */
public final class DataProgress {
  /** The maximum counted time between two reports. */
  static final long MAX_COUNTED_NANOS = 5_000_000_000L;

  private long sent;
  private long receivedHere;
  private long receivedThere;
  private long sentAtReport;
  private long reportedNanos;
  private long stalledNanos;
  private long openedNanos;
  private long carriedUntilNanos;

  /** Resets the progress for a new data stream. */
  public void opened(long nowNanos) {
    sent = 0;
    receivedHere = 0;
    receivedThere = 0;
    sentAtReport = 0;
    reportedNanos = nowNanos;
    stalledNanos = 0;
    openedNanos = nowNanos;
    carriedUntilNanos = nowNanos;
  }

  public void sent() {
    sent++;
  }

  public void received() {
    receivedHere++;
  }

  /** Returns this end's report for the other. */
  DataAck report(long stream) {
    return new DataAck(stream, receivedHere);
  }

  /**
   * Handles the other end's report that it has received this many messages.
   *
   * @return false if the number is impossible
   */
  public boolean acknowledged(long messages, long nowNanos) {
    if (messages < receivedThere || messages > sent) {
      return false;
    }
    if (messages > receivedThere) {
      stalledNanos = 0;
      carriedUntilNanos = receivedHere > 0 ? nowNanos : carriedUntilNanos;
    } else if (sentAtReport > receivedThere) {
      stalledNanos += Math.min(nowNanos - reportedNanos, MAX_COUNTED_NANOS);
    }
    receivedThere = messages;
    sentAtReport = sent;
    reportedNanos = nowNanos;
    return true;
  }

  /** Returns how long messages have been in transit without any arriving at the other end. */
  public long stalledNanos() {
    return stalledNanos;
  }

  /** Returns the time from the opening of the stream to the last round trip of data. */
  long carriedNanos() {
    return carriedUntilNanos - openedNanos;
  }
}
