package io.treecast.monitor;

/**
 * What agents themselves send over a link, in both directions, and by how much longer a probe may
 * take for it: bulk fills the queues in which probes wait, and a wait that ends with it is no
 * property of the link. One for each link, at each end: both see all that crosses it.
 *
 * <p>A queue holds no more of it than was put into it. So it delays a probe by no more than the
 * time that the link takes for what agents sent in the latest seconds; a probe that takes longer
 * than that, or takes longer while little is sent, tells of the link.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards, with any
 * origin.
 */
public final class OwnTraffic {
  /** Counted is what crossed in this span and in the one before. */
  static final long SPAN_NANOS = 2_500_000_000L;

  /** What the link carries within this part of the time makes no queue. */
  static final int LITTLE_DIVISOR = 4;

  /** Where nobody knows how fast the link is, so much of it is taken to fill it. */
  static final long FILLING_BYTES = 256 << 10;

  private long beganNanos;
  private long bytes;
  private long bytesBefore;

  /** Something was sent, or has arrived. */
  public void carried(long sentBytes, long nowNanos) {
    passTo(nowNanos);
    bytes += sentBytes;
  }

  private void passTo(long nowNanos) {
    if (bytes == 0 && bytesBefore == 0) {
      beganNanos = nowNanos;
    }
    long spans = (nowNanos - beganNanos) / SPAN_NANOS;
    if (spans > 0) {
      bytesBefore = spans == 1 ? bytes : 0;
      bytes = 0;
      beganNanos += spans * SPAN_NANOS;
    }
  }

  /**
   * By how much longer a probe that is answered now may take, at most.
   *
   * @param kbps what the link is expected to carry; 0 if that is not known
   * @return microseconds; 0 while too little is sent to make a queue
   */
  public long mostDelayMicros(long kbps, long nowNanos) {
    passTo(nowNanos);
    long carriedBytes = bytes + bytesBefore;
    if (kbps == 0) {
      return carriedBytes < FILLING_BYTES ? 0 : SPAN_NANOS / 1_000;
    }
    double carriedNanos = carriedBytes * 8e6 / kbps;
    double spanNanos = bytesBefore == 0 ? SPAN_NANOS : nowNanos - beganNanos + (double) SPAN_NANOS;
    return carriedNanos * LITTLE_DIVISOR < spanNanos ? 0 : (long) (carriedNanos / 1_000);
  }
}
