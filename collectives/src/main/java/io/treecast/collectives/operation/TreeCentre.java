package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.tree.TreePaths;
import io.treecast.collectives.broadcast.tree.TreePaths.Path;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/**
 * The middle of a committed tree: the member whose farthest other member is nearest, by the costs
 * of the edges. A result that is combined there and sent back reaches all members soonest.
 *
 * <p>All members compute the same middle, because all have the same tree. It is the middle of a
 * longest path, which leads from a member farthest from the root to a member farthest from that
 * one.
 */
final class TreeCentre {
  private TreeCentre() {}

  static NodeId of(CommittedTree tree) {
    NodeId one = farthest(paths(tree.root(), tree));
    SortedMap<NodeId, Path> fromOne = paths(one, tree);
    NodeId other = farthest(fromOne);
    SortedMap<NodeId, Path> fromOther = paths(other, tree);
    long longestCost = cost(fromOne, other);
    Comparator<NodeId> byFarthestEnd =
        Comparator.comparingLong(
            member -> Math.max(cost(fromOne, member), cost(fromOther, member)));
    return tree.members().stream()
        .filter(member -> cost(fromOne, member) + cost(fromOther, member) == longestCost)
        .min(byFarthestEnd.thenComparingLong(member -> cost(fromOther, member)))
        .orElseThrow();
  }

  private static SortedMap<NodeId, Path> paths(NodeId from, CommittedTree tree) {
    TreePaths paths = new TreePaths(from);
    paths.treeCommitted(tree);
    return paths.all();
  }

  /** Returns the member that is farthest; among several, the one with the lowest id. */
  private static NodeId farthest(SortedMap<NodeId, Path> paths) {
    NodeId farthest = paths.firstKey();
    for (Map.Entry<NodeId, Path> path : paths.entrySet()) {
      if (path.getValue().cost() > cost(paths, farthest)) {
        farthest = path.getKey();
      }
    }
    return farthest;
  }

  private static long cost(SortedMap<NodeId, Path> paths, NodeId to) {
    return Objects.requireNonNull(paths.get(to)).cost();
  }
}
