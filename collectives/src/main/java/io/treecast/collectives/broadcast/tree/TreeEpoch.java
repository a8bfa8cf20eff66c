package io.treecast.collectives.broadcast.tree;

import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Comparator;

/**
 * The identity of one committed tree. Parts of a network that are cut off from each other may have
 * trees of the same version, but not of the same root. After a restart, a root may announce a
 * version again; its incarnation tells the two trees apart.
 *
 * @param treeVersion version of the committed tree
 * @param root root of the tree
 * @param rootIncarnation incarnation in which the root announced the tree
 */
public record TreeEpoch(long treeVersion, NodeId root, long rootIncarnation)
    implements Comparable<TreeEpoch> {
  private static final Comparator<TreeEpoch> ORDER =
      Comparator.comparingLong(TreeEpoch::treeVersion)
          .thenComparing(TreeEpoch::root)
          .thenComparingLong(TreeEpoch::rootIncarnation);

  /** Returns the epoch of a tree. */
  public static TreeEpoch of(CommittedTree tree) {
    return new TreeEpoch(tree.version(), tree.root(), tree.rootIncarnation());
  }

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
    return "v" + treeVersion + " of " + root + "#" + rootIncarnation;
  }
}
