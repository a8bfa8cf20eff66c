package io.treecast.cli.tree;

import io.treecast.cli.console.Plural;
import io.treecast.cli.console.RttText;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The longest paths of a tree, or of the trees of a forest. Immutable.
 *
 * @param edges the number of edges of the path with most edges
 * @param micros the weight of the heaviest path
 * @param from one end of the heaviest path; null if there are no edges
 * @param to the other end of the heaviest path
 */
public record TreeDiameter(int edges, long micros, @Nullable NodeId from, @Nullable NodeId to) {

  private record Reached(NodeId node, long distance) {}

  /** The length of an edge. */
  private interface Length {
    long of(LinkWeight edge);
  }

  public static TreeDiameter of(Collection<LinkWeight> tree) {
    Map<NodeId, List<LinkWeight>> at = new TreeMap<>();
    for (LinkWeight edge : tree) {
      at.computeIfAbsent(edge.low(), node -> new ArrayList<>()).add(edge);
      at.computeIfAbsent(edge.high(), node -> new ArrayList<>()).add(edge);
    }
    long hops = 0;
    TreeDiameter widest = new TreeDiameter(0, 0, null, null);
    TreeSet<NodeId> left = new TreeSet<>(at.keySet());
    while (!left.isEmpty()) {
      // The node farthest from an arbitrary node is an end of a longest path.
      NodeId any = left.first();
      Reached hopEnd = farthest(any, at, edge -> 1, left);
      hops = Math.max(hops, farthest(hopEnd.node, at, edge -> 1, left).distance);
      Reached from = farthest(any, at, LinkWeight::cost, left);
      Reached to = farthest(from.node, at, LinkWeight::cost, left);
      if (widest.from == null || to.distance > widest.micros) {
        boolean inOrder = from.node.compareTo(to.node) < 0;
        widest =
            new TreeDiameter(
                0, to.distance, inOrder ? from.node : to.node, inOrder ? to.node : from.node);
      }
    }
    return new TreeDiameter((int) hops, widest.micros, widest.from, widest.to);
  }

  private static Reached farthest(
      NodeId start, Map<NodeId, List<LinkWeight>> at, Length length, TreeSet<NodeId> left) {
    Map<NodeId, Long> distances = new TreeMap<>(Map.of(start, 0L));
    Deque<NodeId> next = new ArrayDeque<>(List.of(start));
    Reached farthest = new Reached(start, 0);
    while (!next.isEmpty()) {
      NodeId node = next.removeFirst();
      left.remove(node);
      long distance = distances.getOrDefault(node, 0L);
      if (distance > farthest.distance) {
        farthest = new Reached(node, distance);
      }
      for (LinkWeight edge : at.getOrDefault(node, List.of())) {
        NodeId other = edge.opposite(node);
        if (distances.putIfAbsent(other, distance + length.of(edge)) == null) {
          next.addLast(other);
        }
      }
    }
    return farthest;
  }

  /** Returns the diameter for people. */
  public String text() {
    return from == null
        ? "0 edges"
        : "%s; %s ms from %s to %s"
            .formatted(Plural.of(edges, "edge"), RttText.millis(micros), from, to);
  }
}
