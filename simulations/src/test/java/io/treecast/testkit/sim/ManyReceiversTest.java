package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.collectives.broadcast.BroadcastCounters;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.network.NetworkConditions;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Uploads to many members over the shared uplink of the publisher. */
class ManyReceiversTest {
  private static final long UPLINK_KBPS = 100_000;
  private static final int STAR_NODES = 6;
  private static final int LINE_NODES = 5;
  private static final int STAR_BYTES = 16 << 20;
  private static final long STAR_COPY_MILLIS = STAR_BYTES * 8L / UPLINK_KBPS;

  /** The longest one-way path in the tree of the reference network. */
  private static final long DIAMETER_MILLIS = 372;

  /** A policy with which all links are measured soon. */
  private static final ThroughputPolicy OFTEN =
      new ThroughputPolicy(
          true, Duration.ofMinutes(5), ThroughputPolicy.MAX_BUDGET_PERMILLE, 3_000);

  /** Returns a cluster whose members know the throughput of all their links. */
  private static SimCluster measured(Topology topology, BroadcastLimits limits, long uplinkKbps) {
    return measured(topology, SimSettings.DEFAULT.withBroadcast(limits), uplinkKbps);
  }

  static SimCluster measured(Topology topology, SimSettings settings, long uplinkKbps) {
    SimCluster cluster = limited(topology, settings.with(OFTEN), uplinkKbps);
    int links = topology.links().size();
    for (int i = 0; i < 200 && measuredLinks(cluster) < links; i++) {
      letPass(cluster, 5_000);
    }
    assertThat(measuredLinks(cluster)).isEqualTo(links);
    letPass(cluster, 10_000);
    return cluster;
  }

  private static SimCluster limited(Topology topology, SimSettings settings, long uplinkKbps) {
    SimCluster cluster = new SimCluster(topology, 1, new Random(1), settings);
    for (int node = 0; node < topology.nodes(); node++) {
      cluster.network().uplink(node, uplinkKbps);
    }
    return cluster;
  }

  private static void letPass(SimCluster cluster, long millis) {
    var unused = cluster.runUntil(() -> false, millis);
  }

  private static long measuredLinks(SimCluster cluster) {
    return cluster.snapshots().stream()
        .flatMap(snapshot -> snapshot.links().stream())
        .filter(link -> link.throughput() != null)
        .count();
  }

  private static SimCluster star(long uplinkKbps) {
    return star(uplinkKbps, BroadcastLimits.defaults());
  }

  /** Returns a cluster in which node 0 is near all others, so that the tree is a star. */
  private static SimCluster star(long uplinkKbps, BroadcastLimits limits) {
    List<Link> links = new ArrayList<>();
    for (int high = 1; high < STAR_NODES; high++) {
      for (int low = 0; low < high; low++) {
        links.add(new Link(low, high, (low == 0 ? 10_000 : 15_000) + high));
      }
    }
    return measured(Topology.of(STAR_NODES, links), limits, uplinkKbps);
  }

  /** Returns a cluster of nodes along a line, so that the tree is a path. */
  private static SimCluster line(long uplinkKbps) {
    List<Link> links = new ArrayList<>();
    for (int high = 1; high < LINE_NODES; high++) {
      for (int low = 0; low < high; low++) {
        links.add(new Link(low, high, 10_000 * (high - low) + low));
      }
    }
    return measured(Topology.of(LINE_NODES, links), BroadcastLimits.defaults(), uplinkKbps);
  }

  private static void upload(SimCluster cluster, int node, int bytes) {
    cluster
        .uploads()
        .plan(new UploadPlan(cluster.nowNanos(), node, bytes, bytes >> 18, 1_000_000, false));
  }

  /** Returns the time until the last member has an upload. */
  private static long uploadMillis(SimCluster cluster, int node, int bytes) {
    long beforeNanos = cluster.nowNanos();
    upload(cluster, node, bytes);
    assertThat(cluster.runUntil(() -> isDelivered(cluster, 1), 60_000)).isTrue();
    return (cluster.nowNanos() - beforeNanos) / 1_000_000;
  }

