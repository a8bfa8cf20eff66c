package io.treecast.ghs.paper;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.oracle.Boruvka;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.MinimumSpanningForest;
import io.treecast.oracle.SpanningForest;
import io.treecast.oracle.WeightedEdge;
import java.util.List;

/** The nodes of a network and its links. */
record Topology(List<NodeId> nodes, List<LinkWeight> links) {
  /**
   * Its minimum spanning forest.
   *
   * @throws AssertionError if the oracles differ
   */
  SpanningForest<NodeId, LinkWeight> minimumSpanningForest() {
    SpanningForest<NodeId, LinkWeight> kruskal = forestBy(new KruskalByJGraphT());
    SpanningForest<NodeId, LinkWeight> boruvka = forestBy(new Boruvka());
    if (!kruskal.equals(boruvka)) {
      throw new AssertionError("the oracles differ on " + this + ": " + kruskal + ", " + boruvka);
    }
    return kruskal;
  }

  private SpanningForest<NodeId, LinkWeight> forestBy(MinimumSpanningForest algorithm) {
    return algorithm.of(
        nodes,
        links.stream()
            .map(weight -> new WeightedEdge<>(weight.low(), weight.high(), weight))
            .toList());
  }
}
