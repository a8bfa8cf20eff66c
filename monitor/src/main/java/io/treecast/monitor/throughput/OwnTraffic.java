package io.treecast.monitor.throughput;

/**
 * The agents' own traffic over a link, in both directions, and the delay of probes that it
 * explains: bulk data fills the queues in which probes wait, and a wait that ends with it is not a
 * property of the link. One instance for each link, at each end: both see all data that crosses it.
 *
 * <p>A queue holds no more of that traffic than was put into it. So it delays a probe by no more
 * than the time that the link takes for the traffic of the latest seconds; a probe that takes
 * longer, or that is slow while little is sent, reveals a property of the link.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards, with any
 * origin.
 */
public final class OwnTraffic {
  /** The traffic of this span and of the previous one counts. */
  static final long SPAN_NANOS = 2_500_000_000L;

  /** Traffic that the link carries within this part of the time makes no queue. */
  static final int LITTLE_DIVISOR = 4;

  /** The traffic that is assumed to fill a link of unknown throughput. */
  static final long FILLING_BYTES = 256 << 10;

  private long beganNanos;
  private long bytes;
  private long bytesBefore;

  /** Adds data that was sent, or has arrived. */
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
   * Returns the greatest delay of a probe that is answered now.
   *
   * @param kbps expected throughput of the link; 0 if it is not known
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
