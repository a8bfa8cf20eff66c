package io.treecast.monitor;

import java.util.OptionalLong;

/**
 * Measures the throughput of a link once, at the end that sends: <em>trains</em> of pieces, each
 * sent as fast as the link takes it, when the other end has timed the one before. Each is twice as
 * long as the one before, until the time that counts is long enough to be told from chance, or the
 * train is the longest. So a slow link is measured with little, and a fast one with no more than
 * {@link #MAX_BYTES}.
 *
 * <p>The other end times the second half of a train ({@link BulkTrain}). What it takes to get there
 * does not count, and while the first half is under way TCP opens its window, and a bucket of
 * tokens on the way is emptied.
 *
 * <p>Single-threaded.
 */
public final class BulkProbe {
  /** Of one piece; the last of a train comes with the rest. */
  public static final int PIECE_BYTES = 16 << 10;

  /** Pieces of the longest train: 1 MiB. */
  public static final int MAX_PIECES = 64;

  /** Most that one measurement may take, all trains together. */
  public static final long MAX_BYTES = 2L * MAX_PIECES * PIECE_BYTES;

  /** A second half that takes so long tells the throughput. */
  static final long ENOUGH_NANOS = 20_000_000;

  private static final int FIRST_PIECES = 4;

  private int pieces = FIRST_PIECES;
  private long sentBytes;

  /** The pieces of the train to send now; they count as sent. */
  public int nextTrain() {
    sentBytes += (long) pieces * PIECE_BYTES;
    return pieces;
  }

  /**
   * The other end has timed the train.
   *
   * @param bytes that it timed, at least 1
   * @param nanos how long they took, at least 0
   * @return the throughput in kilobits a second, at least 1; empty if another train is needed
   */
  public OptionalLong timed(long bytes, long nanos) {
    if (nanos < ENOUGH_NANOS && pieces < MAX_PIECES) {
      pieces *= 2;
      return OptionalLong.empty();
    }
    return OptionalLong.of(Throughput.kbps(bytes, nanos));
  }

  /** What the measurement has cost so far. */
  public long sentBytes() {
    return sentBytes;
  }
}
