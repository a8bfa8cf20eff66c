package io.treecast.client;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The time of the root of the committed tree, with a bound of its error: the root's true time is
 * within {@code rootNanos ± errorNanos}. Immutable.
 *
 * <p>Each committed tree begins an epoch. Its time starts with the time of the root's machine and
 * advances with the root's monotonic clock, so it is unaffected when a machine's clock is set.
 *
 * @param treeVersion version of the committed tree
 * @param root id of its root
 * @param rootIncarnation incarnation of the root, which distinguishes its restarts
 * @param rootNanos nanoseconds since 1970
 * @param errorNanos bound of the error in nanoseconds, if no clock gains or loses more than 100 in
 *     a million; at least 0
 */
public record ClusterTime(
    long treeVersion, String root, long rootIncarnation, long rootNanos, long errorNanos) {
  /** The order of two times. */
  public enum Order {
    /** The first was certainly earlier. */
    BEFORE,
    /** The first was certainly later. */
    AFTER,
    /** The bounds overlap, so either may have been earlier. */
    OVERLAPPING,
    /** The times belong to different epochs, whose clocks differ by an unknown amount. */
    OTHER_EPOCH
  }

  /** Returns whether both times are of the same epoch. */
  public boolean isSameEpoch(ClusterTime other) {
    return treeVersion == other.treeVersion
        && root.equals(other.root)
        && rootIncarnation == other.rootIncarnation;
  }

  /** Returns the order of this time and another, which may be from another member. */
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

  /** Returns the same time, but not earlier than the given one. */
  ClusterTime notBefore(long leastNanos) {
    return rootNanos >= leastNanos
        ? this
        : withTime(leastNanos, errorNanos + leastNanos - rootNanos);
  }

  private ClusterTime withTime(long newRootNanos, long newErrorNanos) {
    return new ClusterTime(treeVersion, root, rootIncarnation, newRootNanos, newErrorNanos);
  }

  /** Returns, for example, {@code 2026-11-27T22:51:48.000123Z ± 0.42 ms (v3 of h1)}. */
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
