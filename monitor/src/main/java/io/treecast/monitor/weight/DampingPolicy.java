package io.treecast.monitor.weight;

import java.time.Duration;

/**
 * The rule that holds back the weight of a flapping link. Each announced change adds 1 to a
 * penalty, which decays by half in each half-life. From {@code holdAbove} until it is below {@code
 * releaseBelow}, only worse weights are announced: a link that alternates between good and bad
 * counts as bad. Immutable, and checked on construction.
 *
 * <p>Source: the scheme of route flap damping, RFC 2439, section 4, with one difference: a damped
 * link stays usable.
 *
 * @param halfLife time in which the penalty halves, 1 ms to 24 h
 * @param holdAbove penalty above which improvements are held back, {@code releaseBelow} to {@code
 *     maxPenalty}
 * @param releaseBelow penalty below which they are released, above 0
 * @param maxPenalty upper bound of the penalty, up to {@value #GREATEST_PENALTY}; it bounds the
 *     wait of a link that has become stable to {@code halfLife * log2(maxPenalty / releaseBelow)}
 */
public record DampingPolicy(
    Duration halfLife, double holdAbove, double releaseBelow, double maxPenalty) {
  /** Greatest of all penalties. */
  public static final double GREATEST_PENALTY = 1_000_000;

  /** Shortest half-life. */
  public static final Duration MIN_HALF_LIFE = Duration.ofMillis(1);

  /** Longest half-life. */
  public static final Duration MAX_HALF_LIFE = Duration.ofHours(24);

  // Below the limits, because its own check reads them.
  /**
   * More than four changes in quick succession; a link that has calmed down waits for 180 s at
   * most.
   */
  public static final DampingPolicy DEFAULT = new DampingPolicy(Duration.ofSeconds(60), 4, 1, 8);

  /** Holds back no link that changes fewer than a million times. */
  public static final DampingPolicy NONE =
      new DampingPolicy(MIN_HALF_LIFE, GREATEST_PENALTY, GREATEST_PENALTY, GREATEST_PENALTY);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException naming the setting, its value and the allowed range
   */
  public DampingPolicy {
    AllowedRange.check("halfLife", halfLife, MIN_HALF_LIFE, MAX_HALF_LIFE);
    AllowedRange.check("maxPenalty", maxPenalty, 1.0, GREATEST_PENALTY);
    AllowedRange.check("holdAbove", holdAbove, 0.0, maxPenalty);
    AllowedRange.check("releaseBelow", releaseBelow, Double.MIN_VALUE, holdAbove);
  }
}
