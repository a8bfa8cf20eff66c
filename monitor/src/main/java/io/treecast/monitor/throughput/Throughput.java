package io.treecast.monitor.throughput;

/** Conversion of bytes and time to a throughput. */
public final class Throughput {
  /** The greatest throughput that is distinguished: a terabit per second. */
  public static final long MAX_KBPS = 1_000_000_000;

  private Throughput() {}

  /** Returns kilobits (1,000 bits) per second, 1 to {@link #MAX_KBPS}. */
  public static long kbps(long bytes, long nanos) {
    double exact = bytes * 8e6 / Math.max(1, nanos);
    return Math.max(1, Math.min(MAX_KBPS, Math.round(exact)));
  }
}
