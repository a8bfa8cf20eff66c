package io.treecast.monitor.weight;

import java.util.OptionalLong;

/**
 * The weight that a link's owner has announced, and the decision to announce another. One instance
 * for each link, at the owner; receives the forecast at each measurement.
 *
 * <p>A change counts when it exceeds the relative threshold, the floor and the expected error of
 * the forecast.
 *
 * <p>A change of the tree has a cost, too. So a link beside the tree is announced with a
 * <em>surcharge</em>: it replaces an edge only if it saves more than the surcharge, which is the
 * cost of a change, and at least the floor and the error. As an edge of the tree it weighs its
 * forecast. So both ends and all members judge by announced weights alone, and the tree is minimal
 * by these.
 *
 * <p>A link beside the tree that is announced without the surcharge, and lighter than the heaviest
 * edge between its ends, takes that edge's place: the tree is being changed for it. It gets no
 * surcharge before it is an edge. Otherwise the tree could be changed, and return to its previous
 * state.
 *
 * <p>A smaller saving may pay over time. So the owner sums up, from measurement to measurement, the
 * saving that the link would have brought in an edge's place; when the sum reaches {@value
 * #PATIENCE_MEASUREMENTS} times the cost of a change, the surcharge is left out. The sum counts the
 * significant part of the difference, and falls again when there is none: a cumulative sum test
 * (Page, "Continuous Inspection Schemes", Biometrika 41, 1954).
 *
 * <p>Once a link has changed so often that it is damped, improvements wait until it has calmed
 * down. Only changes that may change the tree count for that.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards, with any
 * origin.
 */
public final class SignificantWeight {
  /** The number of measurements in which a link must save the cost of a change, on average. */
  public static final int PATIENCE_MEASUREMENTS = 100;

  private final SignificancePolicy policy;
  private final Damping damping;
  private long announcedMicros;

  /** The saving of the link so far, in parts of its forecast. */
  private double saved;

  /** Whether it was announced without the surcharge, and may be replacing an edge. */
  private boolean replacing;

  /**
   * Creates the weight of a link that is announced now for the first time; {@link #announcedMicros}
   * returns it.
   *
   * @param rttMicros the round trip, at least 1
   */
  public SignificantWeight(SignificancePolicy policy, long rttMicros) {
    this.policy = policy;
    this.damping = new Damping(policy.damping());
    this.announcedMicros = policy.grid().weightMicros(rttMicros);
  }

  /**
   * Notes that the first weight was announced without a surcharge, whatever the role of the link.
   */
  public void announcedWithoutSurcharge() {
    replacing = true;
  }

  /** Returns the announced weight, in microseconds, on the grid. */
  public long announcedMicros() {
    return announcedMicros;
  }

  /** Returns whether the link has changed so often that improvements wait. */
  public boolean damped(long nowNanos) {
    return damping.holds(nowNanos);
  }

  /**
   * Returns how many more nanoseconds improvements wait if the link changes no further; 0 if they
   * do not wait.
   */
  public long dampedForNanos(long nowNanos) {
    return damping.holdsForNanos(nowNanos);
  }

  /** Returns the present penalty of the link's changes: see {@link DampingPolicy}. */
  public double penalty(long nowNanos) {
    return damping.penalty(nowNanos);
  }

  /**
   * Takes in a forecast.
   *
   * @param forecastMicros the round trip, at least 1
   * @param errorMicros its expected error, at least 0
   * @param linkRole the link's role in the tree
   * @param heaviestMicros weight of the heaviest edge between its ends; used only for a link beside
   *     the tree
   * @param nowNanos time of the forecast
   * @return the new weight to announce; empty if the announced one stays
   */
  public OptionalLong update(
      long forecastMicros,
      long errorMicros,
      LinkRole linkRole,
      long heaviestMicros,
      long nowNanos) {
    if (errorMicros < 0) {
      throw new IllegalArgumentException("errorMicros is " + errorMicros + "; the least is 0");
    }
    boolean isBeside = linkRole == LinkRole.BESIDE;
    boolean hasPaid = isBeside && hasPaid(forecastMicros, errorMicros, heaviestMicros);
    if (!isBeside) {
      saved = 0;
      replacing = linkRole == LinkRole.NONE;
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
    // The surcharge includes the error, and a link that has paid is lighter than an edge by enough.
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
    if (linkRole.isAffectedBy(announcedMicros, weightMicros)) {
      damping.changed(nowNanos);
    }
    announcedMicros = weightMicros;
    return OptionalLong.of(weightMicros);
  }

  /**
   * Withdraws the latest weight that {@link #update} returned, because it was never sent.
   *
   * @param toldMicros the weight that was announced before it, and is in effect
   */
  public void withdrawn(long toldMicros) {
    announcedMicros = toldMicros;
  }

  /** Adds the saving of a link beside the tree, and returns whether it pays for a change. */
  private boolean hasPaid(long forecastMicros, long errorMicros, long heaviestMicros) {
    double saving = saving(forecastMicros, errorMicros, heaviestMicros);
    saved = Math.max(0, saved + saving);
    boolean isAnnouncedHeavier = announcedMicros >= heaviestMicros;
    return isAnnouncedHeavier && saving > 0 && saved >= PATIENCE_MEASUREMENTS * policy.changeCost();
  }

  /** The significant part of the link's advantage, in parts of its forecast. */
  private double saving(long forecastMicros, long errorMicros, long heaviestMicros) {
    double leastMicros = policy.leastChangeMicros(heaviestMicros, errorMicros);
    return (heaviestMicros - forecastMicros - leastMicros) / forecastMicros;
  }

  /**
   * Returns after how many more measurements like this one a link beside the tree replaces an edge,
   * at least 0; empty if it never does.
   */
  public OptionalLong measurementsToGo(long forecastMicros, long errorMicros, long heaviestMicros) {
    double saving = saving(forecastMicros, errorMicros, heaviestMicros);
    if (saving <= 0) {
      return OptionalLong.empty();
    }
    double unpaid = Math.max(0, PATIENCE_MEASUREMENTS * policy.changeCost() - saved);
    return OptionalLong.of((long) Math.ceil(unpaid / saving));
  }

  /** Returns the forecast above which the weight of an edge of the tree changes. */
  public long mostMicros(long errorMicros) {
    return announcedMicros + (long) policy.leastChangeMicros(announcedMicros, errorMicros);
  }
}
