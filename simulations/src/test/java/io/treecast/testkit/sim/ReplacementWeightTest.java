package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The weight of an edge that has replaced another, in the tree and on its link. */
class ReplacementWeightTest {
  private static final long PATIENCE_MILLIS = 600_000;
  private static final LinkWeight WITH_COST = weight(0, 2, 100_000);
  private static final LinkWeight WITHOUT_COST = weight(0, 2, 50_000);

  @Test
  void a_new_edge_keeps_its_weight_beside_the_tree_until_the_next_commit() {
    SimCluster cluster =
        new SimCluster(
            Topology.of(
                3,
                List.of(
                    Link.between(0, 1, 20_000),
                    Link.between(1, 2, 20_000),
                    Link.between(0, 2, 50_000))),
            1);
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    assertThat(cluster.runUntil(() -> linkWeight(cluster).equals(WITH_COST), PATIENCE_MILLIS))
        .as("beside the tree it costs a change")
        .isTrue();

    cluster.links().cut(1, 2);
    assertThat(cluster.runUntil(() -> edges(cluster).contains(WITH_COST), PATIENCE_MILLIS))
        .as("it has come in")
        .isTrue();
    cluster.runUntil(() -> false, PATIENCE_MILLIS);
    assertThat(linkWeight(cluster)).as("its link, soon").isEqualTo(WITHOUT_COST);
    assertThat(edges(cluster)).as("no commit of its own for that").contains(WITH_COST);

    cluster.crash(1);
    assertThat(
            cluster.runUntil(() -> edges(cluster).equals(List.of(WITHOUT_COST)), PATIENCE_MILLIS))
        .as("the next commit")
        .isTrue();
  }

  /** The search for another tree includes node 3, which takes longer than a measurement. */
  @Test
  void a_link_that_has_come_back_takes_its_place_though_the_change_takes_long() {
    SimCluster cluster = withSlowMember(100_000);
    cluster.links().cut(0, 2);
    cluster.runUntil(() -> false, PATIENCE_MILLIS);
    assertThat(hasEdge(cluster, 0, 1)).isTrue();

    cluster.links().heal();
    cluster.runUntil(() -> false, PATIENCE_MILLIS);

    assertThat(hasEdge(cluster, 0, 2)).isTrue();
    assertEachVersionIsAnother(cluster);
  }

  @Test
  void a_link_that_has_paid_for_a_change_takes_its_place_though_the_change_takes_long() {
    SimCluster cluster = withSlowMember(140_000);
    assertThat(hasEdge(cluster, 0, 1)).isTrue();
    cluster.runUntil(() -> false, PATIENCE_MILLIS);

    cluster.links().rtt(0, 2, 80);
    cluster.runUntil(() -> false, 2 * 3_600_000);

    assertThat(hasEdge(cluster, 0, 2)).isTrue();
    assertEachVersionIsAnother(cluster);
  }

  private static SimCluster withSlowMember(long rttMicros) {
    SimCluster cluster =
        new SimCluster(
            Topology.of(
                4,
                List.of(
                    Link.between(0, 1, 130_000),
                    Link.between(1, 2, 20_000),
                    Link.between(0, 2, rttMicros),
                    Link.between(2, 3, 9_000_000))),
            1);
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    cluster.runUntil(() -> false, PATIENCE_MILLIS);
    return cluster;
  }

  private static boolean hasEdge(SimCluster cluster, int low, int high) {
    return edges(cluster).stream()
        .anyMatch(
            edge ->
                edge.low().equals(SimSettings.id(low)) && edge.high().equals(SimSettings.id(high)));
  }

  private static void assertEachVersionIsAnother(SimCluster cluster) {
    CommittedTree before = null;
    for (ClusterHistory.Commit commit : cluster.history().commitsSince(0)) {
      CommittedTree tree = commit.tree();
      if (before != null && tree.version() > before.version()) {
        assertThat(List.of(tree.members(), tree.edges()))
            .as("version %d, root %s", tree.version(), tree.root())
            .isNotEqualTo(List.of(before.members(), before.edges()));
      }
      before = tree;
    }
  }

  private static LinkWeight weight(int one, int other, long micros) {
    return LinkWeight.between(SimSettings.id(one), SimSettings.id(other), micros);
  }

  private static List<LinkWeight> edges(SimCluster cluster) {
    return Objects.requireNonNull(cluster.snapshots().get(0).tree().tree()).edges();
  }

  private static LinkWeight linkWeight(SimCluster cluster) {
    return cluster.snapshots().get(0).links().stream()
        .filter(link -> link.peer().id().equals(SimSettings.id(2)))
        .map(LinkView::weight)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }
}
