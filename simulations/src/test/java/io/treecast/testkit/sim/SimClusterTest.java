package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.collectives.broadcast.ShortcutReceiver;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.CommittedTree;
import io.treecast.oracle.Boruvka;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.MinimumSpanningForest;
import io.treecast.oracle.WeightedEdge;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.network.BroadcastTimes;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Simulated clusters: equal seeds give equal runs, the trees are minimal, and broadcasts reach all
 * members.
 *
 * <p>{@code -Dtreecast.seed=17} runs only that seed, {@code -Dtreecast.seeds=10000} that many.
 */
class SimClusterTest {
  private static final long DEFAULT_SEEDS = 10;
  private static final long PATIENCE_MILLIS = 600_000;

  /**
   * Returns a random network of up to 14 nodes, often with several components and links of equal
   * length.
   */
  private static Topology randomTopology(Random random) {
    int nodes = 1 + random.nextInt(14);
    double density = random.nextDouble();
    int longestMillis = random.nextBoolean() ? 3 : 700;
    List<Link> links = new ArrayList<>();
    for (int one = 0; one < nodes; one++) {
      for (int other = 0; other < one; other++) {
        if (random.nextDouble() < density) {
          links.add(Link.between(one, other, 1 + random.nextInt(longestMillis) * 1_000L));
        }
      }
    }
    return Topology.of(nodes, links);
  }

