package io.treecast.cli.tree;

import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.oracle.Boruvka;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.WeightedEdge;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The comparison of trees with the minimum spanning forest of the links, by two independent
 * oracles. An edge counts with the present weight of its link, since a change that leaves the tree
 * minimal causes no new tree.
 *
 * @param missing edges of the minimum spanning forest that no tree has
 * @param superfluous edges of the trees that are not in the minimum spanning forest
 */
public record TreeVerification(SortedSet<LinkWeight> missing, SortedSet<LinkWeight> superfluous) {

  public static TreeVerification of(
      Collection<NodeId> nodes, Collection<LinkWeight> links, Collection<LinkWeight> treeEdges) {
    List<WeightedEdge<NodeId, LinkWeight>> edges =
        new TreeSet<>(links)
            .stream().map(link -> new WeightedEdge<>(link.low(), link.high(), link)).toList();
    List<LinkWeight> minimal = weights(new KruskalByJGraphT().of(nodes, edges).edges());
    if (!minimal.equals(weights(new Boruvka().of(nodes, edges).edges()))) {
      throw new IllegalStateException("the two oracles disagree on the minimum spanning forest");
    }
    SortedSet<LinkWeight> present = reweighed(treeEdges, links);
    SortedSet<LinkWeight> missing = new TreeSet<>(minimal);
    missing.removeAll(present);
    SortedSet<LinkWeight> superfluous = new TreeSet<>(present);
    superfluous.removeAll(new TreeSet<>(minimal));
    return new TreeVerification(missing, superfluous);
  }

  /** Returns the edges with the present weights of their links. */
  static SortedSet<LinkWeight> reweighed(
      Collection<LinkWeight> treeEdges, Collection<LinkWeight> links) {
    Map<Edge, LinkWeight> now = new TreeMap<>();
    links.forEach(link -> now.put(Edge.between(link.low(), link.high()), link));
    SortedSet<LinkWeight> edges = new TreeSet<>();
    for (LinkWeight edge : treeEdges) {
      edges.add(now.getOrDefault(Edge.between(edge.low(), edge.high()), edge));
    }
    return edges;
  }

  private static List<LinkWeight> weights(List<WeightedEdge<NodeId, LinkWeight>> edges) {
    return edges.stream().map(WeightedEdge::weight).toList();
  }

  public boolean isMinimal() {
    return missing.isEmpty() && superfluous.isEmpty();
  }
}
