package io.treecast.agent.transport;

/**
 * How much of a data stream may travel in one gRPC message. Each message has a cost of its own: at
 * full speed, a hop of chunks of 64 KiB takes a tenth less when four of them share one. But the
 * other end passes nothing of it on before all of it is there. So it is as much as the stream
 * carries in a few milliseconds, by the credit that came back last: much where much is carried, and
 * little on a slow link and after a pause.
 */
final class BatchSize {
  /** However slow the stream is; what is larger than the batch may be travels alone. */
  static final long LEAST_BYTES = 16 << 10;

  /**
   * However fast it is, room for four chunks of 64 KiB: beyond that a message's own cost does not
   * matter.
   */
  static final long MOST_BYTES = 260 << 10;

  /** What credit counts, the least of what travels together. */
  static final long CREDIT_BYTES = 16;

  /** More are never sent together. */
  static final int MOST_MESSAGES = (int) (MOST_BYTES / CREDIT_BYTES);

  /** What is carried in so long may travel together. */
  private static final double NANOS = 4e6;

  private long bytes = LEAST_BYTES;
  private boolean windowGranted;
  private long creditedNanos;

  long bytes() {
    return bytes;
  }

  /** The other end has given back so much credit; the first is its window, and tells nothing. */
  void credited(long creditBytes, long nowNanos) {
    if (windowGranted) {
      double carried = creditBytes * NANOS / Math.max(1, nowNanos - creditedNanos);
      bytes = Math.round(Math.max(LEAST_BYTES, Math.min(MOST_BYTES, carried)));
    }
    windowGranted = true;
    creditedNanos = nowNanos;
  }
}
