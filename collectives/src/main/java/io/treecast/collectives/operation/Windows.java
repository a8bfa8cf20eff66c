package io.treecast.collectives.operation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * This member's memory for large operations: half of that of all operations. Each new one is
 * promised half of what those under way leave, so that none waits for another.
 */
final class Windows {
  /** How long memory is reserved for an operation of which nothing is heard. */
  private static final long QUIET_NANOS = 10_000_000_000L;

  /**
   * How often a window is in memory besides once for each neighbour: as the member's own
   * contributions, and twice as results that a neighbour may still lack.
   */
  private static final int OWN_WINDOWS = 3;

  private static final int CHAIN_NEIGHBOURS = 2;

  /** A segment has at most this part of a window, and no more than a value may have. */
  private static final int SEGMENTS = 16;

  private static final class Promise {
    final long bytes;
    long untilNanos;

    Promise(long bytes) {
      this.bytes = bytes;
    }
  }

  private final long bytes;
  private final long mostBytes;
  private final Map<String, Promise> promises = new LinkedHashMap<>();

  Windows(CombiningLimits limits) {
    this.bytes = limits.totalBytes() / 2;
    this.mostBytes = (long) SEGMENTS * limits.valueBytes();
  }

  /**
   * Returns what this member states at an opening: its window in bytes along the tree, whether
   * there is a chain, and its window along that.
   *
   * @param neighbours the number of neighbours in the tree
   * @param isUnderWay whether the opening of a name is
   */
  long[] offer(
      Operation opening,
      int neighbours,
      boolean hasChain,
      Predicate<String> isUnderWay,
      long nowNanos) {
    Promise promise = promises.get(opening.name());
    if (promise == null) {
      promises
          .entrySet()
          .removeIf(of -> of.getValue().untilNanos <= nowNanos && !isUnderWay.test(of.getKey()));
      long promised = promises.values().stream().mapToLong(other -> other.bytes).sum();
      promise = new Promise((bytes - promised) / 2);
      promises.put(opening.name(), promise);
    }
    promise.untilNanos = nowNanos + QUIET_NANOS;
    return new long[] {
      window(promise, neighbours), hasChain ? 1 : 0, window(promise, CHAIN_NEIGHBOURS)
    };
  }

  private long window(Promise promise, int neighbours) {
    return Math.min(mostBytes, promise.bytes / (neighbours + OWN_WINDOWS));
  }

  /** Notes that a segment begins here. */
  void used(Operation segment, long nowNanos) {
    Promise promise = promises.get(segment.nameOfWhole());
    if (promise != null) {
      promise.untilNanos = nowNanos + QUIET_NANOS;
    }
  }

  /** Notes that the last segment has ended here. */
  void over(Operation segment) {
    promises.remove(segment.nameOfWhole());
  }
}
