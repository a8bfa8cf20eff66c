package io.treecast.monitor.throughput;

/**
 * A lower bound of a link's throughput, from the transfers over it. One instance for each data
 * stream, at the sending end.
 *
 * <p>Time counts only while data is under way without interruption. The bytes that are acknowledged
 * in such an interval, less those under way at its beginning, were carried within it, except for
 * bytes that count without being carried: at most as many of them as were sent within it. So the
 * result is never too high, however the acknowledgements arrive; how far it is too low is unknown
 * here, because acknowledgements also wait for slow subscribers further on.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards.
 */
public final class TransferThroughput {
  /** An interval in which less was carried is ignored. */
  static final long LEAST_BYTES = 256 << 10;

  /** A shorter interval is ignored. */
  static final long LEAST_NANOS = 20_000_000;

  /** The next interval begins after this time, because throughput changes. */
  static final long LONGEST_NANOS = 10_000_000_000L;

  private long underWayBytes;
  private long underWayAtBeginBytes;
  private long acknowledgedBytes;
  private long uncarriedBytes;
  private long beginNanos;
  private long bestKbps;

  /**
   * Notes that data was sent.
   *
   * @param bytes the bytes by which an acknowledgement will count this data
   * @param uncarried how many of these bytes the link does not carry
   */
  public void sent(long bytes, long uncarried, long nowNanos) {
    if (underWayBytes == 0) {
      begin(nowNanos);
    }
    underWayBytes += bytes;
    uncarriedBytes += uncarried;
  }

  private void begin(long nowNanos) {
    beginNanos = nowNanos;
    underWayAtBeginBytes = underWayBytes;
    acknowledgedBytes = 0;
    uncarriedBytes = 0;
  }

  /** Notes an acknowledgement; one of more bytes than are under way is ignored. */
  public void acknowledged(long bytes, long nowNanos) {
    long counted = Math.min(bytes, underWayBytes);
    underWayBytes -= counted;
    acknowledgedBytes += counted;
    long carriedBytes = acknowledgedBytes - underWayAtBeginBytes - uncarriedBytes;
    long nanos = nowNanos - beginNanos;
    if (carriedBytes >= LEAST_BYTES && nanos >= LEAST_NANOS) {
      bestKbps = Math.max(bestKbps, Throughput.kbps(carriedBytes, nanos));
    }
    if (nanos >= LONGEST_NANOS) {
      begin(nowNanos);
    }
  }

  /** Notes that the stream has ended, and its data under way is lost. */
  public void ended() {
    underWayBytes = 0;
  }

  /** Returns the lower bound since the last call, in kilobits per second; 0 if unknown. */
  public long takeKbps() {
    long best = bestKbps;
    bestKbps = 0;
    return best;
  }
}
