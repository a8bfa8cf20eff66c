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
 * The order in which the members of a committed tree stand in a ring, which all of them compute
 * alike: depth first from the lowest, near neighbours before far ones. So the way round crosses no
 * edge of the tree more than twice, or takes short cuts.
 */
final class RingOrder {
  /**
   * The neighbours of a member.
   *
   * @param isLast whether the next one is the first of the order
   */
  record Place(NodeId previous, NodeId next, boolean isLast) {}

  private RingOrder() {}

  /** The place of a member of the tree. */
  static Place place(NodeId member, CommittedTree tree) {
    List<NodeId> order = of(tree);
    int at = order.indexOf(member);
    int last = order.size() - 1;
    return new Place(
        order.get(at == 0 ? last : at - 1), order.get(at == last ? 0 : at + 1), at == last);
  }

  /** All members of the tree. */
  static List<NodeId> of(CommittedTree tree) {
    Map<NodeId, List<NodeId>> nearestFirst = new HashMap<>();
    for (LinkWeight edge : tree.edges()) { // The lightest first.
      nearestFirst.computeIfAbsent(edge.low(), id -> new ArrayList<>()).add(edge.high());
      nearestFirst.computeIfAbsent(edge.high(), id -> new ArrayList<>()).add(edge.low());
    }
    // A member that is to be visited, coming from another.
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
