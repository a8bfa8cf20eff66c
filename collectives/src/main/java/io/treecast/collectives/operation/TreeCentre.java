package io.treecast.collectives.operation;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The middle of a committed tree: the member whose farthest other member is nearest, by the costs
 * of the edges. A result that is combined there and sent back reaches all members soonest.
 *
 * <p>All members compute the same middle, because all have the same tree. It is the middle of a
 * longest path, which leads from a member farthest from the root to a member farthest from that
 * one.
 */
final class TreeCentre {
  /** A reached member, its predecessor, and the cost of the path. */
  private record Reached(NodeId member, NodeId from, long cost) {}

  private final CommittedTree tree;
  private final Map<NodeId, List<LinkWeight>> edges = new HashMap<>();

  private TreeCentre(CommittedTree tree) {
    this.tree = tree;
    for (LinkWeight edge : tree.edges()) {
      edges.computeIfAbsent(edge.low(), id -> new ArrayList<>()).add(edge);
      edges.computeIfAbsent(edge.high(), id -> new ArrayList<>()).add(edge);
    }
  }

  static NodeId of(CommittedTree tree) {
    return new TreeCentre(tree).find();
  }

  private NodeId find() {
    NodeId one = farthest(from(tree.root()).values()).member();
    Map<NodeId, Reached> reached = from(one);
    Reached centre = farthest(reached.values());
    long longestCost = centre.cost();
    long leastCost = longestCost;
    for (Reached at = centre; !at.member().equals(one); ) {
      at = Objects.requireNonNull(reached.get(at.from()));
      long farthestCost = Math.max(at.cost(), longestCost - at.cost());
      if (farthestCost < leastCost) {
        leastCost = farthestCost;
        centre = at;
      }
    }
    return centre.member();
  }

  /** The member that is farthest; among several, the one with the lowest id. */
  private static Reached farthest(Iterable<Reached> all) {
    Reached farthest = null;
    for (Reached reached : all) {
      if (farthest == null
          || reached.cost() > farthest.cost()
          || (reached.cost() == farthest.cost()
              && reached.member().compareTo(farthest.member()) < 0)) {
        farthest = reached;
      }
    }
    return Objects.requireNonNull(farthest);
  }

  private Map<NodeId, Reached> from(NodeId start) {
    Map<NodeId, Reached> reached = new HashMap<>();
    List<Reached> queue = new ArrayList<>(List.of(new Reached(start, start, 0)));
    reached.put(start, queue.get(0));
    for (int i = 0; i < queue.size(); i++) {
      Reached at = queue.get(i);
      for (LinkWeight edge : edges.getOrDefault(at.member(), List.of())) {
        NodeId other = edge.opposite(at.member());
        Reached next = new Reached(other, at.member(), at.cost() + edge.cost());
        if (reached.putIfAbsent(other, next) == null) {
          queue.add(next);
        }
      }
    }
    return reached;
  }
}
