package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The number of probes that the agents of an idle cluster send, in virtual time. {@code
 * -Dtreecast.members=1000} sets the size of the largest cluster.
 */
class ProbeBudgetTest {
  private static final long MINUTE_MILLIS = 60_000;

  /** Time after the start until its bursts have ended and probes are sent regularly. */
  private static final long SETTLED_MILLIS = 180_000;

  private static final int PER_SECOND = ProbePolicy.DEFAULT.perSecond();

  @Test
  void in_the_reference_network_no_agent_sends_more_than_its_budget() {
    assertBudgetIsKept(new SimCluster(ReferenceNetwork.topology(), 1));
  }

  @Test
  void where_the_tree_is_a_star_its_centre_sends_no_more_than_the_others() {
    assertBudgetIsKept(new SimCluster(alike(32), 1));
  }

  @Tag("nightly")
  @Test
  void in_a_full_mesh_of_sixty_no_agent_sends_more_than_its_budget() {
    SimSettings all =
        SimSettings.DEFAULT.withOverlay(
            new OverlayLimits(60, 12, 4, 60, OverlayLimits.DEFAULT.trialInterval(), 3));
    assertBudgetIsKept(new SimCluster(spread(60), 1, null, all));
  }

  @Tag("nightly")
  @Test
  void where_agents_keep_some_links_of_many_and_try_others_it_is_kept_on_average() {
    int members = Integer.getInteger("treecast.members", 36);
    SimCluster cluster = new SimCluster(spread(members), 1);
    // Trials sometimes improve the tree; a change may take a roll call over all links.
    int rollCalls = 2 * OverlayLimits.DEFAULT.maxLinks();
    assertBudgetIsKept(cluster, 10 * MINUTE_MILLIS, 10 * MINUTE_MILLIS, rollCalls);
  }

  @Tag("nightly")
  @Test
  void where_others_are_tried_as_often_as_is_allowed_it_is_kept_all_the_same() {
    SimSettings trying =
        SimSettings.DEFAULT.withOverlay(
            new OverlayLimits(32, 12, 4, 40, OverlayLimits.MIN_TRIAL_INTERVAL, 3));
    SimCluster cluster = new SimCluster(spread(48), 1, null, trying);
    // Probes sent before the budget allows them may be one round of all links.
    int round = OverlayLimits.DEFAULT.maxLinks();
    assertBudgetIsKept(cluster, 5 * MINUTE_MILLIS, 5 * MINUTE_MILLIS, round);
  }

  private static void assertBudgetIsKept(SimCluster cluster) {
    assertThat(cluster.runUntilAtRest(10 * MINUTE_MILLIS)).as("at rest").isTrue();
    assertBudgetIsKept(cluster, SETTLED_MILLIS, MINUTE_MILLIS, 0);
  }

  private static void assertBudgetIsKept(
      SimCluster cluster, long beforeMillis, long millis, long more) {
    cluster.runUntil(() -> false, beforeMillis);
    List<Long> before = probesSent(cluster);
    cluster.runUntil(() -> false, millis);
    List<Long> after = probesSent(cluster);
    for (int node = 0; node < before.size(); node++) {
      assertThat(after.get(node) - before.get(node))
          .as("probes of node %s in %s ms", node, millis)
          .isBetween(1L, PER_SECOND * millis / 1_000 + more);
    }
    assertThat(cluster.warnings()).isEmpty();
  }

  private static List<Long> probesSent(SimCluster cluster) {
    return cluster.agents().stream().map(agent -> agent.measurementTotals().probesSent()).toList();
  }

  /** Returns a network in which all links have the same round trip, so that the tree is a star. */
  private static Topology alike(int nodes) {
    List<Link> links = new ArrayList<>();
    for (int low = 0; low < nodes; low++) {
      for (int high = low + 1; high < nodes; high++) {
        links.add(new Link(low, high, 1_000));
      }
    }
    return Topology.of(nodes, links);
  }

  /** Returns nodes at random places of a square whose side has a round trip of 100 ms. */
  private static Topology spread(int nodes) {
    Random random = new Random(nodes);
    double[] x = random.doubles(nodes).toArray();
    double[] y = random.doubles(nodes).toArray();
    List<Link> links = new ArrayList<>();
    for (int low = 0; low < nodes; low++) {
      for (int high = low + 1; high < nodes; high++) {
        double distance = Math.hypot(x[low] - x[high], y[low] - y[high]);
        links.add(new Link(low, high, 200 + Math.round(100_000 * distance)));
      }
    }
    return Topology.of(nodes, links);
  }
}
