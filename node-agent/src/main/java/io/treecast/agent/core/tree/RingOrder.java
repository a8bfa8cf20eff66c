package io.treecast.agent.core.tree;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order of the members of a committed tree in a ring. All members compute the same order: depth
 * first from the lowest id, near neighbours before far ones. So a ring along the tree would cross
 * each edge at most twice; direct links shorten it.
 */
final class RingOrder {
  /**
   * The neighbours of a member.
   *
   * @param isLast whether the member is the last of the order, so that the next is the first
   */
  record Place(NodeId previous, NodeId next, boolean isLast) {}

  private RingOrder() {}

  static Place place(NodeId member, CommittedTree tree) {
    List<NodeId> order = of(tree);
    int at = order.indexOf(member);
    int last = order.size() - 1;
    return new Place(
        order.get(at == 0 ? last : at - 1), order.get(at == last ? 0 : at + 1), at == last);
  }

  /** Returns all members of the tree in the order of the ring. */
  static List<NodeId> of(CommittedTree tree) {
    Map<NodeId, List<NodeId>> nearestFirst = new HashMap<>();
    for (LinkWeight edge : tree.edges()) { // Lightest first.
      nearestFirst.computeIfAbsent(edge.low(), id -> new ArrayList<>()).add(edge.high());
      nearestFirst.computeIfAbsent(edge.high(), id -> new ArrayList<>()).add(edge.low());
    }
    // A visit of a member, from one of its neighbours.
    record Step(NodeId to, NodeId from) {}

    NodeId first = tree.members().first();
    List<NodeId> order = new ArrayList<>();
    ArrayDeque<Step> ahead = new ArrayDeque<>(List.of(new Step(first, first)));
    while (!ahead.isEmpty()) {
      Step step = ahead.pop();
      order.add(step.to());
      List<NodeId> neighbours = nearestFirst.getOrDefault(step.to(), List.of());
      for (int i = neighbours.size() - 1; i >= 0; i--) {
        if (!neighbours.get(i).equals(step.from())) {
          ahead.push(new Step(neighbours.get(i), step.to()));
        }
      }
    }
    return order;
  }
}