  @Test
  @Tag("seeded")
  void every_component_of_any_network_gets_its_minimal_tree_and_all_broadcasts_arrive() {
    for (long seed : Seeds.first(DEFAULT_SEEDS).toArray()) {
      Topology topology = randomTopology(new Random(seed));
      SimCluster cluster = new SimCluster(topology, seed);
      assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).as("seed %d: ready", seed).isTrue();
      assertTreesAreMinimal(cluster, seed);
      assertMessageBudgetIsKept(cluster, seed);

      List<MessageId> messages = new ArrayList<>();
      long expected = 0;
      for (int source = 0; source < topology.nodes(); source++) {
        // Several chunks, one chunk, and an empty payload.
        for (int bytes : new int[] {200_000, 10, 0}) {
          messages.add(cluster.broadcast(source, ByteBuffer.allocate(bytes)));
          expected += topology.component(source).size();
        }
      }
      long total = expected;
      assertThat(
              cluster.runUntil(() -> cluster.deliveries().totalCount() == total, PATIENCE_MILLIS))
          .as("seed %d: all delivered", seed)
          .isTrue();
      for (int i = 0; i < messages.size(); i++) {
        assertThat(cluster.deliveries().count(messages.get(i)))
            .as("seed %d: message %d", seed, i)
            .isEqualTo(topology.component(i / 3).size());
      }
      // No broadcast is delivered twice, and no agent reported a problem.
      cluster.runUntil(() -> false, 60_000);
      assertThat(cluster.deliveries().totalCount()).as("seed %d", seed).isEqualTo(total);
      assertThat(cluster.warnings()).as("seed %d", seed).isEmpty();
    }
  }

  private static void assertTreesAreMinimal(SimCluster cluster, long seed) {
    Topology topology = cluster.topology();
    List<AgentSnapshot> snapshots = cluster.snapshots();
    List<Integer> nodes = new ArrayList<>();
    List<WeightedEdge<Integer, LinkWeight>> edges = new ArrayList<>();
    for (int node = 0; node < topology.nodes(); node++) {
      nodes.add(node);
    }
    for (Link link : topology.links()) {
      // In virtual time a link measures its exact round trip.
      LinkWeight weight =
          LinkWeight.between(
              SimSettings.id(link.low()), SimSettings.id(link.high()), link.rttMicros());
      edges.add(new WeightedEdge<>(link.low(), link.high(), weight));
    }
    for (MinimumSpanningForest oracle : List.of(new KruskalByJGraphT(), new Boruvka())) {
      Map<Integer, TreeSet<LinkWeight>> minimal = new TreeMap<>();
      for (WeightedEdge<Integer, LinkWeight> edge : oracle.of(nodes, edges).edges()) {
        minimal
            .computeIfAbsent(topology.component(edge.a()).get(0), c -> new TreeSet<>())
            .add(edge.weight());
      }
      for (int node = 0; node < topology.nodes(); node++) {
        CommittedTree tree = snapshots.get(node).tree().tree();
        assertThat(tree).as("seed %d: tree of node %d", seed, node).isNotNull();
        List<Integer> component = topology.component(node);
        assertThat(tree.edges())
            .as("seed %d: tree of node %d", seed, node)
            .containsExactlyElementsOf(minimal.getOrDefault(component.get(0), new TreeSet<>()));
        assertThat(tree.members())
            .as("seed %d: members of the tree of node %d", seed, node)
            .containsExactlyInAnyOrderElementsOf(component.stream().map(SimSettings::id).toList());
        assertThat(tree)
            .as("seed %d: nodes %d and %d", seed, node, component.get(0))
            .isEqualTo(snapshots.get(component.get(0)).tree().tree());
      }
    }
  }

  /** Asserts the bound of GHS (1983), 5 N log2 N + 2 E, plus a commit for each edge. */
  private static void assertMessageBudgetIsKept(SimCluster cluster, long seed) {
    Topology topology = cluster.topology();
    double n = Math.max(2, topology.nodes());
    double most = 5 * n * Math.log(n) / Math.log(2) + 2 * topology.links().size() + n;
    assertThat(cluster.controlTraffic().count())
        .as("seed %d: %s", seed, cluster.controlTraffic())
        .isLessThanOrEqualTo((long) most);
  }

  @Test
  void the_same_seed_gives_the_same_run_in_every_detail() {
    for (long seed = 0; seed < 5; seed++) {
      Topology topology = randomTopology(new Random(seed));
      assertThat(report(topology, seed)).as("seed %d", seed).isEqualTo(report(topology, seed));
    }
    assertThat(report(ReferenceNetwork.topology(), 1))
        .isEqualTo(report(ReferenceNetwork.topology(), 1));
  }

  @Test
  void another_seed_gives_another_run_and_the_same_tree() {
    SimCluster one = new SimCluster(ReferenceNetwork.topology(), 1);
    SimCluster other = new SimCluster(ReferenceNetwork.topology(), 2);
    assertThat(one.runUntilReady(PATIENCE_MILLIS)).isTrue();
    assertThat(other.runUntilReady(PATIENCE_MILLIS)).isTrue();
    assertThat(one.snapshots().toString()).isNotEqualTo(other.snapshots().toString());
    assertThat(edges(one)).isNotEmpty().isEqualTo(edges(other));
  }

  @Test
  @SuppressWarnings("NullAway") // The test passes null on purpose.
  void a_payload_that_is_null_is_named() {
    SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 1);
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    assertThatNullPointerException()
        .isThrownBy(() -> cluster.broadcast(0, null))
        .withMessage("payload");
  }

  private static List<LinkWeight> edges(SimCluster cluster) {
    CommittedTree tree = cluster.snapshots().get(0).tree().tree();
    return tree == null ? List.of() : tree.edges();
  }

  /** Returns everything observable of a run: the state of every agent and all times. */
  private static List<String> report(Topology topology, long seed) {
    List<String> report = new ArrayList<>();
    SimCluster cluster = new SimCluster(topology, seed);
    report.add("ready " + cluster.runUntilReady(PATIENCE_MILLIS) + " at " + cluster.nowNanos());
    report.add(cluster.snapshots().toString());
    for (int source = 0; source < topology.nodes(); source++) {
      MessageId message = cluster.broadcast(source, ByteBuffer.allocate(100));
      int all = topology.component(source).size();
      cluster.runUntil(() -> cluster.deliveries().count(message) == all, PATIENCE_MILLIS);
      report.add(message + " " + cluster.deliveries().lastNanos(message));
    }
    report.add(cluster.snapshots().toString());
    report.add("ends at " + cluster.nowNanos());
    return report;
  }

  @Test
  void a_broadcast_too_large_to_go_ahead_takes_exactly_the_length_of_the_way_in_the_tree() {
    Topology topology = ReferenceNetwork.topology();
    SimCluster cluster = new SimCluster(topology, 7);
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    List<Link> tree = new ArrayList<>();
    for (LinkWeight edge : edges(cluster)) {
      tree.add(
          Link.between(
              Integer.parseInt(edge.low().toString()),
              Integer.parseInt(edge.high().toString()),
              edge.cost()));
    }
    // The tree has only one path between two nodes, whose length is the limit.
    BroadcastTimes wayNanos = new BroadcastTimes(Topology.of(topology.nodes(), tree));
    for (int source = 0; source < topology.nodes(); source++) {
      MessageId message =
          cluster.broadcast(source, ByteBuffer.allocate(ShortcutReceiver.MAX_PAYLOAD_BYTES + 1));
      assertThat(
              cluster.runUntil(
                  () -> cluster.deliveries().count(message) == topology.nodes(), PATIENCE_MILLIS))
          .isTrue();
      assertThat(cluster.deliveries().lastNanos(message))
          .as("source %d", source)
          .isEqualTo(wayNanos.limitNanos(source));
    }
  }

  @Test
  void a_broadcast_of_an_agent_that_is_not_ready_is_refused() {
    SimCluster cluster = new SimCluster(Topology.of(2, List.of(Link.between(0, 1, 1_000))), 1);
    assertThatIllegalStateException()
        .isThrownBy(() -> cluster.broadcast(0, ByteBuffer.allocate(1)))
        .withMessageContaining("node 0");
  }

  @Test
  void time_ends_at_the_given_limit_when_the_condition_does_not_occur() {
    SimCluster cluster = new SimCluster(Topology.of(2, List.of(Link.between(0, 1, 1_000))), 1);
    assertThat(cluster.runUntilReady(100)).as("probing alone takes longer").isFalse();
    assertThat(cluster.nowNanos()).isEqualTo(100_000_000);
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
  }
}
