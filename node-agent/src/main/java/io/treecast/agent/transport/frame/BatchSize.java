package io.treecast.agent.transport.frame;

/**
 * The limit of the bytes of a data stream that share a gRPC message. Each message has a fixed cost:
 * at full speed, a hop of chunks of 64 KiB takes a tenth less time when four share one message. But
 * the other end forwards nothing before the whole message has arrived. So the limit is the amount
 * that the stream carries in a few milliseconds, by the last credit received: large on a fast
 * stream, and small on a slow link and after a pause. For the loop's thread.
 */
public final class BatchSize {
  /** The limit of the slowest stream; a larger message travels alone. */
  static final long LEAST_BYTES = 16 << 10;

  /**
   * The limit of the fastest stream: four chunks of 64 KiB, beyond which the fixed cost of a
   * message does not matter.
   */
  public static final long MOST_BYTES = 260 << 10;

  /** The bytes that a message of credit counts; no message counts less. */
  public static final long CREDIT_BYTES = 16;

  /** The maximum number of messages that are sent together. */
  public static final int MOST_MESSAGES = (int) (MOST_BYTES / CREDIT_BYTES);

  /** The time that a batch takes on the stream, in nanoseconds. */
  private static final double NANOS = 4e6;

  private long bytes = LEAST_BYTES;
  private boolean windowGranted;
  private long creditedNanos;

  public long bytes() {
    return bytes;
  }

  /**
   * Notes credit from the other end. The first credit is its window, and does not show the speed.
   */
  public void credited(long creditBytes, long nowNanos) {
    if (windowGranted) {
      double carried = creditBytes * NANOS / Math.max(1, nowNanos - creditedNanos);
      bytes = Math.round(Math.max(LEAST_BYTES, Math.min(MOST_BYTES, carried)));
    }
    windowGranted = true;
    creditedNanos = nowNanos;
  }
}
