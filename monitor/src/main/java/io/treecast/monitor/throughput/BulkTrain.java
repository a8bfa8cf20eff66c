package io.treecast.monitor.throughput;

/**
 * Times one train of a {@link BulkProbe} at the receiving end: from the arrival of its first half
 * to that of its end. Single-threaded.
 */
public final class BulkTrain {
  private int pieces;
  private int arrived;
  private long sinceNanos;
  private long nanos;

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
    }
    arrived++;
    if (arrived <= pieces / 2) {
      sinceNanos = nowNanos;
    }
    nanos = nowNanos - sinceNanos;
    return following == 0;
  }

  /** Returns the size of the second half. */
  public long bytes() {
    return (long) (pieces - pieces / 2) * BulkProbe.PIECE_BYTES;
  }

  /** Returns the duration of the second half, in nanoseconds. */
  public long nanos() {
    return nanos;
  }
}
