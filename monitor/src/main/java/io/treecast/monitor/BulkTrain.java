package io.treecast.monitor;

/**
 * Times one train of a {@link BulkProbe}, at the end that receives: from when its first half is
 * there until all of it is. Single-threaded.
 */
public final class BulkTrain {
  private int pieces;
  private int arrived;
  private long sinceNanos;
  private long nanos;

  /**
   * Whether a piece is one that may come now: the first of a train, or the next.
   *
   * @param following how many of the train come after it
   * @param bytes of the piece
   */
  public boolean isNext(int following, int bytes) {
    return bytes == BulkProbe.PIECE_BYTES
        && (arrived < pieces
            ? following == pieces - arrived - 1
            : following >= 1 && following < BulkProbe.MAX_PIECES);
  }

  /**
   * The next piece has arrived.
   *
   * @param following how many of the train come after it
   * @return whether the train is complete; {@link #bytes} and {@link #nanos} tell of it then
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

  /** How much the second half was. */
  public long bytes() {
    return (long) (pieces - pieces / 2) * BulkProbe.PIECE_BYTES;
  }

  /** How long it took, in nanoseconds. */
  public long nanos() {
    return nanos;
  }
}
