package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.mst.CommittedTree;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import io.treecast.testkit.sim.network.SimStalls;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents on overloaded machines, which lack a processor for a share of the time. */
@Order(2)
class StalledAgentsTest {
  private static final long OBSERVED_MILLIS = 90_000;
  private static final long LONG_OBSERVED_MILLIS = 180_000;

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({
    "10, 0.7",
    "400, 0.5",
    "60, 0.9",
    "100, 0.1",
    "100, 0.5",
    "30, 0.5",
    "250, 0.4",
    "300, 0.5"
  })
  void agents_that_stall_for_long_make_at_most_one_tree_more(int longestMillis, double share) {
    assertAtMostOneTreeMore(longestMillis, share, LONG_OBSERVED_MILLIS);
  }

  /** Stalls of up to 250 ms delay the measurement of links, so first weights are late. */
  @ParameterizedTest
  @CsvSource({"400, 0.5", "60, 0.9"})
  void agents_that_stall_make_at_most_one_tree_more(int longestMillis, double share) {
    assertAtMostOneTreeMore(longestMillis, share, OBSERVED_MILLIS);
  }

  private static void assertAtMostOneTreeMore(
      int longestMillis, double share, long observedMillis) {
    for (long seed : Seeds.first(1).toArray()) {
      SimCluster stalling = new SimCluster(ReferenceNetwork.topology(), seed);
      stalling.stallAtRandom(new SimStalls(Duration.ofMillis(longestMillis), share, seed));
      stalling.runUntil(() -> false, observedMillis);
      assertThat(trees(stalling)).as("trees with seed %s", seed).hasSizeBetween(1, 2);
      assertThat(stalling.warnings()).isEmpty();
    }
  }

  /** The other tests permit two trees for this reason. */
  @Test
  void agents_that_do_not_stall_make_one_tree() {
    SimCluster steady = new SimCluster(ReferenceNetwork.topology(), 0);
    steady.runUntil(() -> false, OBSERVED_MILLIS);
    assertThat(trees(steady)).hasSize(1);
    assertThat(mostDiscardedPercent(steady)).isZero();
  }

  /**
   * The timers and the waiting messages of the agent's own thread are punctual. So the agent knows
   * only from its transport that it is late.
   */
  @ParameterizedTest
  @CsvSource("200, 0.5")
  void agents_whose_transport_alone_stalls_make_at_most_one_tree_more(
      int longestMillis, double share) {
    SimCluster stalling = new SimCluster(ReferenceNetwork.topology(), 1);
    stalling.stallTransportsAtRandom(new SimStalls(Duration.ofMillis(longestMillis), share, 1));
    stalling.runUntil(() -> false, OBSERVED_MILLIS);
    assertThat(trees(stalling)).hasSizeBetween(1, 2);
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource("30, 0.5")
  void agents_whose_transport_alone_stalls_for_less_make_at_most_one_tree_more(
      int longestMillis, double share) {
    agents_whose_transport_alone_stalls_make_at_most_one_tree_more(longestMillis, share);
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource("200, 0.5")
  void agents_that_stall_for_longer_after_a_look_at_the_clock_make_at_most_one_tree_more(
      int longestMillis, double share) {
    agents_that_stall_after_a_look_at_the_clock_make_at_most_one_tree_more(longestMillis, share);
  }

  @ParameterizedTest
  @CsvSource("30, 0.5")
  void agents_that_stall_after_a_look_at_the_clock_make_at_most_one_tree_more(
      int longestMillis, double share) {
    SimCluster stalling = new SimCluster(ReferenceNetwork.topology(), 1);
    stalling.stallWithinEventsAtRandom(new SimStalls(Duration.ofMillis(longestMillis), share, 1));
    stalling.runUntil(() -> false, OBSERVED_MILLIS);
    assertThat(trees(stalling)).hasSizeBetween(1, 2);
  }

  /** Agents with processor time detect from probes that other agents are late. */
  @ParameterizedTest
  @ValueSource(ints = 2)
  void agents_of_which_some_stall_make_at_most_one_tree_more(int everyWhich) {
    for (long seed : Seeds.first(1).toArray()) {
      SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), seed);
      cluster.stallAtRandom(
          new SimStalls(Duration.ofMillis(400), 0.5, seed), node -> node % everyWhich == 0);
      cluster.runUntil(() -> false, OBSERVED_MILLIS);
      assertThat(trees(cluster)).as("trees with seed %s", seed).hasSizeBetween(1, 2);
    }
  }

  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(ints = 4)
  void agents_of_which_few_stall_make_at_most_one_tree_more(int everyWhich) {
    agents_of_which_some_stall_make_at_most_one_tree_more(everyWhich);
  }

