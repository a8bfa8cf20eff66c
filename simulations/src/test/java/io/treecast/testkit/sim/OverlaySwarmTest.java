package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.cluster.TreeVerdict;
import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.run.ScheduleReport;
import io.treecast.testkit.run.ScheduleRunner;
import io.treecast.testkit.schedule.RandomScenarios;
import io.treecast.testkit.schedule.Scenario;
import io.treecast.testkit.sim.network.SimSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Agents with few of the possible links, in clusters so small that random schedules of all kinds of
 * faults cover rare states. Each run ends at rest: all members that can reach each other are in one
 * tree, which is minimal for the existing links, and every broadcast was delivered once.
 *
 * <p>{@code -Dtreecast.seed=17} runs only that seed, {@code -Dtreecast.seeds=10000} that many.
 */
class OverlaySwarmTest {
  private static final long DEFAULT_SEEDS = 3;
  private static final int MAX_EVENTS = 20;
  private static final long MAX_REST_MILLIS = 1_800_000;

  /**
   * Limits with few links in clusters of more than four members, and with trials so rare that the
   * cluster comes to rest between them.
   */
  private static final OverlayLimits FEW = new OverlayLimits(4, 2, 1, 8, Duration.ofMinutes(5), 3);

  static Topology complete(int nodes, Random random) {
    List<Link> links = new ArrayList<>();
    for (int one = 0; one < nodes; one++) {
      for (int other = 0; other < one; other++) {
        links.add(Link.between(one, other, 1_000 + random.nextInt(200_000)));
      }
    }
    return Topology.of(nodes, links);
  }

  private static SimCluster cluster(Topology topology, long seed) {
    return new SimCluster(topology, seed, new Random(seed), SimSettings.DEFAULT.withOverlay(FEW));
  }

  @Test
  @Tag("seeded")
  void all_members_that_can_reach_each_other_end_in_one_minimal_tree() {
    for (long seed : Seeds.first(DEFAULT_SEEDS).toArray()) {
      String failure = failure(seed);
      if (failure != null) {
        fail("seed " + seed + ": " + failure);
      }
    }
  }

  private static @Nullable String failure(long seed) {
    Random random = new Random(seed);
    Topology topology = complete(5 + random.nextInt(12), random);
    Scenario scenario = RandomScenarios.draw(seed, topology, random.nextInt(MAX_EVENTS + 1));
    try (SimCluster cluster = cluster(topology, seed)) {
      ScheduleReport report = ScheduleRunner.run(cluster, scenario.schedule());
      BroadcastVerdict broadcasts = BroadcastVerdict.of(cluster);
      if (!report.atRest() || !report.trees().minimal()) {
        return (report.atRest() ? "at rest" : "not at rest") + ", " + report.trees().problems();
      }
      return broadcasts.everyBroadcastDeliveredOnce() ? null : broadcasts.toString();
    } catch (AssertionError | RuntimeException e) {
      return e.toString();
    }
  }

  private static void assertFewLinks(SimCluster cluster) {
    assertThat(cluster.snapshots())
        .allSatisfy(agent -> assertThat(linked(agent)).isBetween(1L, (long) FEW.maxLinks()));
  }

  private static long linked(AgentSnapshot agent) {
    return agent.links().stream().map(LinkView::state).filter(s -> s == LinkState.UP).count();
  }

  @Test
  void parts_of_a_cluster_that_had_lost_each_other_find_each_other_again_over_few_links() {
    int nodes = 16;
    for (long seed : Seeds.first(1).toArray()) {
      try (SimCluster cluster = cluster(complete(nodes, new Random(seed)), seed)) {
        assertThat(cluster.runUntilReady(600_000)).as("seed %d", seed).isTrue();
        assertFewLinks(cluster);
        cluster
            .links()
            .partition(
                NodeGroup.of(IntStream.range(0, 8).boxed().toList()),
                NodeGroup.of(IntStream.range(8, nodes).boxed().toList()));
        assertThat(cluster.runUntilAtRest(MAX_REST_MILLIS)).as("seed %d", seed).isTrue();
        assertThat(TreeVerdict.of(cluster).trees()).as("seed %d", seed).hasSize(2);
        cluster.links().heal();
        assertThat(cluster.runUntilAtRest(MAX_REST_MILLIS)).as("seed %d", seed).isTrue();
        assertThat(TreeVerdict.of(cluster).problems()).as("seed %d", seed).isEmpty();
        assertThat(TreeVerdict.of(cluster).trees()).as("seed %d", seed).hasSize(1);
        assertFewLinks(cluster);
      }
    }
  }
}
