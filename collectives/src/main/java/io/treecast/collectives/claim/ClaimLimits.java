package io.treecast.collectives.claim;

/**
 * The bounds of {@link Claims}. Immutable.
 *
 * @param longestNanos the longest lease; after a restart without memory, the member does not vote
 *     for that long
 * @param claims the most claims that a member has votes or waiting owners for
 * @param calls the most calls of the applications of a member
 */
public record ClaimLimits(long longestNanos, int claims, int calls) {
  /** The most owners that wait for a claim at a member. */
  public static final int MAX_WAITING = 256;

  /** The largest {@code claims}. */
  public static final int MAX_CLAIMS = 1 << 20;

  /** The shortest lease. */
  public static final long MIN_LEASE_NANOS = 100_000_000;

  /** The largest {@code longestNanos}: an hour. */
  public static final long MAX_LEASE_NANOS = 3_600_000_000_000L;

  /** Returns the default bounds: leases of a minute, 1,000 claims, 1,000 calls. */
  public static ClaimLimits defaults() {
    return new ClaimLimits(60_000_000_000L, 1_000, 1_000);
  }

  /**
   * Checks that every limit is in its range.
   *
   * @throws IllegalArgumentException naming the setting, its value and the allowed range
   */
  public ClaimLimits {
    if (longestNanos < MIN_LEASE_NANOS || longestNanos > MAX_LEASE_NANOS) {
      throw new IllegalArgumentException(
          "limits.leaseMillis is "
              + longestNanos / 1_000_000
              + "; allowed are "
              + MIN_LEASE_NANOS / 1_000_000
              + " to "
              + MAX_LEASE_NANOS / 1_000_000);
    }
    if (claims < 1 || calls < 1) {
      throw new IllegalArgumentException("limits.claims is less than 1; at least 1 is allowed");
    }
  }
}
