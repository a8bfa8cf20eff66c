package io.treecast.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Delays between attempts. The upper bound doubles with each attempt, up to a limit. Each delay is
 * shortened at random by up to half of the bound, so that the clients of a lost agent do not all
 * return at once.
 *
 * <p>Not safe for use by several threads.
 */
final class Backoff {
  private final long firstNanos;
  private final long maxNanos;
  private final RandomGenerator random;
  private long ceilingNanos;

  Backoff(Duration first, Duration max, RandomGenerator random) {
    this.firstNanos = first.toNanos();
    this.maxNanos = max.toNanos();
    this.random = random;
    this.ceilingNanos = firstNanos;
  }

  /** Returns the delay before the next attempt, in nanoseconds. */
  long nextDelayNanos() {
    long ceiling = ceilingNanos;
    ceilingNanos = ceiling > maxNanos / 2 ? maxNanos : ceiling * 2;
    return ceiling - random.nextLong(ceiling / 2 + 1);
  }

  /** Restarts with the first delay; called after an attempt has succeeded. */
  void reset() {
    ceilingNanos = firstNanos;
  }
}
