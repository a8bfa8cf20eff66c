package io.treecast.monitor.throughput;

import java.util.OptionalLong;

/**
 * One measurement of a link's throughput, at the sending end. It sends <em>trains</em> of pieces,
 * each as fast as the link accepts it, once the other end has timed the previous one. Each train is
 * twice as long as the previous one, until the timed part is long enough to be significant, or the
 * train has the maximum length. So a slow link is measured with little data, and a fast one with at
 * most {@link #MAX_BYTES}.
 *
 * <p>The other end times the second half of a train ({@link BulkTrain}). The time until then does
 * not count: during the first half, TCP opens its window, and token buckets on the path are
 * emptied.
 *
 * <p>Single-threaded.
 */
public final class BulkProbe {
  /** Size of a piece; the last piece of a train is the rest. */
  public static final int PIECE_BYTES = 16 << 10;

  /** The number of pieces of the longest train: 1 MiB. */
  public static final int MAX_PIECES = 64;

  /** The largest size of one measurement, all trains together. */
  public static final long MAX_BYTES = 2L * MAX_PIECES * PIECE_BYTES;

  /** A second half that takes this long determines the throughput. */
  static final long ENOUGH_NANOS = 20_000_000;

  private static final int FIRST_PIECES = 4;

  private int pieces = FIRST_PIECES;
  private long sentBytes;

  /** Returns the pieces of the train to send now; they count as sent. */
  public int nextTrain() {
    sentBytes += (long) pieces * PIECE_BYTES;
    return pieces;
  }

  /**
   * Handles the other end's timing of the train.
   *
   * @param bytes size of the timed part, at least 1
   * @param nanos its duration, at least 0
   * @return the throughput in kilobits per second, at least 1; empty if another train is needed
   */
  public OptionalLong timed(long bytes, long nanos) {
    if (nanos < ENOUGH_NANOS && pieces < MAX_PIECES) {
      pieces *= 2;
      return OptionalLong.empty();
    }
    return OptionalLong.of(Throughput.kbps(bytes, nanos));
  }

  /** Returns the bytes that the measurement has sent so far. */
  public long sentBytes() {
    return sentBytes;
  }
}
