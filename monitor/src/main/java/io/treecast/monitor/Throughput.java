package io.treecast.monitor;

/** Bytes and time as a throughput. */
public final class Throughput {
  /** Greatest throughput that is told apart: a terabit a second. */
  public static final long MAX_KBPS = 1_000_000_000;

  private Throughput() {}

  /** Kilobits (1,000 bits) a second, 1 to {@link #MAX_KBPS}. */
  public static long kbps(long bytes, long nanos) {
    double exact = bytes * 8e6 / Math.max(1, nanos);
    return Math.max(1, Math.min(MAX_KBPS, Math.round(exact)));
  }
}
