package io.treecast.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Delays between attempts: each twice the one before, up to a limit, and each shortened at random
 * by up to half so that clients that lost the same agent do not come back at the same instant.
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

  /** How long to wait before the next attempt, in nanoseconds. */
  long nextDelayNanos() {
    long ceiling = ceilingNanos;
    ceilingNanos = ceiling > maxNanos / 2 ? maxNanos : ceiling * 2;
    return ceiling - random.nextLong(ceiling / 2 + 1);
  }

  /** An attempt succeeded: the next delay is the first again. */
  void reset() {
    ceilingNanos = firstNanos;
  }
}
