package io.treecast.cli.tree;

import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.SpanningForest;
import io.treecast.oracle.WeightedEdge;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The trees expected after crashes of members and losses of links, by the present weights.
 * Immutable.
 *
 * @param before the edges of the present trees, with the present weights of their links
 * @param after the edges of the minimum spanning forest of the remaining links
 * @param parts the members of each tree of this forest
 */
record TreePrediction(
    List<LinkWeight> before, List<LinkWeight> after, List<SortedSet<NodeId>> parts) {

  static TreePrediction of(
      Collection<NodeId> members,
      Collection<LinkWeight> links,
      Collection<LinkWeight> treeEdges,
      Set<Edge> down,
      Set<NodeId> crashed) {
    List<NodeId> left =
        new TreeSet<>(members).stream().filter(id -> !crashed.contains(id)).toList();
    List<WeightedEdge<NodeId, LinkWeight>> edges =
        new TreeSet<>(links)
            .stream()
                .filter(link -> left.contains(link.low()) && left.contains(link.high()))
                .filter(link -> !down.contains(Edge.between(link.low(), link.high())))
                .map(link -> new WeightedEdge<>(link.low(), link.high(), link))
                .toList();
    SpanningForest<NodeId, LinkWeight> forest = new KruskalByJGraphT().of(left, edges);
    return new TreePrediction(
        List.copyOf(TreeVerification.reweighed(treeEdges, links)),
        List.copyOf(new TreeSet<>(forest.edges().stream().map(WeightedEdge::weight).toList())),
        forest.components().stream().<SortedSet<NodeId>>map(TreeSet::new).toList());
  }

  /** Returns the edges that are removed, added and reweighed. */
  EdgeChanges changes() {
    return EdgeChanges.between(before, after);
  }
}
