package io.treecast.collectives.claim;

/**
 * The permitted drift of the clocks of members, and how much earlier than its votes a lease ends.
 */
final class Lease {
  /** A clock may gain or lose one part in so many against true time. */
  static final long DRIFT_PARTS = 100;

  private Lease() {}

  /**
   * Returns how long a holder may rely on votes for this lease, from before it requested them.
   *
   * <p>With a drift of at most d, a vote lasts for at least lease / (1 + d) of true time. A holder
   * that counts n by its own clock counts at most n / (1 - d) of true time, also if several slow
   * clocks count parts of n. So n = lease * (1 - d) / (1 + d) is safe, and a little less is
   * returned.
   */
  static long believedNanos(long leaseNanos) {
    return leaseNanos - 2 * (leaseNanos / DRIFT_PARTS) - 2;
  }
}
