package io.treecast.collectives.clock;

import io.treecast.collectives.broadcast.tree.TreeEpoch;

/**
 * A statement about the time of an epoch: at one instant of a clock, the root's time was this, give
 * or take an error. The root's time is the time of its machine when it committed the tree, in
 * nanoseconds since 1970, and from then on runs with its monotonic clock. So the statement stays
 * true, whatever happens to the tree or to the time of any machine. Immutable.
 *
 * @param epoch of the root
 * @param atNanos the instant, by the clock of the member that has the statement, or of one end of a
 *     link while it crosses it
 * @param rootNanos the root's time at that instant
 * @param errorNanos how far it may be from the truth, in either direction; 0 to {@link
 *     #MAX_ERROR_NANOS} in messages
 */
public record RootTime(TreeEpoch epoch, long atNanos, long rootNanos, long errorNanos) {
  /**
   * While one clock runs for this many nanoseconds, another gains or loses at most one: each may be
   * wrong by 100 in a million, which oscillators of computers keep in any temperature. Claims allow
   * for far more, because two holders are worse than a wide bound.
   */
  public static final long DRIFT_DIVISOR = 5_000;

  /** A statement with a larger error is not sent: an hour. */
  public static final long MAX_ERROR_NANOS = 3_600_000_000_000L;

  /** The most nanoseconds of a clock, in either direction: over 70 years. */
  public static final long MAX_CLOCK_NANOS = 1L << 61;

  /** Returns the statement for another instant of the same clock. */
  RootTime at(long instantNanos) {
    long passedNanos = instantNanos - atNanos;
    return new RootTime(
        epoch, instantNanos, rootNanos + passedNanos, errorNanos + driftNanos(passedNanos));
  }

  /** Returns the statement for another instant, if the clock is the root's own. */
  RootTime atRoot(long instantNanos) {
    return new RootTime(epoch, instantNanos, rootNanos + instantNanos - atNanos, errorNanos);
  }

  /**
   * Converts the instant to another clock.
   *
   * @param aheadNanos how far that clock is ahead of the present one
   * @param differenceErrorNanos how far that may be from the truth now
   * @param ageNanos how long ago the instant was
   */
  public RootTime byClock(long aheadNanos, long differenceErrorNanos, long ageNanos) {
    // The clocks may have drifted since the instant, which itself is known with that error.
    long instantErrorNanos =
        differenceErrorNanos + driftNanos(Math.abs(ageNanos) + differenceErrorNanos);
    return new RootTime(
        epoch,
        atNanos + aheadNanos,
        rootNanos,
        errorNanos + instantErrorNanos + driftNanos(instantErrorNanos));
  }

  /** Returns the same statement about a time that is not before the given one. */
  RootTime notBefore(long leastNanos) {
    return rootNanos >= leastNanos
        ? this
        : new RootTime(epoch, atNanos, leastNanos, errorNanos + leastNanos - rootNanos);
  }

  private static long driftNanos(long nanos) {
    return (Math.abs(nanos) + DRIFT_DIVISOR - 1) / DRIFT_DIVISOR;
  }
}
