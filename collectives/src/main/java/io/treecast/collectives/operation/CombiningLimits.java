package io.treecast.collectives.operation;

/**
 * The bounds of {@link Combining}. Immutable.
 *
 * @param operations the most operations under way, those of others that pass through included; and
 *     the most finished ones whose result is kept
 * @param valueBytes the largest contribution or result
 * @param totalBytes what contributions and results take together
 */
public record CombiningLimits(int operations, int valueBytes, long totalBytes) {
  /** The most {@code operations}. */
  public static final int MAX_OPERATIONS = 1 << 20;

  /** The least {@code valueBytes}. */
  public static final int MIN_VALUE_BYTES = 1 << 10;

  /** The largest {@code valueBytes}: it is to fit in a frame. */
  public static final int MAX_VALUE_BYTES = 4 << 20;

  /** The most {@code totalBytes}. */
  public static final long MAX_TOTAL_BYTES = 1L << 40;

  /**
   * Checks that every limit is in its range.
   *
   * @throws IllegalArgumentException naming the setting, its value and what is allowed
   */
  public CombiningLimits {
    require("collectives", operations, 1, MAX_OPERATIONS);
    require("collectiveBytes", valueBytes, MIN_VALUE_BYTES, MAX_VALUE_BYTES);
    require("collectivesBytes", totalBytes, leastTotalBytes(valueBytes), MAX_TOTAL_BYTES);
  }

  /** 1,000 operations, values to 1 MiB, 16 MiB for all. */
  public static CombiningLimits defaults() {
    return new CombiningLimits(1_000, 1 << 20, 16 << 20);
  }

  /** The least {@code totalBytes} for values of this size. */
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
