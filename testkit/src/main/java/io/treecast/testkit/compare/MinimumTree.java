package io.treecast.testkit.compare;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.WeightedEdge;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The minimum spanning forest of a network, computed centrally. */
public final class MinimumTree {
  private MinimumTree() {}

  /** Returns the edges. Ties are broken by the ids of the ends, as agents do. */
  public static List<Link> of(Topology network) {
    Set<NodeId> nodes = new TreeSet<>();
    for (int node = 0; node < network.nodes(); node++) {
      nodes.add(id(node));
    }
    List<WeightedEdge<NodeId, LinkWeight>> edges = new ArrayList<>();
    for (Link link : network.links()) {
      edges.add(new WeightedEdge<>(id(link.low()), id(link.high()), weight(link)));
    }
    return new KruskalByJGraphT()
        .of(nodes, edges).edges().stream().map(e -> link(e.weight())).toList();
  }

  static NodeId id(int node) {
    return NodeId.of(Integer.toString(node));
  }

  static int number(NodeId id) {
    return Integer.parseInt(id.toString());
  }

  static LinkWeight weight(Link link) {
    return LinkWeight.between(id(link.low()), id(link.high()), link.rttMicros());
  }

  static Link link(LinkWeight weight) {
    return Link.between(number(weight.low()), number(weight.high()), weight.cost());
  }
}
