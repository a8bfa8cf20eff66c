package io.treecast.ghs;

import java.util.Comparator;

/**
 * The level of a fragment, within an epoch. Totally ordered by epoch, then level. A node joins
 * another fragment only if that fragment's rank is higher than its own. So the rank of a node never
 * falls, and parents never form a cycle.
 *
 * @param epoch at least 0; a fragment that was cut off begins the next epoch
 * @param level at least 0: the number of merges of fragments of equal rank within the epoch. A
 *     fragment of level L holds at least 2^L of the fragments that the epoch began with
 */
public record Rank(long epoch, int level) implements Comparable<Rank> {
  /**
   * The highest level: no network has the 2^62 nodes that a higher one takes. Fragments that claim
   * this level merge into the next epoch.
   */
  public static final int MAX_LEVEL = 62;

  /** The rank of a node that starts. */
  public static final Rank LOWEST = new Rank(0, 0);

  private static final Comparator<Rank> ORDER =
      Comparator.comparingLong(Rank::epoch).thenComparingInt(Rank::level);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if one is negative, or the level above {@link #MAX_LEVEL}
   */
  public Rank {
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch is " + epoch + "; the least is 0");
    }
    if (level < 0 || level > MAX_LEVEL) {
      throw new IllegalArgumentException(
          "level is " + Integer.toUnsignedString(level) + "; allowed are 0 to " + MAX_LEVEL);
    }
  }

  /** The rank of a fragment that was cut off from one of this rank. */
  Rank nextEpoch() {
    return new Rank(Math.addExact(epoch, 1), 0);
  }

  /** The rank of the fragment into which two of this rank merge. */
  Rank nextLevel() {
    return level == MAX_LEVEL ? nextEpoch() : new Rank(epoch, level + 1);
  }

  boolean isHigherThan(Rank other) {
    return compareTo(other) > 0;
  }

  boolean isLowerThan(Rank other) {
    return compareTo(other) < 0;
  }

  @Override
  public int compareTo(Rank other) {
    return ORDER.compare(this, other);
  }

  /** For example {@code 3.1}: epoch 3, level 1. */
  @Override
  public String toString() {
    return epoch + "." + level;
  }
}