  private static boolean isDelivered(SimCluster cluster, int uploads) {
    return cluster.deliveries().totalCount() == (long) uploads * cluster.topology().nodes();
  }

  private static boolean goesRound(SimCluster cluster) {
    return cluster.snapshots().stream().allMatch(AgentSnapshot::uploadsUseRing);
  }

  private static boolean hasBorrower(SimCluster cluster) {
    return cluster.agents().stream().anyMatch(SimAgent::hasUploadLoan);
  }

  @Test
  void an_upload_from_any_member_takes_hardly_longer_than_one_copy_takes_on_its_uplink() {
    for (int node : List.of(0, 3)) {
      SimCluster cluster = star(UPLINK_KBPS);
      assertThat(goesRound(cluster)).isTrue();
      assertThat(uploadMillis(cluster, node, STAR_BYTES))
          .isLessThanOrEqualTo((STAR_COPY_MILLIS + 10) * 5 / 4);
    }
  }

  @Test
  void where_the_tree_is_a_path_a_member_in_its_middle_also_sends_one_copy() {
    SimCluster cluster = line(UPLINK_KBPS);
    assertThat(goesRound(cluster)).isTrue();
    assertThat(uploadMillis(cluster, LINE_NODES / 2, STAR_BYTES))
        .isLessThanOrEqualTo((STAR_COPY_MILLIS + 45) * 5 / 4);
  }

  @Test
  void where_the_tree_is_a_path_and_uplinks_have_no_limit_uploads_stay_on_it() {
    assertThat(goesRound(line(NetworkConditions.UNLIMITED_KBPS))).isFalse();
  }

  @Test
  void the_links_of_the_ring_are_measured_before_others() {
    SimCluster cluster =
        limited(ReferenceNetwork.topology(), SimSettings.MEASURING_THROUGHPUT, UPLINK_KBPS);
    letPass(cluster, 20_000);
    assertThat(goesRound(cluster)).isFalse();
    assertThat(cluster.runUntil(() -> goesRound(cluster), 100_000)).isTrue();
    assertThat(measuredLinks(cluster)).isLessThan(cluster.topology().links().size() / 3);
  }

  @Test
  void uploads_of_all_members_at_once_go_on_until_all_have_them() {
    SimCluster cluster = star(UPLINK_KBPS);
    for (int node = 0; node < STAR_NODES; node++) {
      upload(cluster, node, STAR_BYTES / 2);
    }
    assertThat(cluster.runUntil(() -> isDelivered(cluster, STAR_NODES), 60_000)).isTrue();
    assertThat(BroadcastVerdict.of(cluster).everyBroadcastDeliveredOnce()).isTrue();
  }

  @Test
  void one_uploader_at_a_time_has_the_loan_and_no_agent_exceeds_its_memory() {
    BroadcastLimits limits = BroadcastLimits.forMemory(64 << 20);
    assertThat(limits.uploadLoanBytes(STAR_NODES)).isPositive();
    SimCluster cluster = star(UPLINK_KBPS, limits);
    assertThat(goesRound(cluster)).isTrue();
    for (int node = 0; node < STAR_NODES; node++) {
      upload(cluster, node, STAR_BYTES);
    }
    Set<SimAgent> borrowers = new HashSet<>();
    while (!isDelivered(cluster, STAR_NODES)) {
      letPass(cluster, 5);
      List<SimAgent> now = cluster.agents().stream().filter(SimAgent::hasUploadLoan).toList();
      assertThat(now).hasSizeLessThanOrEqualTo(1);
      borrowers.addAll(now);
      for (AgentSnapshot snapshot : cluster.snapshots()) {
        BroadcastCounters counters = snapshot.broadcast();
        assertThat(counters.retainedBytes()).isLessThanOrEqualTo(limits.logBytes());
        assertThat(counters.waitingBytes())
            .isLessThanOrEqualTo(
                limits.publishBufferBytes() + limits.edgeWindowBytes() + limits.edgesBytes());
      }
      assertThat(cluster.nowNanos()).as("nanoseconds").isLessThan(2_000_000_000_000L);
    }
    assertThat(borrowers).hasSize(STAR_NODES);
    assertThat(BroadcastVerdict.of(cluster).everyBroadcastDeliveredOnce()).isTrue();
  }

