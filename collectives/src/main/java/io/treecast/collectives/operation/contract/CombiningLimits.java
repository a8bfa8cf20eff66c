package io.treecast.collectives.operation.contract;

import io.treecast.collectives.operation.Combining;

/**
 * The bounds of {@link Combining}. Immutable.
 *
 * @param operations the largest number of operations under way, including those of others that pass
 *     through; also the largest number of finished operations whose result is kept
 * @param valueBytes size of the largest contribution or result
 * @param totalBytes memory of contributions and results together
 */
public record CombiningLimits(int operations, int valueBytes, long totalBytes) {
  /** The largest {@code operations}. */
  public static final int MAX_OPERATIONS = 1 << 20;

  /** The smallest {@code valueBytes}. */
  public static final int MIN_VALUE_BYTES = 1 << 10;

  /** The largest {@code valueBytes}; a value must fit in a frame. */
  public static final int MAX_VALUE_BYTES = 4 << 20;

  /** The largest {@code totalBytes}. */
  public static final long MAX_TOTAL_BYTES = 1L << 40;

  /**
   * Checks that every limit is in its range.
   *
   * @throws IllegalArgumentException naming the setting, its value and the allowed range
   */
  public CombiningLimits {
    require("collectives", operations, 1, MAX_OPERATIONS);
    require("collectiveBytes", valueBytes, MIN_VALUE_BYTES, MAX_VALUE_BYTES);
    require("collectivesBytes", totalBytes, leastTotalBytes(valueBytes), MAX_TOTAL_BYTES);
  }

  /** Returns the default bounds: 1,000 operations, values up to 1 MiB, 64 MiB for all. */
  public static CombiningLimits defaults() {
    return new CombiningLimits(1_000, 1 << 20, 64 << 20);
  }

  /** Returns the smallest {@code totalBytes} for values of this size. */
  public static long leastTotalBytes(int valueBytes) {
    return 4L * valueBytes;
  }

  private static void require(String setting, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "limits." + setting + " is " + value + "; allowed are " + least + " to " + most);
    }
  }
}
