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
 * <p>A link beside the tree that is announced without the surcharge, and lighter than the heaviest
 * edge between its ends, takes that edge's place: the tree is being changed for it. It gets no
 * surcharge before it is an edge. Else the tree could be changed, and come out as before.
 *
 * <p>What saves less at once may save as much in time. So the owner sums up, from measurement to
 * measurement, what the link would have saved in an edge's place; when that comes to the cost of a
 * change {@value #PATIENCE_MEASUREMENTS} times over, the surcharge is left out. What the sum counts
 * is the part of the difference that is significant, and it falls again when there is none: a
 * cumulative sum test (Page, "Continuous Inspection Schemes", Biometrika 41, 1954).
 *
 * <p>Once a link has changed so often that it is damped, improvements wait until it has calmed
 * down. Only changes that may change the tree count for that.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards, with any
 * origin.
 */
public final class SignificantWeight {
  /** In how many measurements a link must save the cost of a change, on average. */
  public static final int PATIENCE_MEASUREMENTS = 100;

  private final SignificancePolicy policy;
  private final Damping damping;
  private long announcedMicros;

  /** What the link would have saved so far, in parts of its forecast. */
  private double saved;

  /** Whether it was announced without the surcharge, and may be taking the place of an edge. */
  private boolean replacing;

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

  /** The first weight is told as it is, whatever the tree has at stake in the link. */
  public void toldWithoutSurcharge() {
    replacing = true;
  }

  /** The weight that holds, in microseconds, on the grid. */
  public long announcedMicros() {
    return announcedMicros;
  }

  /** Whether the link has changed so often that improvements wait. */
  public boolean damped(long nowNanos) {
    return damping.holds(nowNanos);
  }

  /** For how many more nanoseconds they wait, unless the link changes further; 0 if they do not. */
  public long dampedForNanos(long nowNanos) {
    return damping.holdsForNanos(nowNanos);
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
   * @param heaviestMicros what the heaviest edge between its ends weighs; only looked at for a link
   *     beside the tree
   * @param nowNanos when it was made
   * @return the new weight to announce; empty where the announced one stays
   */
  public OptionalLong update(
      long forecastMicros, long errorMicros, TreeStake stake, long heaviestMicros, long nowNanos) {
    if (errorMicros < 0) {
      throw new IllegalArgumentException("errorMicros is " + errorMicros + "; the least is 0");
    }
    boolean isBeside = stake == TreeStake.BESIDE;
    boolean hasPaid = isBeside && hasPaid(forecastMicros, errorMicros, heaviestMicros);
    if (!isBeside) {
      saved = 0;
      replacing = stake == TreeStake.NONE;
    }
    long weightMicros = policy.grid().weightMicros(forecastMicros);
    if (isBeside && !hasPaid) {
      long surchargedMicros =
          policy.grid().weightMicros(policy.surchargedMicros(forecastMicros, errorMicros));
      replacing &= announcedMicros < heaviestMicros;
      weightMicros =
          replacing
              ? Math.max(weightMicros, Math.min(announcedMicros, surchargedMicros))
              : surchargedMicros;
    }
    long changeMicros = weightMicros - announcedMicros;
    // The error is in the surcharge already, and what has paid is lighter by enough than an edge.
    double leastMicros =
        hasPaid ? 0 : policy.leastChangeMicros(announcedMicros, isBeside ? 0 : errorMicros);
    boolean isHeld = changeMicros < 0 && damping.holds(nowNanos);
    if (Math.abs(changeMicros) <= leastMicros || isHeld) {
      return OptionalLong.empty();
    }
    if (hasPaid) {
      saved = 0;
      replacing = true;
    }
    if (stake.isTouchedBy(announcedMicros, weightMicros)) {
      damping.changed(nowNanos);
    }
    announcedMicros = weightMicros;
    return OptionalLong.of(weightMicros);
  }

  /**
   * The last weight to announce has not been told, and will not be.
   *
   * @param toldMicros the one that was told before it, and holds
   */
  public void withdrawn(long toldMicros) {
    announcedMicros = toldMicros;
  }

  /** Adds what a link beside the tree would have saved, and says whether that pays a change. */
  private boolean hasPaid(long forecastMicros, long errorMicros, long heaviestMicros) {
    double saving = saving(forecastMicros, errorMicros, heaviestMicros);
    saved = Math.max(0, saved + saving);
    boolean isAnnouncedHeavier = announcedMicros >= heaviestMicros;
    return isAnnouncedHeavier && saving > 0 && saved >= PATIENCE_MEASUREMENTS * policy.changeCost();
  }

  /** By how much more than is significant it is lighter, in parts of its forecast. */
  private double saving(long forecastMicros, long errorMicros, long heaviestMicros) {
    double leastMicros = policy.leastChangeMicros(heaviestMicros, errorMicros);
    return (heaviestMicros - forecastMicros - leastMicros) / forecastMicros;
  }

  /**
   * After how many more measurements like this one a link beside the tree takes the place of an
   * edge, at least 0; empty if it never does.
   */
  public OptionalLong measurementsToGo(long forecastMicros, long errorMicros, long heaviestMicros) {
    double saving = saving(forecastMicros, errorMicros, heaviestMicros);
    if (saving <= 0) {
      return OptionalLong.empty();
    }
    double unpaid = Math.max(0, PATIENCE_MEASUREMENTS * policy.changeCost() - saved);
    return OptionalLong.of((long) Math.ceil(unpaid / saving));
  }

  /** Above which forecast the weight of an edge of the tree changes. */
  public long mostMicros(long errorMicros) {
    return announcedMicros + (long) policy.leastChangeMicros(announcedMicros, errorMicros);
  }
}
