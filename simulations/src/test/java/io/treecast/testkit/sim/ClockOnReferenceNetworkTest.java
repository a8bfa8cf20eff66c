package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.clock.ClusterClock;
import io.treecast.collectives.clock.RootTime;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * 24 agents in six sites, whose clocks are up to two hours apart. The wall clock of each is the
 * virtual time.
 */
class ClockOnReferenceNetworkTest {
  private static final Topology TOPOLOGY = ReferenceNetwork.topology();

  /**
   * Drift since the last refresh, which is at most one interval and the path to the last member
   * old.
   */
  private static final long REFRESH_ERROR_NANOS =
      (ClusterClock.REFRESH_NANOS + 1_000_000_000L) / RootTime.DRIFT_DIVISOR;

  /** Drift since a probe for each edge, and rounding. */
  private static final long PROBE_ERROR_NANOS = 40_000_000_000L / RootTime.DRIFT_DIVISOR;

  private final SimCluster cluster = SimCluster.withSkewedClocks(TOPOLOGY, 42);

  private void assertEachKnowsTheTime() {
    for (SimAgent agent : cluster.agents()) {
      RootTime time = Objects.requireNonNull(agent.rootTime());
      CommittedTree tree = Objects.requireNonNull(agent.treeStatus().tree());
      long pathNanos = 0;
      long edges = 0;
      NodeId member = SimSettings.id(agent.node());
      while (!member.equals(tree.root())) {
        NodeId next = Objects.requireNonNull(tree.parents().get(member));
        pathNanos += rttNanos(tree, member, next);
        edges++;
        member = next;
      }
      assertThat(time.epoch().treeVersion())
          .as("%s", agent.incarnation())
          .isEqualTo(tree.version());
      assertThat(Math.abs(time.rootNanos() - cluster.nowNanos()))
          .as("%s says %s", agent.incarnation(), time)
          .isLessThanOrEqualTo(time.errorNanos());
      assertThat(time.errorNanos())
          .as("half the round trips from the root to %s, and drift", agent.incarnation())
          .isLessThanOrEqualTo(
              pathNanos / 2 + edges * PROBE_ERROR_NANOS + REFRESH_ERROR_NANOS + pathNanos / 1_000);
    }
  }

  private static long rttNanos(CommittedTree tree, NodeId one, NodeId other) {
    return tree.edges().stream()
            .filter(edge -> edge.touches(one) && edge.touches(other))
            .mapToLong(LinkWeight::cost)
            .sum()
        * 1_000;
  }

  @Test
  void each_member_knows_the_time_of_the_root_within_half_the_round_trips_on_its_path() {
    assertThat(cluster.runUntilAtRest(60_000)).isTrue();
    cluster.runUntil(() -> false, 30_000);
    assertEachKnowsTheTime();
  }

  @Test
  void another_tree_has_its_time_too() {
    assertThat(cluster.runUntilAtRest(60_000)).isTrue();
    RootTime before = Objects.requireNonNull(agent(0).rootTime());
    cluster.crash(nodeOf(before.epoch().root()));
    assertThat(
            cluster.runUntil(
                () ->
                    cluster.agents().stream()
                        .allMatch(
                            agent ->
                                agent.treeStatus().tree() != null
                                    && Objects.requireNonNull(agent.rootTime())
                                            .epoch()
                                            .treeVersion()
                                        == Objects.requireNonNull(agent.treeStatus().tree())
                                            .version()
                                    && !Objects.requireNonNull(agent.rootTime())
                                        .epoch()
                                        .equals(before.epoch())),
                60_000))
        .isTrue();
    assertThat(cluster.runUntilAtRest(60_000)).isTrue();
    cluster.runUntil(() -> false, 12_000);

    assertEachKnowsTheTime();
  }

  private int nodeOf(NodeId id) {
    return cluster.agents().stream()
        .mapToInt(SimAgent::node)
        .filter(node -> SimSettings.id(node).equals(id))
        .findFirst()
        .orElseThrow();
  }

  private SimAgent agent(int node) {
    return cluster.agents().stream().filter(each -> each.node() == node).findFirst().orElseThrow();
  }
}
