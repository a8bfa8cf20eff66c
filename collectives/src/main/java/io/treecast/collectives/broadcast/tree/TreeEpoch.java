package io.treecast.collectives.broadcast.tree;

import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Comparator;

/**
 * The identity of one committed tree. Parts of a network that are cut off from each other may have
 * trees of the same version, but not of the same root. After a restart, a root may announce a
 * version again; its incarnation distinguishes the two trees.
 *
 * @param treeVersion version of the committed tree
 * @param root root of the tree
 * @param rootIncarnation incarnation in which the root announced the tree
 * @param isAfterChain whether operations have left the chain of the members for the tree itself;
 *     such an epoch is later than that of the chain
 */
public record TreeEpoch(long treeVersion, NodeId root, long rootIncarnation, boolean isAfterChain)
    implements Comparable<TreeEpoch> {
  private static final Comparator<TreeEpoch> ORDER =
      Comparator.comparingLong(TreeEpoch::treeVersion)
          .thenComparing(TreeEpoch::root)
          .thenComparingLong(TreeEpoch::rootIncarnation)
          .thenComparing(TreeEpoch::isAfterChain);

  /**
   * Creates the epoch of a tree or its chain.
   *
   * @throws IllegalArgumentException if the version is less than 1
   */
  public TreeEpoch(long treeVersion, NodeId root, long rootIncarnation) {
    this(treeVersion, root, rootIncarnation, false);
  }

  /** Returns the epoch of operations that have left the chain of this tree. */
  public TreeEpoch afterChain() {
    return new TreeEpoch(treeVersion, root, rootIncarnation, true);
  }

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
    return "v" + treeVersion + " of " + root + "#" + rootIncarnation + (isAfterChain ? "+" : "");
  }
}
