package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.ghs.LinkWeight;
import io.treecast.monitor.throughput.BandwidthWeight;
import io.treecast.monitor.throughput.ThroughputExpectation;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.cluster.TreeVerdict;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The widest tree, in addition to the tree by latency.
 *
 * <p>{@code -Dtreecast.seed=17} runs only that seed, {@code -Dtreecast.seeds=10000} that many.
 */
@Order(2)
class WidestTreeTest {
  private static final long DEFAULT_SEEDS = 2;
  private static final long MEASURED_MILLIS = 900_000;

  /** Returns a network whose shortest links are the narrowest. */
  private static SimCluster triangle() {
    Topology topology =
        Topology.of(
            3, List.of(new Link(0, 1, 5_000), new Link(1, 2, 10_000), new Link(0, 2, 50_000)));
    SimCluster cluster = SimCluster.measuringThroughput(topology, 1);
    cluster.network().throughput(0, 1, 10_000);
    cluster.network().throughput(1, 2, 100_000);
    cluster.network().throughput(0, 2, 1_000_000);
    letPass(cluster, MEASURED_MILLIS);
    return cluster;
  }

  private static void letPass(SimCluster cluster, long millis) {
    var unused = cluster.runUntil(() -> false, millis);
  }

  private static CommittedTree widest(SimCluster cluster) {
    return Objects.requireNonNull(cluster.snapshots().get(0).widestTree());
  }

  private static List<String> names(List<LinkWeight> edges) {
    return edges.stream().map(edge -> edge.low() + "-" + edge.high()).toList();
  }

  @Test
  void the_widest_tree_has_the_fastest_links_and_the_other_the_nearest() {
    SimCluster cluster = triangle();
    assertThat(names(widest(cluster).edges())).containsExactly("0-2", "1-2");
    CommittedTree nearest = Objects.requireNonNull(cluster.snapshots().get(0).tree().tree());
    assertThat(names(nearest.edges())).containsExactly("0-1", "1-2");
    assertThat(widest(cluster).edges())
        .extracting(edge -> BandwidthWeight.kbps(edge.cost()) / 100_000)
        .containsExactly(10L, 1L);
    assertThat(TreeVerdict.of(cluster, TreeMetric.BANDWIDTH).problems()).isEmpty();
  }

  @Test
  void a_link_that_becomes_slow_leaves_the_widest_tree() {
    SimCluster cluster = triangle();
    cluster.network().throughput(0, 2, 1_000);
    letPass(cluster, MEASURED_MILLIS);
    assertThat(names(widest(cluster).edges())).containsExactly("1-2", "0-1");
    assertThat(TreeVerdict.of(cluster).minimal()).isTrue();
  }

  @Test
  void the_widest_tree_is_repaired_like_the_other() {
    SimCluster cluster = triangle();
    cluster.links().cut(0, 2);
    letPass(cluster, 60_000);
    assertThat(names(widest(cluster).edges())).containsExactly("1-2", "0-1");
    cluster.links().heal(0, 2);
    letPass(cluster, MEASURED_MILLIS);
    assertThat(names(widest(cluster).edges())).containsExactly("0-2", "1-2");
    assertThat(TreeVerdict.of(cluster, TreeMetric.BANDWIDTH).problems()).isEmpty();
  }

  @Test
  void a_link_that_comes_back_keeps_its_throughput_until_it_is_measured() {
    SimCluster cluster = triangle();
    cluster.links().cut(0, 2);
    letPass(cluster, 60_000);
    assertThat(view(cluster, 0, 2).throughput()).as("it is lost").isNull();
    // The link has become slow in the meantime.
    cluster.network().throughput(0, 2, 1_000);
    cluster.links().heal(0, 2);
    assertThat(
            cluster.runUntil(() -> view(cluster, 0, 2).bandwidthWeight() != null, MEASURED_MILLIS))
        .isTrue();
    LinkWeight weight = Objects.requireNonNull(view(cluster, 0, 2).bandwidthWeight());
    assertThat(BandwidthWeight.stepOf(weight.cost())).isEqualTo(BandwidthWeight.MAX_STEP);
    ThroughputExpectation known = Objects.requireNonNull(view(cluster, 0, 2).throughput());
    assertThat(known.remembered()).isTrue();

    letPass(cluster, MEASURED_MILLIS);
    ThroughputExpectation measured = Objects.requireNonNull(view(cluster, 0, 2).throughput());
    assertThat(measured.remembered()).isFalse();
    assertThat(names(widest(cluster).edges())).containsExactly("1-2", "0-1");
  }

  private static LinkView view(SimCluster cluster, int node, int peer) {
    return cluster.snapshots().get(node).links().stream()
        .filter(view -> view.peer().id().equals(SimSettings.id(peer)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void nothing_is_sent_for_the_widest_tree_while_nothing_changes() {
    SimCluster cluster = triangle();
    Map<String, Long> before = Map.copyOf(cluster.controlTraffic().messages());
    letPass(cluster, MEASURED_MILLIS);
    assertThat(cluster.controlTraffic().messages()).isEqualTo(before);
  }

  @Test
  @Tag("seeded")
  void the_widest_tree_is_the_maximum_spanning_tree_of_any_network() {
    for (long seed : Seeds.first(DEFAULT_SEEDS).toArray()) {
      Random random = new Random(seed);
      int nodes = 2 + random.nextInt(9);
      List<Link> links = new ArrayList<>();
      for (int high = 1; high < nodes; high++) {
        for (int low = 0; low < high; low++) {
          links.add(Link.between(low, high, 1_000L * (1 + random.nextInt(200))));
        }
      }
      SimCluster cluster = SimCluster.measuringThroughput(Topology.of(nodes, links), seed);
      for (Link link : links) {
        cluster.network().throughput(link.low(), link.high(), 10_000L << random.nextInt(7));
      }
      for (int minute = 0; minute < 60 && !areMeasured(cluster, links); minute++) {
        letPass(cluster, 60_000);
      }
      assertThat(areMeasured(cluster, links)).as("seed %d: all are measured", seed).isTrue();
      assertThat(cluster.runUntilAtRest(MEASURED_MILLIS)).as("seed %d", seed).isTrue();
      TreeVerdict verdict = TreeVerdict.of(cluster, TreeMetric.BANDWIDTH);
      assertThat(verdict.problems()).as("seed %d", seed).isEmpty();
    }
  }

  private static boolean areMeasured(SimCluster cluster, List<Link> links) {
    return links.stream().allMatch(link -> isMeasured(cluster, link));
  }

  private static boolean isMeasured(SimCluster cluster, Link link) {
    return cluster.snapshots().get(link.low()).links().stream()
        .anyMatch(
            view ->
                view.peer().id().equals(SimSettings.id(link.high())) && view.throughput() != null);
  }
}
