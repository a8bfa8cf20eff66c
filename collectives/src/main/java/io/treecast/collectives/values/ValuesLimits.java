package io.treecast.collectives.values;

/**
 * The bounds of {@link Values}. Immutable.
 *
 * @param totalBytes the most memory of all entries
 * @param mapBytes the most memory of the entries of a map
 * @param tombstoneNanos how long members remember that an entry was deleted
 * @param absentNanos how long an ephemeral entry outlives the presence of its owner in the tree
 */
public record ValuesLimits(long totalBytes, long mapBytes, long tombstoneNanos, long absentNanos) {
  /** The least {@code totalBytes} and {@code mapBytes}: room for a few entries of any size. */
  public static final long MIN_BYTES = 1 << 18;

  /** The largest {@code totalBytes}. */
  public static final long MAX_BYTES = 1L << 32;

  /** The most maps. */
  public static final int MAX_MAPS = 200;

  private static final long SECOND_NANOS = 1_000_000_000L;

  /** Returns the default bounds: 16 MiB, and 4 MiB for a map; ten minutes; 30 seconds. */
  public static ValuesLimits defaults() {
    return of(16 << 20, 4 << 20);
  }

  /** Returns bounds with the default times. */
  public static ValuesLimits of(long totalBytes, long mapBytes) {
    return new ValuesLimits(totalBytes, mapBytes, 600 * SECOND_NANOS, 30 * SECOND_NANOS);
  }

  /**
   * Checks that every limit is in its range.
   *
   * @throws IllegalArgumentException naming the setting, its value and the allowed range
   */
  public ValuesLimits {
    check("limits.valuesBytes", totalBytes);
    check("limits.valueMapBytes", mapBytes);
  }

  private static void check(String setting, long bytes) {
    if (bytes < MIN_BYTES || bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          setting + " is " + bytes + "; allowed are " + MIN_BYTES + " to " + MAX_BYTES);
    }
  }
}