  @Test
  void a_link_that_fails_under_an_upload_takes_it_back_to_the_tree() {
    SimCluster cluster = star(UPLINK_KBPS);
    assertThat(goesRound(cluster)).isTrue();
    upload(cluster, 0, STAR_BYTES);
    letPass(cluster, 300);
    cluster.links().cut(2, 3); // Not an edge of the tree.
    assertThat(cluster.runUntil(() -> isDelivered(cluster, 1), 60_000)).isTrue();
    assertThat(goesRound(cluster)).isFalse();
    assertThat(BroadcastVerdict.of(cluster).everyBroadcastDeliveredOnce()).isTrue();
  }

  @Test
  void where_uplinks_have_no_limit_uploads_stay_on_the_tree() {
    SimCluster cluster = star(NetworkConditions.UNLIMITED_KBPS);
    assertThat(goesRound(cluster)).isFalse();
  }

  @Test
  void an_upload_along_a_tree_also_takes_the_loan() {
    SimCluster cluster =
        star(NetworkConditions.UNLIMITED_KBPS, BroadcastLimits.forMemory(64 << 20));
    assertThat(goesRound(cluster)).isFalse();
    upload(cluster, 3, STAR_BYTES);
    assertThat(cluster.runUntil(() -> hasBorrower(cluster), 1_000)).isTrue();
    assertThat(cluster.runUntil(() -> isDelivered(cluster, 1), 60_000)).isTrue();
    assertThat(cluster.runUntil(() -> !hasBorrower(cluster), 5_000)).isTrue();
  }

  @Test
  void without_any_measurement_an_upload_over_long_links_takes_few_round_trips() {
    SimCluster cluster =
        new SimCluster(ReferenceNetwork.topology(), 1, new Random(1), SimSettings.DEFAULT);
    assertThat(cluster.runUntilAtRest(60_000)).isTrue();

    assertThat(uploadMillis(cluster, ReferenceNetwork.SOURCE, STAR_BYTES))
        .isLessThanOrEqualTo(6 * DIAMETER_MILLIS);
  }

  /** With the default memory, an upload first waits for its loan. */
  @Test
  @Tag("nightly")
  void
      on_the_reference_network_an_upload_takes_at_most_three_tenths_more_with_the_default_memory() {
    int bytes = 64 << 20;
    SimCluster cluster =
        measured(ReferenceNetwork.topology(), BroadcastLimits.defaults(), UPLINK_KBPS);
    assertThat(goesRound(cluster)).isTrue();
    long took = uploadMillis(cluster, ReferenceNetwork.SOURCE, bytes);
    assertThat(took).isLessThanOrEqualTo((bytes * 8L / UPLINK_KBPS + DIAMETER_MILLIS) * 13 / 10);
  }

  @Test
  @Tag("nightly")
  void on_the_reference_network_an_upload_of_64_mib_takes_a_quarter_more_than_one_copy_at_most() {
    int bytes = 64 << 20;
    SimCluster cluster =
        measured(
            ReferenceNetwork.topology(),
            BroadcastLimits.forMemory(4L << 30).withRetainedBytes(0),
            UPLINK_KBPS);
    assertThat(goesRound(cluster)).isTrue();
    long took = uploadMillis(cluster, ReferenceNetwork.SOURCE, bytes);
    assertThat(took).isLessThanOrEqualTo((bytes * 8L / UPLINK_KBPS + DIAMETER_MILLIS) * 5 / 4);
  }
}
