package io.treecast.monitor.weight;

/**
 * The values that a weight may take: multiples of a quantum on short links, whole microseconds on
 * long ones. Immutable, and checked on construction.
 *
 * <p>Why a grid: among links of a fraction of a millisecond, noise decides which is the lightest,
 * and a tree of such weights is a chain: 11 hops across, on average, in a site of 24 nodes whose
 * round trips differ by up to 0.1 ms. Links that share a weight are ordered by the ids of their
 * ends instead, and the lightest links of a site are then those of its lowest id: a star, two hops
 * across.
 *
 * <p>Consequence for minimality: a tree is minimal in the announced weights. Compare it with the
 * minimum spanning tree of those, not of unrounded round trips, from which it differs where these
 * differ by less than a quantum: by less than one quantum for each edge below {@code belowMicros}.
 * With {@link #EXACT} the two are equal.
 *
 * @param quantumMicros the step, 1 to {@value #MAX_MICROS}
 * @param belowMicros round trips from here on are kept as they are, 0 to {@value #MAX_MICROS}
 */
public record WeightGrid(long quantumMicros, long belowMicros) {
  /** Greatest quantum and limit: a minute. */
  public static final long MAX_MICROS = 60_000_000;

  // Below the limit, because its own check reads it.
  /** Steps of 500 microseconds below 10 ms: all links of an ordinary site weigh the same. */
  public static final WeightGrid DEFAULT = new WeightGrid(500, 10_000);

  /** Every whole microsecond, for round trips that are known exactly, as in virtual time. */
  public static final WeightGrid EXACT = new WeightGrid(1, 0);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException naming the setting, its value and the allowed range
   */
  public WeightGrid {
    AllowedRange.check("quantumMicros", quantumMicros, 1, MAX_MICROS);
    AllowedRange.check("belowMicros", belowMicros, 0, MAX_MICROS);
  }

  /**
   * Returns the weight of a link with that round trip: the nearest multiple of the quantum, at
   * least one quantum, at most {@code belowMicros}. A longer round trip never weighs less.
   *
   * @param rttMicros at least 1
   */
  public long weightMicros(long rttMicros) {
    if (rttMicros < 1) {
      throw new IllegalArgumentException("rttMicros is " + rttMicros + "; the least is 1");
    }
    if (rttMicros >= belowMicros) {
      return rttMicros;
    }
    long nearest = (rttMicros + quantumMicros / 2) / quantumMicros * quantumMicros;
    return Math.min(Math.max(nearest, quantumMicros), belowMicros);
  }
}
