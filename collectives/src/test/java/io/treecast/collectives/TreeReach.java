package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far a payload has to go on a tree. */
final class TreeReach {
  private TreeReach() {}

  /** How many edges lie between a publisher and those who want what it publishes. */
  static int edges(CommittedTree tree, NodeId publisher, Set<NodeId> wanting) {
    return edges(tree, publisher, null, wanting);
  }

  /** Of the subtree below a node, seen from the one that it was reached from. */
  private static int edges(
      CommittedTree tree, NodeId at, @Nullable NodeId from, Set<NodeId> wanting) {
    int edges = 0;
    for (NodeId next : tree.neighbours(at)) {
      if (!Objects.equals(from, next)) {
        int below = edges(tree, next, at, wanting);
        edges += below > 0 || wanting.contains(next) ? below + 1 : 0;
      }
    }
    return edges;
  }
}
