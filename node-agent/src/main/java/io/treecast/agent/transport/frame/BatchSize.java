package io.treecast.agent.transport.frame;

/**
 * The most bytes of a data stream that travel in one gRPC message. Each message has a cost of its
 * own: at full speed, a hop of chunks of 64 KiB takes a tenth less when four of them share one. But
 * the other end passes nothing on before the whole message is there. So the limit is what the
 * stream carries in a few milliseconds, by the credit that came back last: large on a fast stream,
 * and small on a slow link and after a pause. For the loop's thread.
 */
public final class BatchSize {
  /** The limit of the slowest stream; a larger message travels alone. */
  static final long LEAST_BYTES = 16 << 10;

  /**
   * The limit of the fastest stream, four chunks of 64 KiB: beyond that a message's own cost does
   * not matter.
   */
  public static final long MOST_BYTES = 260 << 10;

  /** The bytes of credit, the smallest of the messages that travel together. */
  public static final long CREDIT_BYTES = 16;

  /** More are never sent together. */
  public static final int MOST_MESSAGES = (int) (MOST_BYTES / CREDIT_BYTES);

  /** The time of a batch on the stream. */
  private static final double NANOS = 4e6;

  private long bytes = LEAST_BYTES;
  private boolean windowGranted;
  private long creditedNanos;

  public long bytes() {
    return bytes;
  }

  /** Notes credit from the other end; the first is its window, and shows nothing. */
  public void credited(long creditBytes, long nowNanos) {
    if (windowGranted) {
      double carried = creditBytes * NANOS / Math.max(1, nowNanos - creditedNanos);
      bytes = Math.round(Math.max(LEAST_BYTES, Math.min(MOST_BYTES, carried)));
    }
    windowGranted = true;
    creditedNanos = nowNanos;
  }
}
