package io.treecast.monitor;

import java.util.BitSet;

/**
 * Jitter and loss of one link, from the probes that flow anyway. One for each link, at the owner;
 * it outlives the sessions of the link.
 *
 * <p><b>Jitter</b> is the fading mean of the difference between one round trip and the next, with
 * the gain of RFC 3550, section 6.4.1.
 *
 * <p><b>Loss.</b> Probes travel in a stream that loses nothing: what the network loses, TCP sends
 * again after {@link #RETRANSMISSION_NANOS} at the earliest. So a probe that took so much longer
 * than the least of the recent ones counts as lost, and its time not as jitter. What follows it in
 * the stream waits for it; so does whatever waits for a process that stops for as long. Where
 * nothing gets through at all, the session ends, and nothing is counted.
 *
 * <p>Single-threaded.
 */
public final class LinkQualityMeter {
  /** How many of the latest replies the loss is a part of. */
  public static final int WINDOW_REPLIES = 100;

  /** The shortest retransmission timeout of TCP in use (Linux); RFC 6298 asks for a second. */
  public static final long RETRANSMISSION_NANOS = 200_000_000;

  private static final int JITTER_GAIN_DIVISOR = 16;

  private final BitSet late = new BitSet(WINDOW_REPLIES);
  private long replies;
  private long punctual;
  private long lastNanos;
  private double jitterNanos;

  /**
   * A probe was answered.
   *
   * @param rttNanos after so long
   * @param leastNanos the least round trip of the recent probes, this one among them
   */
  public void replied(long rttNanos, long leastNanos) {
    boolean isLate = rttNanos - leastNanos >= RETRANSMISSION_NANOS;
    late.set((int) (replies++ % WINDOW_REPLIES), isLate);
    if (isLate) {
      return;
    }
    if (punctual++ > 0) {
      jitterNanos += (Math.abs(rttNanos - lastNanos) - jitterNanos) / JITTER_GAIN_DIVISOR;
    }
    lastNanos = rttNanos;
  }

  /** What the link is like by now. */
  public LinkQuality quality() {
    long counted = Math.max(1, Math.min(replies, WINDOW_REPLIES));
    return new LinkQuality(
        Math.round(jitterNanos / 1_000), (int) Math.round(100.0 * late.cardinality() / counted));
  }
}
