package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import java.util.Comparator;

/**
 * The time of one committed tree. Parts of a network that are cut off from each other may have
 * trees of the same version, but not of the same root.
 *
 * @param treeVersion of the committed tree
 * @param root of it
 */
public record TreeEpoch(long treeVersion, NodeId root) implements Comparable<TreeEpoch> {
  private static final Comparator<TreeEpoch> ORDER =
      Comparator.comparingLong(TreeEpoch::treeVersion).thenComparing(TreeEpoch::root);

  /**
   * Checks the version.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public TreeEpoch {
    if (treeVersion < 1) {
      throw new IllegalArgumentException("tree version " + treeVersion + " is less than 1");
    }
  }

  @Override
  public int compareTo(TreeEpoch other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return "v" + treeVersion + " of " + root;
  }
}
