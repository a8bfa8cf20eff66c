package io.treecast.mst;

import java.util.Comparator;

/**
 * The seniority of a fragment. Totally ordered by epoch, then level. A node joins another fragment
 * only if that one's rank is higher than its own, so no node's rank ever falls and parent pointers
 * never close a cycle.
 *
 * @param epoch at least 0; a fragment that was cut off opens a new one
 * @param level at least 0; how often fragments of equal rank merged within the epoch, so a fragment
 *     of level L holds at least 2^L of the fragments that the epoch began with
 */
public record Rank(long epoch, int level) implements Comparable<Rank> {
  /**
   * The highest level. A fragment of level L holds at least 2^L of those that its epoch began with,
   * so no fragments merge to more; one that says it did merges into the next epoch.
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
      throw new IllegalArgumentException("epoch " + epoch + "; the least is 0");
    }
    if (level < 0 || level > MAX_LEVEL) {
      throw new IllegalArgumentException(
          "level " + Integer.toUnsignedString(level) + "; allowed are 0 to " + MAX_LEVEL);
    }
  }

  /** The rank of what was cut off a fragment of this rank. */
  Rank nextEpoch() {
    return new Rank(Math.addExact(epoch, 1), 0);
  }

  /** The rank of what two fragments of this rank merge into. */
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
