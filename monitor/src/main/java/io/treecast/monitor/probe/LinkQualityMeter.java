package io.treecast.monitor.probe;

import java.util.BitSet;

/**
 * Jitter and loss of one link, from its regular probes. One instance for each link, at the owner;
 * it outlives the sessions of the link.
 *
 * <p><b>Jitter</b> is the fading mean of the difference between consecutive round trips, with the
 * gain of RFC 3550, section 6.4.1.
 *
 * <p><b>Loss.</b> Probes travel in a stream that loses nothing: TCP sends lost packets again after
 * {@link #RETRANSMISSION_NANOS} at the earliest. So a probe that took so much longer than the least
 * of the recent ones counts as lost, and its time does not count as jitter. Later probes that wait
 * for it are ignored if they are late, too, so one long pause of a process counts as one loss. If
 * nothing gets through at all, the session ends, and nothing is counted.
 *
 * <p>Single-threaded.
 */
public final class LinkQualityMeter {
  /** The largest number of latest replies that count for loss and discards. */
  public static final int WINDOW_REPLIES = 100;

  /**
   * The time for which a reply counts: a pause at the start must not affect a link calm since then.
   */
  public static final long WINDOW_NANOS = 300_000_000_000L;

  /** The shortest retransmission timeout of TCP in use (Linux); RFC 6298 requires a second. */
  public static final long RETRANSMISSION_NANOS = 200_000_000;

  private static final int JITTER_GAIN_DIVISOR = 16;

  private final BitSet lost = new BitSet(WINDOW_REPLIES);
  private final BitSet discarded = new BitSet(WINDOW_REPLIES);
  private final long[] repliedNanos = new long[WINDOW_REPLIES];
  private long replies;
  private long punctual;

  /** The arrival of the latest late reply. */
  private long lateNanos = Long.MIN_VALUE;

  private long lastNanos;
  private double jitterNanos;

  /**
   * Takes in the answer to a probe.
   *
   * @param rttNanos round trip of the probe
   * @param leastNanos the least round trip of the recent probes, including this one
   * @param nowNanos present time of any clock that does not run backwards
   */
  public void replied(long rttNanos, long leastNanos, long nowNanos) {
    boolean isLate = rttNanos - leastNanos >= RETRANSMISSION_NANOS;
    if (isLate) {
      boolean waitedForAnother = lateNanos != Long.MIN_VALUE && nowNanos - rttNanos < lateNanos;
      lateNanos = nowNanos;
      if (!waitedForAnother) {
        count(true, false, nowNanos);
      }
      return;
    }
    count(false, false, nowNanos);
    if (punctual++ > 0) {
      jitterNanos += (Math.abs(rttNanos - lastNanos) - jitterNanos) / JITTER_GAIN_DIVISOR;
    }
    lastNanos = rttNanos;
  }

  /** Takes in an answer whose round trip is discarded because an end was late. */
  public void discarded(long nowNanos) {
    count(false, true, nowNanos);
  }

  private void count(boolean isLost, boolean isDiscarded, long nowNanos) {
    int place = (int) (replies++ % WINDOW_REPLIES);
    lost.set(place, isLost);
    discarded.set(place, isDiscarded);
    repliedNanos[place] = nowNanos;
  }

  /** Returns the present quality of the link. */
  public LinkQuality quality(long nowNanos) {
    int counted = 0;
    int losses = 0;
    int discards = 0;
    for (int place = 0; place < Math.min(replies, WINDOW_REPLIES); place++) {
      if (nowNanos - repliedNanos[place] <= WINDOW_NANOS) {
        counted++;
        losses += lost.get(place) ? 1 : 0;
        discards += discarded.get(place) ? 1 : 0;
      }
    }
    return new LinkQuality(
        Math.round(jitterNanos / 1_000),
        percent(losses, counted - discards),
        percent(discards, counted));
  }

  private static int percent(int some, int all) {
    return (int) Math.round(100.0 * some / Math.max(1, all));
  }
}
