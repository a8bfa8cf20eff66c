package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.testkit.Seeds;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An edge of the tree that becomes so slow that its session ends and another begins. */
class WorsenedLinkTest {
  private static final int SEEDS = 3;
  private static final long OBSERVED_MILLIS = 120_000;

  /** The history of the link is fast, and outweighs the first measurements of a session. */
  @ParameterizedTest
  @ValueSource(longs = {4_000_000, 6_001_000, 12_000_000, 35_120_000})
  void a_link_that_has_worsened_is_not_taken_for_fast_once_more(long rttMicros) {
    for (long seed : Seeds.first(SEEDS).toArray()) {
      SimCluster cluster =
          new SimCluster(
              Topology.of(
                  3,
                  List.of(
                      new Link(0, 1, 10_000), new Link(1, 2, 100_000), new Link(0, 2, 150_000))),
              seed);
      cluster.runUntil(() -> false, 60_000);
      cluster.change("slower", network -> network.rtt(0, 1, rttMicros));
      assertThat(cluster.runUntil(() -> !hasEdge(cluster), OBSERVED_MILLIS)).isTrue();
      long leftNanos = cluster.nowNanos();
      cluster.runUntil(() -> false, OBSERVED_MILLIS);
      assertThat(cluster.history().commitsSince(leftNanos))
          .as("later trees with seed %s", seed)
          .extracting(ClusterHistory.Commit::tree)
          .noneMatch(tree -> tree.hasEdge(SimSettings.id(0), SimSettings.id(1)));
    }
  }

  private static boolean hasEdge(SimCluster cluster) {
    return cluster.snapshots().stream()
        .allMatch(
            agent ->
                agent.tree().tree() == null
                    || agent.tree().tree().hasEdge(SimSettings.id(0), SimSettings.id(1)));
  }
}
