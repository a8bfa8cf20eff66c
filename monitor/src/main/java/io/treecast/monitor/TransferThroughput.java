package io.treecast.monitor;

/**
 * What the transfers over a link show of its throughput: at least how fast it is. One for each data
 * stream, at the end that sends.
 *
 * <p>Only while something is under way all the time does the time count. What is acknowledged in
 * such an interval, less what was under way at its begin, was carried within it, but for what of
 * that counts without being carried: at most as much as was sent of it within. So the result is
 * never too high, however the acknowledgements come; how far it is too low nobody can tell from
 * here, because they also wait for slow subscribers further on.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards.
 */
public final class TransferThroughput {
  /** An interval in which less was carried tells nothing. */
  static final long LEAST_BYTES = 256 << 10;

  /** Nor does a shorter one. */
  static final long LEAST_NANOS = 20_000_000;

  /** Then the next interval begins, since throughput changes. */
  static final long LONGEST_NANOS = 10_000_000_000L;

  private long underWayBytes;
  private long underWayAtBeginBytes;
  private long acknowledgedBytes;
  private long uncarriedBytes;
  private long beginNanos;
  private long bestKbps;

  /**
   * Something was sent.
   *
   * @param bytes what it counts when it is acknowledged
   * @param uncarried how many of these the link does not carry
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

  /** The other end has dealt with so much; more than is under way are no acknowledgement. */
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

  /** The stream is gone, with what was under way. */
  public void ended() {
    underWayBytes = 0;
  }

  /** At least how fast the link was since this was last asked, kilobits a second; 0 if unknown. */
  public long takeKbps() {
    long best = bestKbps;
    bestKbps = 0;
    return best;
  }
}
