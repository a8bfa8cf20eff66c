package io.treecast.monitor.weight;

/**
 * The rule by which a change of a link's forecast round trip becomes a change of its weight.
 * Immutable, and checked on construction.
 *
 * @param relativeThreshold the part of the announced weight that a change must exceed, 0 to {@value
 *     #MAX_RELATIVE_THRESHOLD}
 * @param floorMicros the least change in any case, in microseconds, 0 to {@value
 *     WeightGrid#MAX_MICROS}
 * @param errorFactor how many times the mean error of the forecast a change must exceed, 0 to
 *     {@value #MAX_FACTOR}
 * @param changeCost the saving that pays for a change of the tree, as a multiple of the lighter of
 *     the two weights, 0 to {@value #MAX_FACTOR}: with 1, a link replaces an edge of the tree if it
 *     has less than half its weight
 * @param grid the values that weights may take
 * @param damping the rule for flapping links
 */
public record SignificancePolicy(
    double relativeThreshold,
    long floorMicros,
    double errorFactor,
    double changeCost,
    WeightGrid grid,
    DampingPolicy damping) {

  /** Greatest relative threshold: a link ten times slower goes unnoticed. */
  public static final double MAX_RELATIVE_THRESHOLD = 10;

  /** Greatest error factor and cost of a change. */
  public static final double MAX_FACTOR = 100;

  // Below the limits, because its own check reads them.
  /**
   * More than a fifth, more than 1 ms and more than half the forecast's error; a link beside the
   * tree weighs twice its forecast. Chosen on recorded networks: see {@code docs/forecasting.md}.
   */
  public static final SignificancePolicy DEFAULT =
      new SignificancePolicy(0.20, 1_000, 0.5, 1, WeightGrid.DEFAULT, DampingPolicy.DEFAULT);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException naming the setting, its value and the allowed range
   */
  public SignificancePolicy {
    AllowedRange.check("relativeThreshold", relativeThreshold, 0.0, MAX_RELATIVE_THRESHOLD);
    AllowedRange.check("floorMicros", floorMicros, 0, WeightGrid.MAX_MICROS);
    AllowedRange.check("errorFactor", errorFactor, 0.0, MAX_FACTOR);
    AllowedRange.check("changeCost", changeCost, 0.0, MAX_FACTOR);
  }

  /** Returns these thresholds over another grid. */
  public SignificancePolicy withGrid(WeightGrid other) {
    return new SignificancePolicy(
        relativeThreshold, floorMicros, errorFactor, changeCost, other, damping);
  }

  /** Returns these thresholds with another cost of a change of the tree. */
  public SignificancePolicy withChangeCost(double other) {
    return new SignificancePolicy(
        relativeThreshold, floorMicros, errorFactor, other, grid, damping);
  }

  /** Returns the least significant change of a weight, in microseconds. */
  public double leastChangeMicros(long announcedMicros, long errorMicros) {
    double leastMicros = Math.max(relativeThreshold * announcedMicros, (double) floorMicros);
    return Math.max(leastMicros, errorFactor * errorMicros);
  }

  /**
   * Returns the weight of a link beside the tree, in microseconds, including the cost of a change.
   */
  long surchargedMicros(long forecastMicros, long errorMicros) {
    double byTime = forecastMicros + Math.max((double) floorMicros, errorFactor * errorMicros);
    return Math.round(Math.max(forecastMicros * (1 + changeCost), byTime));
  }

  /**
   * Returns the forecast below which a link replaces an edge of the tree, in microseconds; at least
   * 0.
   *
   * @param edgeMicros weight of the edge
   * @param errorMicros expected error of the forecast
   */
  public long joinsBelowMicros(long edgeMicros, long errorMicros) {
    double byTime = edgeMicros - Math.max((double) floorMicros, errorFactor * errorMicros);
    return Math.max(0, (long) Math.min(edgeMicros / (1 + changeCost), byTime));
  }
}
