package io.treecast.monitor.throughput;

/**
 * Times one train of a {@link BulkProbe} at the receiving end: from the arrival of its first half
 * to that of its end.
 *
 * <p>On a long link, TCP sends a part of the train, and waits a round trip until its window grows.
 * Such a pause says nothing about the link, so it does not count, nor does the piece behind it. If
 * most pieces follow a pause, either the link is slow or the window is small. The train counts as a
 * whole then, but only if it takes {@value #ROUND_TRIPS} round trips or is the longest one: the
 * window would have grown by then.
 *
 * <p>Single-threaded.
 */
public final class BulkTrain {
  /** The least round trip of a link whose pauses count as those of TCP's window. */
  static final long LONG_RTT_NANOS = 40_000_000;

  /** A pause of at least this part of the round trip is one of TCP's window. */
  private static final int PAUSE_DIVISOR = 2;

  private static final int ROUND_TRIPS = 2;

  private final long rttNanos;
  private int pieces;
  private int arrived;
  private int paused;
  private long lastNanos;
  private long pausedNanos;
  private long nanos;

  /**
   * Creates an instance without pieces.
   *
   * @param rttNanos round trip of the link; 0 if it is unknown
   */
  public BulkTrain(long rttNanos) {
    this.rttNanos = rttNanos;
  }

  /**
   * Returns whether a piece is valid now: the first of a train, or the next.
   *
   * @param following number of pieces of the train behind it
   * @param bytes size of the piece
   */
  public boolean isNext(int following, int bytes) {
    return bytes == BulkProbe.PIECE_BYTES
        && (arrived < pieces
            ? following == pieces - arrived - 1
            : following >= 1 && following < BulkProbe.MAX_PIECES);
  }

  /**
   * Handles the next piece.
   *
   * @param following number of pieces of the train behind it
   * @return whether the train is complete; then {@link #bytes} and {@link #nanos} describe it
   */
  public boolean arrived(int following, long nowNanos) {
    if (arrived == pieces) {
      arrived = 0;
      pieces = following + 1;
      paused = 0;
      pausedNanos = 0;
      nanos = 0;
    }
    arrived++;
    if (arrived > pieces / 2) {
      long sinceLastNanos = nowNanos - lastNanos;
      nanos += sinceLastNanos;
      if (rttNanos >= LONG_RTT_NANOS && sinceLastNanos >= rttNanos / PAUSE_DIVISOR) {
        paused++;
        pausedNanos += sinceLastNanos;
      }
    }
    lastNanos = nowNanos;
    return following == 0;
  }

  /** Returns the timed bytes: the second half, without pieces behind a pause. */
  public long bytes() {
    return (long) (isPausedMostly() ? half() : half() - paused) * BulkProbe.PIECE_BYTES;
  }

  /** Returns the time of these bytes, in nanoseconds; 0 if the train is too short to tell it. */
  public long nanos() {
    if (!isPausedMostly()) {
      return nanos - pausedNanos;
    }
    return nanos >= ROUND_TRIPS * rttNanos || pieces == BulkProbe.MAX_PIECES ? nanos : 0;
  }

  private boolean isPausedMostly() {
    return 2 * paused > half();
  }

  private int half() {
    return pieces - pieces / 2;
  }
}
