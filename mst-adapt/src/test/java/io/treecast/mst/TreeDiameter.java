package io.treecast.mst;

import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** The time that the longest path through a tree takes. */
final class TreeDiameter {
  private TreeDiameter() {}

  /** Half the sum of the round-trip times on the longest path. */
  static long oneWayMicros(CommittedTree tree) {
    Map<Edge, Long> weights = new HashMap<>();
    for (LinkWeight edge : tree.edges()) {
      weights.put(Edge.of(edge), edge.cost());
    }
    Map<NodeId, Long> fromRoot = distances(tree, weights, tree.root());
    NodeId furthest = furthest(fromRoot);
    Map<NodeId, Long> fromEnd = distances(tree, weights, furthest);
    return fromEnd.getOrDefault(furthest(fromEnd), 0L) / 2;
  }

  private static NodeId furthest(Map<NodeId, Long> distances) {
    return distances.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  private static Map<NodeId, Long> distances(
      CommittedTree tree, Map<Edge, Long> weights, NodeId start) {
    Map<NodeId, Long> distances = new HashMap<>(Map.of(start, 0L));
    Deque<NodeId> open = new ArrayDeque<>(distances.keySet());
    while (!open.isEmpty()) {
      NodeId node = open.remove();
      for (NodeId next : tree.neighbours(node)) {
        long distance =
            distances.getOrDefault(node, 0L) + weights.getOrDefault(Edge.between(node, next), 0L);
        if (distances.putIfAbsent(next, distance) == null) {
          open.add(next);
        }
      }
    }
    return distances;
  }
}
