package io.treecast.monitor.weight;

/**
 * The penalty of one link for its changes: see {@link DampingPolicy}. Single-threaded. Times are
 * nanoseconds of any clock that does not run backwards, with any origin.
 */
final class Damping {
  private final DampingPolicy policy;
  private double penalty;
  private long penaltyNanos;
  private boolean holding;

  Damping(DampingPolicy policy) {
    this.policy = policy;
  }

  /** Adds an announced change of the link's weight. */
  void changed(long nowNanos) {
    penalty = Math.min(penalty(nowNanos) + 1, policy.maxPenalty());
    penaltyNanos = nowNanos;
    holding |= penalty > policy.holdAbove();
  }

  /** Returns the remaining penalty. */
  double penalty(long nowNanos) {
    double halfLives = (nowNanos - penaltyNanos) / (double) policy.halfLife().toNanos();
    return penalty * Math.pow(0.5, halfLives);
  }

  /** Returns whether improvements are held back. */
  boolean holds(long nowNanos) {
    holding &= penalty(nowNanos) >= policy.releaseBelow();
    return holding;
  }

  /**
   * Returns how many more nanoseconds improvements are held back, without further changes; 0 if
   * they are not.
   */
  long holdsForNanos(long nowNanos) {
    if (!holds(nowNanos)) {
      return 0;
    }
    double halfLives = Math.log(penalty(nowNanos) / policy.releaseBelow()) / Math.log(2);
    return (long) Math.ceil(halfLives * policy.halfLife().toNanos());
  }
}
