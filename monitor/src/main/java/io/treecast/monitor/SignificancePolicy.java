package io.treecast.monitor;

import java.time.Duration;

/**
 * When a change of a link's round trip is one of its weight. Immutable, and checked when made.
 *
 * @param relativeThreshold the part of the announced weight that a change must exceed, 0 to {@value
 *     #MAX_RELATIVE_THRESHOLD}
 * @param floorMicros what a change must exceed in any case, in microseconds, 0 to {@value
 *     WeightGrid#MAX_MICROS}
 * @param dwell how long it must last without a break, 0 to 1 h
 * @param grid the values that weights may take
 */
public record SignificancePolicy(
    double relativeThreshold, long floorMicros, Duration dwell, WeightGrid grid) {

  /** Greatest relative threshold: a link ten times slower goes unnoticed. */
  public static final double MAX_RELATIVE_THRESHOLD = 10;

  /** Longest dwell time. */
  public static final Duration MAX_DWELL = Duration.ofHours(1);

  // Below the limits, because its own check reads them.
  /** More than a fifth and more than 1 ms, for 2 s. */
  public static final SignificancePolicy DEFAULT =
      new SignificancePolicy(0.20, 1_000, Duration.ofSeconds(2), WeightGrid.DEFAULT);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException naming the setting, its value and what is allowed
   */
  public SignificancePolicy {
    AllowedRange.check("relativeThreshold", relativeThreshold, 0.0, MAX_RELATIVE_THRESHOLD);
    AllowedRange.check("floorMicros", floorMicros, 0, WeightGrid.MAX_MICROS);
    AllowedRange.check("dwell", dwell, Duration.ZERO, MAX_DWELL);
  }

  /** The same thresholds over another grid. */
  public SignificancePolicy withGrid(WeightGrid other) {
    return new SignificancePolicy(relativeThreshold, floorMicros, dwell, other);
  }
}
