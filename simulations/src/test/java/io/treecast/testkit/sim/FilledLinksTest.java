package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.monitor.weight.Expectation;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Uploads fill links, whose probes wait in the same queues. This delay must not count as a property
 * of the link.
 */
class FilledLinksTest {
  private static final long MEASURED_MILLIS = 300_000;
  private static final long KBPS = 50_000;

  /** Returns a triangle whose tree by latency is 0-1, 1-2; uploads use two of the three links. */
  private static SimCluster triangle() {
    Topology topology =
        Topology.of(
            3, List.of(new Link(0, 1, 5_000), new Link(1, 2, 10_000), new Link(0, 2, 12_000)));
    SimCluster cluster = SimCluster.measuringThroughput(topology, 1);
    for (Link link : topology.links()) {
      cluster.network().throughput(link.low(), link.high(), KBPS);
    }
    letPass(cluster, MEASURED_MILLIS);
    return cluster;
  }

  private static void letPass(SimCluster cluster, long millis) {
    var unused = cluster.runUntil(() -> false, millis);
  }

  /** Uploads from a node the bytes that the links carry in a time. */
  private static void upload(SimCluster cluster, int node, long millis) {
    int bytes = (int) (KBPS * millis / 8);
    cluster
        .uploads()
        .plan(new UploadPlan(cluster.nowNanos(), node, bytes, bytes >> 16, 1_000_000, false));
  }

  private static long version(SimCluster cluster) {
    var tree = cluster.snapshots().get(0).tree().tree();
    assertThat(tree).isNotNull();
    return tree.version();
  }

  private static LinkView link(SimCluster cluster, int node, int peer) {
    return cluster.snapshots().get(node).links().stream()
        .filter(view -> view.peer().id().equals(SimSettings.id(peer)))
        .findFirst()
        .orElseThrow();
  }

  private static long longestLastMicros(SimCluster cluster) {
    return cluster.snapshots().stream()
        .flatMap(snapshot -> snapshot.links().stream())
        .mapToLong(LinkView::rttLastMicros)
        .max()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void an_upload_does_not_change_the_tree_whichever_end_of_its_links_measures(int publisher) {
    SimCluster cluster = triangle();
    long before = version(cluster);
    upload(cluster, publisher, 30_000);
    letPass(cluster, 10_000);
    assertThat(longestLastMicros(cluster)).as("probes wait").isGreaterThan(200_000);
    letPass(cluster, 40_000);
    assertThat(cluster.deliveries().totalCount()).as("it is over").isEqualTo(3);
    assertThat(version(cluster)).isEqualTo(before);
  }

  @Test
  void a_link_that_becomes_slower_meanwhile_is_known_to_be_when_the_upload_has_ended() {
    SimCluster cluster = triangle();
    upload(cluster, 0, 30_000);
    letPass(cluster, 10_000);
    assertThat(longestLastMicros(cluster)).as("probes wait").isGreaterThan(200_000);
    cluster.network().rtt(0, 1, 100_000);
    assertThat(cluster.runUntil(() -> cluster.deliveries().totalCount() == 3, 60_000)).isTrue();
    assertThat(forecastMicros(cluster)).isLessThan(6_000);
    letPass(cluster, 15_000);
    assertThat(forecastMicros(cluster)).isCloseTo(100_000, Percentage.withPercentage(1));
  }

  /** Returns the forecast of link 0-1. */
  private static long forecastMicros(SimCluster cluster) {
    Expectation expected = link(cluster, 0, 1).expectation();
    assertThat(expected).isNotNull();
    return expected.forecastMicros();
  }
}
