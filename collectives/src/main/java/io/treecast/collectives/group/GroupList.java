package io.treecast.collectives.group;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The groups of a tree that have members. Immutable.
 *
 * @param sizes the number of members of each; at most {@link #MAX_GROUPS}
 * @param more whether there are more groups
 */
public record GroupList(SortedMap<GroupPath, Integer> sizes, boolean more) {
  /** The most groups in a list. */
  public static final int MAX_GROUPS = 1_000;

  /**
   * Copies the sizes.
   *
   * @throws IllegalArgumentException if there are too many
   */
  public GroupList {
    if (sizes.size() > MAX_GROUPS) {
      throw new IllegalArgumentException(
          sizes.size() + " groups in a list; allowed are " + MAX_GROUPS);
    }
    sizes = Collections.unmodifiableSortedMap(new TreeMap<>(sizes));
  }
}
