package io.treecast.it.cluster;

import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.NetworkConditions;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/** The time of messages along a committed tree, by a network's present round trips. */
final class TreeWays {
  private TreeWays() {}

  /**
   * Returns the one-way time between the two members that are farthest from each other along the
   * tree.
   */
  static long longestNanos(CommittedTree tree, NetworkConditions network) {
    NodeId oneEnd = farthest(from(tree.root(), tree, network));
    Map<NodeId, Long> ways = from(oneEnd, tree, network);
    return ways.getOrDefault(farthest(ways), 0L);
  }

  private static NodeId farthest(Map<NodeId, Long> ways) {
    return ways.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  private static Map<NodeId, Long> from(
      NodeId source, CommittedTree tree, NetworkConditions network) {
    Map<NodeId, Long> ways = new TreeMap<>(Map.of(source, 0L));
    ArrayDeque<NodeId> reached = new ArrayDeque<>(ways.keySet());
    while (!reached.isEmpty()) {
      NodeId node = reached.remove();
      for (NodeId next : tree.neighbours(node)) {
        if (!ways.containsKey(next)) {
          long way = network.oneWayNanos(number(node), number(next));
          ways.put(next, ways.getOrDefault(node, 0L) + way);
          reached.add(next);
        }
      }
    }
    return ways;
  }

  private static int number(NodeId node) {
    return Integer.parseInt(node.toString());
  }
}
