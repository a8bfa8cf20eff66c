package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.monitor.probe.LinkQuality;
import io.treecast.monitor.throughput.BulkProbe;
import io.treecast.monitor.throughput.ThroughputExpectation;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Measurements of link properties other than round trips, on a network with known values. */
class SensedLinksTest {
  private static final long MINUTE_MILLIS = 60_000;

  /** The share that frames add to the payload of a bulk probe. */
  private static final Percentage FRAMING = Percentage.withPercentage(0.1);

  private static SimCluster cluster(ThroughputPolicy throughput) {
    Topology triangle =
        Topology.of(
            3, List.of(new Link(0, 1, 1_000), new Link(1, 2, 80_000), new Link(0, 2, 100_000)));
    SimCluster cluster = new SimCluster(triangle, 1, null, SimSettings.DEFAULT.with(throughput));
    cluster.network().throughput(0, 1, 1_000_000);
    cluster.network().throughput(1, 2, 100_000);
    cluster.network().throughput(0, 2, 2_000);
    return cluster;
  }

  private static LinkView link(SimCluster cluster, int node, int peer) {
    return cluster.snapshots().get(node).links().stream()
        .filter(view -> view.peer().id().equals(SimSettings.id(peer)))
        .findFirst()
        .orElseThrow();
  }

  private static @Nullable ThroughputExpectation throughput(
      SimCluster cluster, int node, int peer) {
    return link(cluster, node, peer).throughput();
  }

  private static long measuredKbps(SimCluster cluster, int node, int peer) {
    ThroughputExpectation expectation = throughput(cluster, node, peer);
    return expectation == null ? 0 : expectation.measuredKbps();
  }

  private static void letPass(SimCluster cluster, long millis) {
    var unused = cluster.runUntil(() -> false, millis);
  }

  @Test
  void owners_measure_the_throughput_of_their_links_whatever_their_round_trips() {
    SimCluster cluster = cluster(ThroughputPolicy.DEFAULT);
    letPass(cluster, 10 * MINUTE_MILLIS);

    assertThat(measuredKbps(cluster, 0, 1)).isCloseTo(1_000_000, FRAMING);
    assertThat(measuredKbps(cluster, 1, 2)).isCloseTo(100_000, FRAMING);
    assertThat(measuredKbps(cluster, 0, 2)).isCloseTo(2_000, FRAMING);
    assertThat(throughput(cluster, 2, 0)).as("the owner alone measures").isNull();
    assertThat(cluster.warnings()).isEmpty();
  }

  @Test
  void a_link_that_becomes_slower_is_noticed_at_the_next_interval() {
    SimCluster cluster = cluster(ThroughputPolicy.DEFAULT);
    letPass(cluster, 2 * MINUTE_MILLIS);
    cluster.network().throughput(1, 2, 10_000);
    letPass(cluster, 6 * MINUTE_MILLIS);
    assertThat(measuredKbps(cluster, 1, 2)).isCloseTo(10_000, FRAMING);
  }

  @Test
  void bulk_probes_keep_within_a_thousandth_of_the_link() {
    SimCluster cluster = cluster(new ThroughputPolicy(true, Duration.ofSeconds(1), 1, 3_000));
    letPass(cluster, 120 * MINUTE_MILLIS);

    // At 2 Mbit/s, the 64 KiB of a probe take 262 ms.
    ThroughputExpectation slow = throughput(cluster, 0, 2);
    assertThat(slow).isNotNull();
    assertThat(slow.measurements()).isBetween(10L, 7_200_000L / 262);
    // At 100 Mbit/s a probe has at most 960 KiB.
    ThroughputExpectation fast = throughput(cluster, 1, 2);
    assertThat(fast).isNotNull();
    long bytes = fast.measurements() * 60 * BulkProbe.PIECE_BYTES;
    assertThat(bytes * 8 / 7_200).isLessThanOrEqualTo(100_000_000 / 1_000);
  }

  @Test
  void agents_of_a_site_probe_in_turns_and_all_links_are_measured() {
    List<Link> links = new ArrayList<>();
    for (int high = 1; high < 8; high++) {
      for (int low = 0; low < high; low++) {
        links.add(Link.between(low, high, high / 4 == low / 4 ? 400 : 30_000));
      }
    }
    SimCluster cluster =
        new SimCluster(
            Topology.of(8, links), 1, null, SimSettings.DEFAULT.with(ThroughputPolicy.DEFAULT));
    links.forEach(link -> cluster.network().throughput(link.low(), link.high(), 50_000));
    assertThat(cluster.runUntilReady(MINUTE_MILLIS)).isTrue();
    for (int minute = 0; minute < 60 && !areMeasured(cluster, links); minute++) {
      letPass(cluster, MINUTE_MILLIS);
    }

    for (Link link : links) {
      assertThat(measuredKbps(cluster, link.low(), link.high()))
          .as("%s", link)
          .isCloseTo(50_000, FRAMING);
    }
  }

  private static boolean areMeasured(SimCluster cluster, List<Link> links) {
    return links.stream().allMatch(link -> measuredKbps(cluster, link.low(), link.high()) > 0);
  }

  @Test
  void transfers_take_the_place_of_probes() {
    SimCluster cluster = cluster(ThroughputPolicy.DEFAULT);
    assertThat(cluster.runUntilReady(MINUTE_MILLIS)).isTrue();
    letPass(cluster, 2 * MINUTE_MILLIS);
    cluster.network().throughput(1, 2, 120_000);
    for (int i = 0; i < 8; i++) {
      cluster.broadcast(1, ByteBuffer.allocate(2 << 20));
    }
    letPass(cluster, 10_000);

    ThroughputExpectation expectation = throughput(cluster, 1, 2);
    assertThat(expectation).isNotNull();
    assertThat(expectation.measurements()).isBetween(2L, 3L);
    assertThat(expectation.measuredKbps()).isBetween(100_000L, 120_000L);
  }

  @Test
  void a_link_that_loses_messages_shows_how_many() {
    SimCluster cluster = cluster(ThroughputPolicy.DISABLED);
    assertThat(cluster.runUntilReady(MINUTE_MILLIS)).isTrue();
    LinkQuality before = link(cluster, 0, 1).quality();
    assertThat(before).isEqualTo(new LinkQuality(0, 0, 0));
    cluster.links().loss(0, 1, 0.1);
    letPass(cluster, 10 * MINUTE_MILLIS);

    // A probe is late if it or its reply is lost, 19 %, and sometimes because the previous one was
    // late.
    LinkQuality quality = link(cluster, 0, 1).quality();
    assertThat(quality).isNotNull();
    assertThat(quality.lossPercent()).isBetween(10, 35);
    assertThat(quality.jitterMicros()).isLessThan(10_000);
    assertThat(link(cluster, 1, 0).quality()).as("the owner alone measures").isNull();
  }
}
