package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.WeightedEdge;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many agents in sites, from 0.3 to 2 ms apart within a site and 20 to 200 ms between two. {@code
 * -Dtreecast.members=1000} sets the number of agents.
 */
@Tag("nightly")
class OverlayScaleTest {
  private static final int MEMBERS = Integer.getInteger("treecast.members", 150);
  private static final int MEMBERS_OF_SITE = 50;
  private static final double MAX_RATIO = 1.02;
  private static final long BUILD_SECONDS = 120;
  private static final long WATCHED_SECONDS = 60;

  @Test
  void few_links_hold_a_tree_that_is_hardly_heavier_than_the_best_of_all_pairs() {
    Topology topology = sites(MEMBERS, Math.max(3, MEMBERS / MEMBERS_OF_SITE));
    try (SimCluster cluster = new SimCluster(topology, 1)) {
      var unused = cluster.runUntil(() -> false, BUILD_SECONDS * 1_000);
      long probesBefore = probes(cluster);
      long messages = cluster.controlTraffic().count();
      unused = cluster.runUntil(() -> false, WATCHED_SECONDS * 1_000);

      assertThat(linkedOf(cluster))
          .allSatisfy(links -> assertThat(links).isBetween(1, OverlayLimits.DEFAULT.maxLinks()));
      assertThat(cluster.agents())
          .extracting(agent -> agent.treeStatus().tree())
          .hasSize(MEMBERS)
          .containsOnly(cluster.agents().iterator().next().treeStatus().tree());
      double ratio =
          weightMicros(linked(cluster, topology)) / (double) weightMicros(topology.links());
      double probesPerSecond =
          (probes(cluster) - probesBefore) / ((double) MEMBERS * WATCHED_SECONDS);
      System.out.printf(
          "%d members: %.1f links, %d at most; weight %.4f; %d control messages to build; %.1f probes/s%n",
          MEMBERS,
          linkedOf(cluster).stream().mapToInt(Integer::intValue).average().orElse(0),
          linkedOf(cluster).stream().mapToInt(Integer::intValue).max().orElse(0),
          ratio,
          messages,
          probesPerSecond);
      assertThat(ratio).isLessThanOrEqualTo(MAX_RATIO);
    }
  }

  private static Topology sites(int nodes, int sites) {
    Random random = new Random(7);
    long[][] betweenMicros = new long[sites][sites];
    for (int one = 0; one < sites; one++) {
      for (int other = 0; other < one; other++) {
        betweenMicros[one][other] = 20_000L + random.nextInt(180_000);
        betweenMicros[other][one] = betweenMicros[one][other];
      }
    }
    List<Link> links = new ArrayList<>();
    for (int one = 0; one < nodes; one++) {
      for (int other = 0; other < one; other++) {
        long base = betweenMicros[one % sites][other % sites];
        links.add(
            Link.between(
                one,
                other,
                base == 0
                    ? 300 + random.nextInt(1_700)
                    : Math.round(base * (0.98 + 0.04 * random.nextDouble()))));
      }
    }
    return Topology.of(nodes, links);
  }

  private static long probes(SimCluster cluster) {
    return cluster.agents().stream().mapToLong(a -> a.measurementTotals().probesSent()).sum();
  }

  private static List<Integer> linkedOf(SimCluster cluster) {
    List<Integer> linked = new ArrayList<>();
    for (SimAgent agent : cluster.agents()) {
      linked.add(
          (int)
              agent.snapshot().links().stream()
                  .map(LinkView::state)
                  .filter(state -> state == LinkState.UP || state == LinkState.MEASURING)
                  .count());
    }
    return linked;
  }

  private static List<Link> linked(SimCluster cluster, Topology topology) {
    List<Link> linked = new ArrayList<>();
    for (SimAgent agent : cluster.agents()) {
      for (LinkView link : agent.snapshot().links()) {
        int peer = Integer.parseInt(link.peer().id().toString());
        if (link.state() == LinkState.UP && agent.node() < peer) {
          linked.add(Link.between(agent.node(), peer, topology.rttMicros(agent.node(), peer)));
        }
      }
    }
    return linked;
  }

  private static long weightMicros(List<Link> links) {
    TreeSet<NodeId> nodes = new TreeSet<>();
    List<WeightedEdge<NodeId, LinkWeight>> edges = new ArrayList<>();
    for (Link link : links) {
      NodeId low = SimSettings.id(link.low());
      NodeId high = SimSettings.id(link.high());
      nodes.addAll(List.of(low, high));
      edges.add(new WeightedEdge<>(low, high, LinkWeight.between(low, high, link.rttMicros())));
    }
    assertThat(nodes).hasSize(MEMBERS);
    return new KruskalByJGraphT()
        .of(nodes, edges).edges().stream().mapToLong(edge -> edge.weight().cost()).sum();
  }
}
