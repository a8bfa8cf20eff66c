package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.Operation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * This member's memory for large operations: half of the memory of all operations. Each new
 * operation is promised three quarters of the memory that is not promised yet. So a single one has
 * most of it, and no operation waits for another.
 */
final class Windows {
  /** The time for which memory is reserved for an operation without messages. */
  private static final long QUIET_NANOS = 10_000_000_000L;

  /**
   * The windows in memory besides one for each neighbour: of the member's own contributions, and of
   * results that a neighbour may still lack. A segment has one or the other.
   */
  private static final int OWN_WINDOWS = 2;

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
   * Returns the numbers of this member for an opening: its window in bytes along the tree, 1 if it
   * has a chain and otherwise 0, and its window along the chain.
   *
   * @param neighbours the number of neighbours in the tree
   * @param isUnderWay whether the opening of a name is under way
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
      promise = new Promise((bytes - promised) / 4 * 3);
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
