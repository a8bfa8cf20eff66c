package io.treecast.cli;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.oracle.Boruvka;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.WeightedEdge;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Whether trees are the minimum spanning forest of the links, by two independent oracles.
 *
 * @param missing edges of the minimum spanning forest that no tree has
 * @param superfluous edges of the trees that the minimum spanning forest has not
 */
record TreeVerification(SortedSet<LinkWeight> missing, SortedSet<LinkWeight> superfluous) {

  static TreeVerification of(
      Collection<NodeId> nodes, Collection<LinkWeight> links, Collection<LinkWeight> treeEdges) {
    List<WeightedEdge<NodeId, LinkWeight>> edges =
        new TreeSet<>(links)
            .stream().map(link -> new WeightedEdge<>(link.low(), link.high(), link)).toList();
    List<LinkWeight> minimal = weights(new KruskalByJGraphT().of(nodes, edges).edges());
    if (!minimal.equals(weights(new Boruvka().of(nodes, edges).edges()))) {
      throw new IllegalStateException("the two oracles disagree on the minimum spanning forest");
    }
    SortedSet<LinkWeight> missing = new TreeSet<>(minimal);
    missing.removeAll(new TreeSet<>(treeEdges));
    SortedSet<LinkWeight> superfluous = new TreeSet<>(treeEdges);
    superfluous.removeAll(new TreeSet<>(minimal));
    return new TreeVerification(missing, superfluous);
  }

  private static List<LinkWeight> weights(List<WeightedEdge<NodeId, LinkWeight>> edges) {
    return edges.stream().map(WeightedEdge::weight).toList();
  }

  boolean isMinimal() {
    return missing.isEmpty() && superfluous.isEmpty();
  }
}
