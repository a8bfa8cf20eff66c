package io.treecast.monitor;

import java.util.OptionalLong;

/**
 * The weight that a link's owner has announced, and when to announce another. One for each link, at
 * the owner; fed with the estimate at each sample.
 *
 * <p>An estimate deviates when its distance from the announced weight exceeds both the relative
 * threshold and the floor. Once estimates have deviated in one direction, without a break, for the
 * dwell time, the latest of them becomes the weight. Worsening and improving are treated alike.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards, with any
 * origin.
 */
public final class SignificantWeight {
  private final SignificancePolicy policy;
  private final long dwellNanos;
  private long announcedMicros;

  /** Of the present deviation: 1 above the announced weight, -1 below it, 0 for none. */
  private int direction;

  private long deviatesSinceNanos;

  /**
   * A link whose weight is announced now for the first time; {@link #announcedMicros} says which.
   *
   * @param estimateMicros the round trip, at least 1
   */
  public SignificantWeight(SignificancePolicy policy, long estimateMicros) {
    this.policy = policy;
    this.dwellNanos = policy.dwell().toNanos();
    this.announcedMicros = policy.grid().weightMicros(estimateMicros);
  }

  /** The weight that holds, in microseconds, on the grid. */
  public long announcedMicros() {
    return announcedMicros;
  }

  /**
   * Takes in an estimate.
   *
   * @param estimateMicros the round trip, at least 1
   * @param nowNanos when it was made
   * @return the new weight to announce; empty where the announced one stays
   */
  public OptionalLong update(long estimateMicros, long nowNanos) {
    long weightMicros = policy.grid().weightMicros(estimateMicros);
    int deviation = deviation(weightMicros);
    if (deviation != direction) {
      direction = deviation;
      deviatesSinceNanos = nowNanos;
    }
    if (direction == 0 || nowNanos - deviatesSinceNanos < dwellNanos) {
      return OptionalLong.empty();
    }
    direction = 0;
    announcedMicros = weightMicros;
    return OptionalLong.of(weightMicros);
  }

  private int deviation(long weightMicros) {
    long changeMicros = weightMicros - announcedMicros;
    double leastMicros =
        Math.max(policy.relativeThreshold() * announcedMicros, (double) policy.floorMicros());
    return Math.abs(changeMicros) > leastMicros ? Long.signum(changeMicros) : 0;
  }
}
