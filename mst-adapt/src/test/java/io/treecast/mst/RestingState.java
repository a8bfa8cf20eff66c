package io.treecast.mst;

import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.oracle.Boruvka;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.SpanningForest;
import io.treecast.oracle.WeightedEdge;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The conditions that hold when nothing is in flight any more. */
final class RestingState {
  private final OperationState network;

  /** The state of a network. */
  interface OperationState {
    /** The nodes that have not crashed, in order. */
    List<AdaptiveTree> aliveNodes();

    AdaptiveTree node(NodeId id);

    /** The present weights of the links that are up. */
    List<LinkWeight> weights();
  }

  RestingState(OperationState network) {
    this.network = network;
  }

  /**
   * Checks that each component has one root and one committed tree, which all its members know and
   * which is its minimum spanning tree by both oracles; that both ends agree on every edge; and
   * that nothing waits.
   *
   * @throws AssertionError if one of these does not hold
   */
  void verify() {
    SpanningForest<NodeId, LinkWeight> forest = minimumSpanningForest();
    network.aliveNodes().forEach(this::verifyNothingWaits);
    network.weights().forEach(this::verifyBothEndsKnow);
    verifyEdges(forest.edges().stream().map(WeightedEdge::weight).toList());
    forest.components().forEach(this::verifyComponent);
  }

  private SpanningForest<NodeId, LinkWeight> minimumSpanningForest() {
    List<NodeId> vertices = network.aliveNodes().stream().map(AdaptiveTree::self).toList();
    List<WeightedEdge<NodeId, LinkWeight>> edges =
        network.weights().stream().map(w -> new WeightedEdge<>(w.low(), w.high(), w)).toList();
    SpanningForest<NodeId, LinkWeight> forest = new Boruvka().of(vertices, edges);
    check(
        forest.equals(new KruskalByJGraphT().of(vertices, edges)), "the oracles disagree", forest);
    return forest;
  }

  private void verifyNothingWaits(AdaptiveTree node) {
    check(node.phase() == NodePhase.COMMITTED, "not committed", node);
    check(node.waitingToJoin().isEmpty(), "a Connect waits", node);
  }

  private void verifyBothEndsKnow(LinkWeight weight) {
    check(weight.equals(network.node(weight.low()).weight(weight.high())), "unknown below", weight);
    check(weight.equals(network.node(weight.high()).weight(weight.low())), "unknown above", weight);
  }

  private void verifyEdges(Collection<LinkWeight> minimum) {
    Set<Edge> fromBelow = new TreeSet<>();
    Set<Edge> fromAbove = new TreeSet<>();
    for (AdaptiveTree node : network.aliveNodes()) {
      NodeId parent = node.parent();
      if (parent != null) {
        fromBelow.add(Edge.between(node.self(), parent));
      }
      node.children().forEach(child -> fromAbove.add(Edge.between(node.self(), child)));
    }
    Set<Edge> expected = new TreeSet<>();
    minimum.forEach(weight -> expected.add(Edge.of(weight)));
    check(fromBelow.equals(expected), "not minimal, but should be " + expected, fromBelow);
    check(fromAbove.equals(fromBelow), "the ends disagree: " + fromBelow, fromAbove);
  }

  private void verifyComponent(Set<NodeId> members) {
    List<AdaptiveTree> nodes = members.stream().map(network::node).toList();
    List<NodeId> roots =
        nodes.stream().filter(node -> node.parent() == null).map(AdaptiveTree::self).toList();
    check(roots.size() == 1, "not one root", roots);
    CommittedTree tree = Objects.requireNonNull(nodes.get(0).committedTree());
    for (AdaptiveTree node : nodes) {
      check(Objects.equals(node.committedTree(), tree), "its tree is not " + tree, node);
    }
    for (AdaptiveTree node : nodes) {
      NodeId root = Objects.requireNonNull(node.commitment.view()).root();
      check(root.equals(roots.get(0)), "another root than " + roots, node);
    }
    check(tree.members().equals(new TreeSet<>(members)), "not the members of " + tree, members);
    Map<Edge, LinkWeight> present = new TreeMap<>();
    network.weights().forEach(weight -> present.put(Edge.of(weight), weight));
    for (LinkWeight committed : tree.edges()) {
      LinkWeight weight = Objects.requireNonNull(present.get(Edge.of(committed)));
      check(committed.cost() >= weight.cost(), "lower than " + weight, committed);
    }
    for (AdaptiveTree node : nodes) {
      NodeId parent = node.parent();
      if (parent != null) {
        check(tree.neighbours(node.self()).contains(parent), "its parent is not in " + tree, node);
      }
    }
  }

  private void check(boolean holds, String breach, Object subject) {
    if (!holds) {
      throw new AssertionError(breach + ": " + subject);
    }
  }
}
