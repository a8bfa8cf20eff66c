package io.treecast.collectives.broadcast.tree;

import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The place of a member in a committed tree, seen from its root.
 *
 * @param epoch identity of the tree
 * @param parent null at the root
 * @param children in the order of their ids
 */
public record TreePlace(TreeEpoch epoch, @Nullable NodeId parent, List<NodeId> children) {
  /** The version that stands for the absence of a tree. */
  public static final long NO_TREE = 0;

  public static TreePlace of(NodeId member, CommittedTree tree) {
    Map<NodeId, NodeId> parents = tree.parents();
    return new TreePlace(
        TreeEpoch.of(tree),
        member.equals(tree.root()) ? null : parents.get(member),
        tree.neighbours(member).stream()
            .filter(id -> Objects.equals(member, parents.get(id)))
            .toList());
  }

  public long treeVersion() {
    return epoch.treeVersion();
  }
}
