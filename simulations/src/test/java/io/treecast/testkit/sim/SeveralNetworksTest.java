package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole agents that are in two networks, one of which fails. */
class SeveralNetworksTest {
  private static final int NODES = 6;
  private static final SimSettings TWO_NETWORKS = SimSettings.DEFAULT.withNetworks("lan", "wan");

  /** Three sites of two members. */
  private static Topology topology(Random random) {
    List<Link> links = new ArrayList<>();
    for (int high = 1; high < NODES; high++) {
      for (int low = 0; low < high; low++) {
        boolean isNear = low / 2 == high / 2;
        links.add(new Link(low, high, isNear ? 500 : 20_000 + random.nextInt(80_000)));
      }
    }
    return Topology.of(NODES, links);
  }

  private static Set<Long> versions(SimCluster cluster) {
    return cluster.snapshots().stream()
        .map(snapshot -> snapshot.tree().tree())
        .map(tree -> tree == null ? 0 : tree.version())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Other links are measured rarely, and take longer to leave a network. */
  private static Set<String> networksOfTree(SimCluster cluster) {
    return cluster.snapshots().stream()
        .map(AgentSnapshot::links)
        .flatMap(List::stream)
        .filter(LinkView::treeEdge)
        .map(LinkView::network)
        .map(String::valueOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static SimCluster ready(long seed) {
    SimCluster cluster = new SimCluster(topology(new Random(seed)), seed, null, TWO_NETWORKS);
    assertThat(cluster.runUntilReady(60_000)).as("seed %d: ready", seed).isTrue();
    cluster.runUntil(() -> false, 30_000);
    return cluster;
  }

  @Test
  @Tag("seeded")
  void a_network_that_fails_changes_no_tree_and_loses_no_broadcast() {
    for (long seed : Seeds.first(6).toArray()) {
      SimCluster cluster = ready(seed);
      assertThat(versions(cluster)).hasSize(1);
      Set<Long> before = versions(cluster);
      int commits = cluster.history().commitsSince(0).size();
      Random random = new Random(seed);
      List<MessageId> sent = new ArrayList<>();
      for (String network : List.of("lan", "wan", "lan")) {
        cluster.cutNetwork(network);
        for (int i = 0; i < 20; i++) {
          sent.add(cluster.broadcast(random.nextInt(NODES), ByteBuffer.allocate(10_000)));
          cluster.runUntil(() -> false, random.nextInt(1_000));
        }
        assertThat(networksOfTree(cluster)).as("seed %d", seed).doesNotContain(network);
        cluster.healNetwork(network);
        cluster.runUntil(() -> false, 120_000);
      }
      assertThat(versions(cluster)).as("seed %d: tree", seed).isEqualTo(before);
      assertThat(cluster.history().commitsSince(0)).as("seed %d: commits", seed).hasSize(commits);
      for (MessageId message : sent) {
        assertThat(cluster.deliveries().count(message)).as("seed %d", seed).isEqualTo(NODES);
      }
      assertThat(cluster.deliveries().totalCount()).isEqualTo((long) NODES * sent.size());
    }
  }

  @Test
  void an_upload_goes_on_in_the_other_network() {
    SimCluster cluster = ready(1);
    CommittedTree tree = cluster.snapshots().get(0).tree().tree();
    MessageId message = cluster.broadcast(0, ByteBuffer.allocate(4_000_000));
    cluster.runUntil(() -> false, 5);
    cluster.cutNetwork("lan");

    assertThat(cluster.runUntil(() -> cluster.deliveries().count(message) == NODES, 60_000))
        .isTrue();
    assertThat(cluster.snapshots().get(0).tree().tree()).isEqualTo(tree);
  }

  @Test
  void links_move_to_the_faster_network_and_back() {
    SimCluster cluster = ready(2);
    cluster.slowNetwork("lan", 100_000);
    assertThat(cluster.runUntil(() -> networksOfTree(cluster).equals(Set.of("wan")), 120_000))
        .isTrue();
    cluster.slowNetwork("lan", 0);
    cluster.slowNetwork("wan", 100_000);
    assertThat(cluster.runUntil(() -> networksOfTree(cluster).equals(Set.of("lan")), 120_000))
        .isTrue();
  }

  @Test
  void both_networks_failing_is_a_failure_of_the_links() {
    SimCluster cluster = ready(3);
    Set<Long> before = versions(cluster);
    cluster.cutNetwork("lan");
    cluster.cutNetwork("wan");
    cluster.runUntil(() -> false, 30_000);
    assertThat(versions(cluster)).isNotEqualTo(before);
    cluster.healNetwork("lan");
    cluster.healNetwork("wan");

    assertThat(cluster.runUntilReady(120_000)).isTrue();
  }
}
