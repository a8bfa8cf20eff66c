package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.testkit.network.BroadcastTimes;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gain of small broadcasts by shortcuts ahead of the tree, in virtual time. */
class ShortcutsTest {
  private static final long PATIENCE_MILLIS = 60_000;
  private static final int SMALL = 24;
  private static final int LARGE = 100_000;

  private static SimCluster ready(Topology network, int shortcuts) {
    OverlayLimits usual = OverlayLimits.DEFAULT;
    OverlayLimits overlay =
        new OverlayLimits(
            usual.fullMeshMembers(),
            usual.nearest(),
            usual.random(),
            usual.maxLinks(),
            usual.trialInterval(),
            shortcuts);
    SimCluster cluster = new SimCluster(network, 1, null, SimSettings.DEFAULT.withOverlay(overlay));
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    return cluster;
  }

  /** Returns the time until the last node has a broadcast, divided by the least possible time. */
  private static double overLimit(SimCluster cluster, int source, int bytes) {
    MessageId message = cluster.broadcast(source, Topic.DEFAULT, ByteBuffer.allocate(bytes));
    int nodes = cluster.topology().nodes();
    assertThat(cluster.runUntil(() -> cluster.deliveries().count(message) == nodes, 10_000))
        .isTrue();
    // Later copies then reach only nodes that have the message.
    assertThat(cluster.runUntil(() -> false, 2_000)).isFalse();
    assertThat(cluster.deliveries().broadcasts()).allMatch(b -> b.duplicates() == 0);
    double limitNanos = new BroadcastTimes(cluster.topology()).limitNanos(source);
    return cluster.deliveries().lastNanos(message) / limitNanos;
  }

  /** Returns the ratio of the second broadcast of each source, when all members know its stream. */
  private static List<Double> overLimits(SimCluster cluster, int bytes) {
    List<Double> all = new ArrayList<>();
    for (int source = 0; source < cluster.topology().nodes(); source++) {
      overLimit(cluster, source, bytes);
      all.add(overLimit(cluster, source, bytes));
    }
    return all;
  }

  private static double mean(List<Double> of) {
    return of.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  private static double worst(List<Double> of) {
    return of.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  private static long sentByShortcut(SimCluster cluster) {
    return cluster.snapshots().stream().mapToLong(agent -> agent.sentByShortcut()).sum();
  }

  private static long takenByShortcut(SimCluster cluster) {
    return cluster.snapshots().stream().mapToLong(a -> a.broadcast().shortcutMessages()).sum();
  }

  /**
   * Returns a ring whose longest link is not in the tree, so that its ends are far from each other
   * along the tree.
   */
  private static Topology ring(int nodes, long rttMicros, long longestMicros) {
    List<Topology.Link> links = new ArrayList<>();
    for (int i = 1; i < nodes; i++) {
      links.add(Topology.Link.between(i - 1, i, rttMicros));
    }
    links.add(Topology.Link.between(0, nodes - 1, longestMicros));
    return Topology.of(nodes, links);
  }

  @Test
  void the_ends_of_a_line_reach_each_other_by_the_link_between_them() {
    Topology ring = ring(6, 20_000, 30_000);

    SimCluster without = ready(ring, 0);
    assertThat(overLimit(without, 0, SMALL)).isEqualTo(100.0 / 60);
    assertThat(sentByShortcut(without)).isZero();

    SimCluster with = ready(ring, 1);
    assertThat(overLimit(with, 0, SMALL)).isEqualTo(1);
    assertThat(sentByShortcut(with)).isOne();
    assertThat(takenByShortcut(with)).isOne();
  }

  @Test
  void large_messages_go_along_the_tree_alone() {
    SimCluster cluster = ready(ring(6, 20_000, 30_000), 1);

    assertThat(overLimit(cluster, 0, LARGE)).isEqualTo(100.0 / 60);
    assertThat(sentByShortcut(cluster)).isZero();
  }

  @Test
  void broadcasts_arrive_without_a_shortcut_that_is_cut() {
    SimCluster cluster = ready(ring(6, 20_000, 30_000), 1);
    assertThat(overLimit(cluster, 0, SMALL)).isEqualTo(1);

    cluster.links().cut(0, 5);

    assertThat(overLimit(cluster, 0, SMALL)).isEqualTo(100.0 / 60);
  }

  @Test
  void on_the_reference_network_the_tree_is_nearly_as_good_as_can_be() {
    List<Double> without = overLimits(ready(ReferenceNetwork.topology(), 0), SMALL);
    List<Double> with = overLimits(ready(ReferenceNetwork.topology(), 3), SMALL);

    assertThat(mean(without)).isBetween(1.02, 1.03);
    assertThat(mean(with)).isBetween(1.0, 1.015);
    assertThat(worst(with)).isLessThanOrEqualTo(worst(without));
  }

  /** Random points in a plane, the opposite of sites and the worst case for the tree. */
  @Test
  @Tag("nightly")
  void where_nodes_are_anywhere_the_tree_takes_far_longer_than_shortcuts() {
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    for (int seed = 0; seed < 4; seed++) {
      Topology plane = plane(24, new Random(seed));
      without.addAll(overLimits(ready(plane, 0), SMALL));
      with.addAll(overLimits(ready(plane, 3), SMALL));
    }

    assertThat(mean(without)).isBetween(2.1, 2.2);
    assertThat(mean(with)).isBetween(1.3, 1.4);
  }

  private static Topology plane(int nodes, Random random) {
    double[][] at = new double[nodes][];
    List<Topology.Link> links = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      at[i] = new double[] {random.nextDouble(), random.nextDouble()};
      for (int j = 0; j < i; j++) {
        double distance = Math.hypot(at[i][0] - at[j][0], at[i][1] - at[j][1]);
        links.add(Topology.Link.between(j, i, 2_000 + Math.round(distance * 200_000)));
      }
    }
    return Topology.of(nodes, links);
  }
}
