package io.treecast.testkit.sim.network;

import java.time.Duration;
import java.util.Random;

/**
 * Random stalls of processes, as on an overloaded machine, with a limit of the length and a share
 * of the time.
 */
public final class SimStalls {
  private final Random random;
  private final long longestStallNanos;
  private final long longestGapNanos;
  private boolean over;

  /**
   * Creates stalls with uniform lengths.
   *
   * @param longest the longest stall
   * @param share the share of the time in which a process has no processor, above 0 and below 1
   */
  public SimStalls(Duration longest, double share, long seed) {
    if (longest.isNegative() || longest.isZero() || share <= 0 || share >= 1) {
      throw new IllegalArgumentException(
          "stalls of up to %s in %s of the time: both must be above 0, and the share below 1"
              .formatted(longest, share));
    }
    this.random = new Random(seed);
    this.longestStallNanos = longest.toNanos();
    this.longestGapNanos = Math.max(1, Math.round(longestStallNanos * (1 - share) / share));
  }

  /** Ends the stalls; those that have begun still take their time. */
  public void end() {
    over = true;
  }

  public boolean areOver() {
    return over;
  }

  public long nextStallNanos() {
    return random.nextLong(longestStallNanos + 1);
  }

  /** Returns the time from a stall to the next. */
  public long nextGapNanos() {
    return random.nextLong(longestGapNanos + 1);
  }
}