  /** The wait for first weights ends with their arrival, not with a timer. */
  @Test
  void stalled_agents_have_their_first_tree_when_their_links_are_measured() {
    SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 1);
    cluster.stallAtRandom(new SimStalls(Duration.ofMillis(400), 0.5, 1));
    assertThat(cluster.runUntil(() -> !treesOfAll(cluster).isEmpty(), 25_000)).isTrue();
  }

  /** As when many processes start at once: processors are scarce at first and sufficient later. */
  @Test
  void agents_that_lack_a_processor_while_they_start_make_one_tree() {
    for (long seed : Seeds.first(1).toArray()) {
      SimCluster starting = new SimCluster(ReferenceNetwork.topology(), seed);
      SimStalls stalls = new SimStalls(Duration.ofSeconds(3), 0.97, seed);
      starting.stallAtRandom(stalls);
      starting.runUntil(() -> false, 20_000);
      stalls.end();
      starting.runUntil(() -> false, 30_000);
      assertThat(trees(starting)).as("trees with seed %s", seed).hasSize(1);
    }
  }

  @Test
  void discarded_round_trips_are_reported_where_agents_stall() {
    SimCluster stalling = new SimCluster(ReferenceNetwork.topology(), 1);
    stalling.stallAtRandom(new SimStalls(Duration.ofMillis(100), 0.5, 1));
    stalling.runUntil(() -> false, 60_000);
    assertThat(mostDiscardedPercent(stalling)).isBetween(30, 100);
  }

  /**
   * Stalls of up to 100 ms can explain an increase of 80 ms, so many similar measurements are
   * needed.
   */
  @Test
  void a_link_that_becomes_slower_leaves_the_tree_though_its_ends_always_stall() {
    assertThat(millisUntilLinkLeaves(new SimStalls(Duration.ofMillis(100), 0.5, 1), 80_000))
        .isBetween(1L, 60_000L);
  }

  /** Stalls cannot explain an increase of a second. */
  @Test
  void a_link_that_becomes_slower_than_stalls_explain_leaves_the_tree_as_soon_as_ever() {
    assertThat(millisUntilLinkLeaves(new SimStalls(Duration.ofMillis(100), 0.5, 1), 1_000_000))
        .isBetween(1L, 20_000L);
  }

  private static long millisUntilLinkLeaves(SimStalls stalls, long moreMicros) {
    SimCluster cluster =
        new SimCluster(
            Topology.of(
                3, List.of(new Link(0, 1, 10_000), new Link(1, 2, 10_000), new Link(0, 2, 15_000))),
            1);
    cluster.stallAtRandom(stalls);
    assertThat(cluster.runUntil(() -> hasEdge(cluster), 60_000)).isTrue();
    cluster.runUntil(() -> false, 30_000);
    long beforeNanos = cluster.nowNanos();
    cluster.change("slower", network -> network.rtt(0, 1, 10_000 + moreMicros));
    assertThat(cluster.runUntil(() -> !hasEdge(cluster), 600_000)).as("leaves the tree").isTrue();
    return (cluster.nowNanos() - beforeNanos) / 1_000_000;
  }

  /** Returns whether the first agent's tree has the link between the first two agents. */
  private static boolean hasEdge(SimCluster cluster) {
    CommittedTree tree = cluster.snapshots().get(0).tree().tree();
    return tree != null && tree.neighbours(SimSettings.id(0)).contains(SimSettings.id(1));
  }

  private static int mostDiscardedPercent(SimCluster cluster) {
    return cluster.snapshots().stream()
        .flatMap(agent -> agent.links().stream())
        .filter(link -> link.quality() != null)
        .mapToInt(link -> link.quality().discardedPercent())
        .max()
        .orElseThrow();
  }

  /** Returns the committed trees that have all members. */
  private static List<CommittedTree> treesOfAll(SimCluster cluster) {
    return trees(cluster).stream()
        .filter(tree -> tree.members().size() == ReferenceNetwork.topology().nodes())
        .toList();
  }

  /** Returns the committed trees. */
  private static List<CommittedTree> trees(SimCluster cluster) {
    return cluster.history().commitsSince(0).stream()
        .map(ClusterHistory.Commit::tree)
        .distinct()
        .toList();
  }
}
