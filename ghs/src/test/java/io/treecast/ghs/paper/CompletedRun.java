package io.treecast.ghs.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Topology;
import io.treecast.oracle.SpanningForest;
import io.treecast.oracle.WeightedEdge;
import java.util.List;
import java.util.Set;

/** The conditions that hold when nothing is in flight any more. */
final class CompletedRun {
  private final Topology topology;
  private final SimulatedNetwork network;
  private final SpanningForest<NodeId, LinkWeight> oracle;

  CompletedRun(Topology topology, SimulatedNetwork network) {
    this.topology = topology;
    this.network = network;
    this.oracle = topology.minimumSpanningForest();
  }

  /** 5 N log2 N + 2 E: the bound that the paper proves. */
  static long messageBound(int nodes, long links) {
    return (long) (5 * nodes * (Math.log(nodes) / Math.log(2)) + 2 * links);
  }

  /** Checks every component. */
  void verify() {
    for (Set<NodeId> component : oracle.components()) {
      List<LinkWeight> tree =
          oracle.edges().stream()
              .filter(edge -> component.contains(edge.a()))
              .map(WeightedEdge::weight)
              .toList();
      verifyNodes(component, tree);
      verifyHalts(component, tree);
      verifyMessageCount(component);
    }
  }

  private void verifyNodes(Set<NodeId> component, List<LinkWeight> tree) {
    for (NodeId id : component) {
      PaperNode node = network.node(id);
      assertThat(node.awake()).as("%s", node).isTrue();
      assertThat(node.deferredCount()).as("%s", node).isZero();
      assertThat(node.phase()).as("%s", node).isEqualTo(PaperMessage.Phase.FOUND);
      assertThat(1L << node.level()).as("%s", node).isLessThanOrEqualTo(component.size());
      assertThat(node.branches())
          .as("%s", node)
          .containsExactlyElementsOf(tree.stream().filter(edge -> edge.touches(id)).toList());
    }
  }

  private void verifyHalts(Set<NodeId> component, List<LinkWeight> tree) {
    List<SimulatedNetwork.Halt> halts =
        network.halts().stream().filter(halt -> component.contains(halt.node())).toList();
    if (tree.isEmpty()) {
      NodeId alone = component.iterator().next();
      assertThat(halts).containsExactly(new SimulatedNetwork.Halt(alone, alone, 0, List.of()));
      return;
    }
    assertThat(halts).as("nodes that halted").hasSize(2);
    LinkWeight core =
        tree.stream()
            .filter(edge -> halts.stream().allMatch(halt -> edge.touches(halt.node())))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no tree edge joins the halted: " + halts));
    for (SimulatedNetwork.Halt halt : halts) {
      assertThat(halt.root()).isEqualTo(core.low());
      assertThat(halt.level()).isEqualTo(network.node(core.low()).level());
      assertThat(halt.branches()).isEqualTo(tree);
    }
    for (NodeId id : component) {
      assertThat(network.node(id).fragment()).isEqualTo(core);
    }
  }

  private void verifyMessageCount(Set<NodeId> component) {
    long links = topology.links().stream().filter(link -> component.contains(link.low())).count();
    assertThat(component.stream().mapToLong(network::sentBy).sum())
        .as("messages of %d nodes and %d links", component.size(), links)
        .isLessThanOrEqualTo(messageBound(component.size(), links));
  }
}
