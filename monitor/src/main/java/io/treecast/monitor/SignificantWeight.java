package io.treecast.monitor;

import java.util.OptionalLong;

/**
 * The weight that a link's owner has announced, and when to announce another. One for each link, at
 * the owner; fed with the forecast at each measurement.
 *
 * <p>A change counts when it exceeds the relative threshold, the floor and the error to expect of
 * the forecast.
 *
 * <p>A change of the tree costs something, too. So a link beside the tree is announced with a
 * <em>surcharge</em>: it takes the place of an edge only if it saves more than the surcharge, which
 * is the cost of a change, and at least the floor and the error. As an edge of the tree it weighs
 * what its forecast is. So both ends and all members judge by announced weights alone, and the tree
 * is minimal by these.
 *
 * <p>Once a link has changed so often that it is damped, improvements wait until it has calmed
 * down. Only changes that may change the tree count for that.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards, with any
 * origin.
 */
public final class SignificantWeight {
  private final SignificancePolicy policy;
  private final Damping damping;
  private long announcedMicros;

  /**
   * A link whose weight is announced now for the first time; {@link #announcedMicros} says which.
   *
   * @param rttMicros the round trip, at least 1
   */
  public SignificantWeight(SignificancePolicy policy, long rttMicros) {
    this.policy = policy;
    this.damping = new Damping(policy.damping());
    this.announcedMicros = policy.grid().weightMicros(rttMicros);
  }

  /** The weight that holds, in microseconds, on the grid. */
  public long announcedMicros() {
    return announcedMicros;
  }

  /** Whether the link has changed so often that improvements wait. */
  public boolean damped(long nowNanos) {
    return damping.holds(nowNanos);
  }

  /** What the link's changes so far count now: see {@link DampingPolicy}. */
  public double penalty(long nowNanos) {
    return damping.penalty(nowNanos);
  }

  /**
   * Takes in a forecast.
   *
   * @param forecastMicros the round trip, at least 1
   * @param errorMicros the error to expect of it, at least 0
   * @param stake what the tree has at stake in the link
   * @param nowNanos when it was made
   * @return the new weight to announce; empty where the announced one stays
   */
  public OptionalLong update(
      long forecastMicros, long errorMicros, TreeStake stake, long nowNanos) {
    if (errorMicros < 0) {
      throw new IllegalArgumentException("errorMicros is " + errorMicros + "; the least is 0");
    }
    boolean isBeside = stake == TreeStake.BESIDE;
    long weightMicros =
        policy
            .grid()
            .weightMicros(
                isBeside ? policy.surchargedMicros(forecastMicros, errorMicros) : forecastMicros);
    long changeMicros = weightMicros - announcedMicros;
    // The error is in the surcharge already.
    double leastMicros = policy.leastChangeMicros(announcedMicros, isBeside ? 0 : errorMicros);
    boolean isHeld = changeMicros < 0 && damping.holds(nowNanos);
    if (Math.abs(changeMicros) <= leastMicros || isHeld) {
      return OptionalLong.empty();
    }
    if (stake.isTouchedBy(announcedMicros, weightMicros)) {
      damping.changed(nowNanos);
    }
    announcedMicros = weightMicros;
    return OptionalLong.of(weightMicros);
  }

  /** Above which forecast the weight of an edge of the tree changes. */
  public long mostMicros(long errorMicros) {
    return announcedMicros + (long) policy.leastChangeMicros(announcedMicros, errorMicros);
  }
}
