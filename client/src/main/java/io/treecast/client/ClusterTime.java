package io.treecast.client;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The time of the root of the committed tree, with a bound of its error: the root's true time is in
 * {@code rootNanos ± errorNanos}. Immutable.
 *
 * <p>Each committed tree begins an epoch. In it, time begins with that of the root's machine and
 * runs with the root's monotonic clock, so a step of a machine's time does not disturb it.
 *
 * @param treeVersion version of the committed tree
 * @param root id of its root
 * @param rootIncarnation incarnation of the root, which tells its restarts apart
 * @param rootNanos nanoseconds since 1970
 * @param errorNanos bound of the error in nanoseconds, if no clock gains or loses more than 100 in
 *     a million; at least 0
 */
public record ClusterTime(
    long treeVersion, String root, long rootIncarnation, long rootNanos, long errorNanos) {
  /** How two times relate. */
  public enum Order {
    /** The first was earlier, in truth. */
    BEFORE,
    /** The first was later, in truth. */
    AFTER,
    /** The bounds overlap, so either may have been earlier. */
    OVERLAPPING,
    /** The times are of different epochs, whose roots' clocks differ by an unknown time. */
    OTHER_EPOCH
  }

  /** Returns whether both are by the same clock. */
  public boolean isSameEpoch(ClusterTime other) {
    return treeVersion == other.treeVersion
        && root.equals(other.root)
        && rootIncarnation == other.rootIncarnation;
  }

  /** Returns how this time relates to another, perhaps of another member. */
  public Order order(ClusterTime other) {
    if (!isSameEpoch(other)) {
      return Order.OTHER_EPOCH;
    }
    long aheadNanos = rootNanos - other.rootNanos;
    if (Math.abs(aheadNanos) <= errorNanos + other.errorNanos) {
      return Order.OVERLAPPING;
    }
    return aheadNanos < 0 ? Order.BEFORE : Order.AFTER;
  }

  /** Returns the time without its error. */
  public Instant instant() {
    long second = TimeUnit.SECONDS.toNanos(1);
    return Instant.ofEpochSecond(
        Math.floorDiv(rootNanos, second), Math.floorMod(rootNanos, second));
  }

  /** Returns the bound of the error. */
  public Duration error() {
    return Duration.ofNanos(errorNanos);
  }

  /** Returns the time after this many nanoseconds of another clock, which may drift. */
  ClusterTime after(long nanos, long driftDivisor) {
    return withTime(
        rootNanos + nanos, errorNanos + (Math.abs(nanos) + driftDivisor - 1) / driftDivisor);
  }

  /** Returns the same time with another value that is not before the given one. */
  ClusterTime notBefore(long leastNanos) {
    return rootNanos >= leastNanos
        ? this
        : withTime(leastNanos, errorNanos + leastNanos - rootNanos);
  }

  private ClusterTime withTime(long newRootNanos, long newErrorNanos) {
    return new ClusterTime(treeVersion, root, rootIncarnation, newRootNanos, newErrorNanos);
  }

  /** For example {@code 2026-11-27T22:51:48.000123Z ± 0.42 ms (v3 of h1)}. */
  @Override
  public String toString() {
    return instant()
        + " ± "
        + TimeUnit.NANOSECONDS.toMicros(errorNanos) / 1e3
        + " ms (v"
        + treeVersion
        + " of "
        + root
        + ")";
  }
}
