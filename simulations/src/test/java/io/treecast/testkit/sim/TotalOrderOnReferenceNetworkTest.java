package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Members that stay receive the same order, even if the root that assigns positions crashes. */
class TotalOrderOnReferenceNetworkTest {
  private static final long PATIENCE_MILLIS = 600_000;

  private final SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 1);
  private final Random random = new Random(1);
  private final SimOrder order = cluster.listenInOrder();

  private CommittedTree tree(int node) {
    return Objects.requireNonNull(
        Objects.requireNonNull(cluster.unpaused().get(node)).tree().tree(), "no tree");
  }

  private int root() {
    return Integer.parseInt(tree(cluster.running().firstKey()).root().toString());
  }

  /** Broadcasts from members across the network, one every few milliseconds. */
  private void broadcast(int count) {
    for (int i = 0; i < count; i++) {
      pass(random.nextInt(20));
      List<SimAgent> running = List.copyOf(cluster.agents());
      SimAgent source = running.get(random.nextInt(running.size()));
      if (source.treeStatus().ready()) {
        cluster.broadcast(source.node(), ByteBuffer.allocate(random.nextInt(100)));
      }
    }
  }

  private void pass(long millis) {
    assertThat(cluster.runUntil(() -> false, millis)).isFalse();
  }

  private void assertOneOrder() {
    assertThat(cluster.runUntilAtRest(PATIENCE_MILLIS)).isTrue();
    pass(10_000);
    assertThat(BroadcastVerdict.of(cluster).lost()).isEmpty();
    assertThat(order.problems()).isEmpty();
    assertThat(order.compared()).as("pairs with something to compare").isPositive();
  }

  @Test
  void members_far_apart_get_one_order() {
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    broadcast(100);
    assertOneOrder();
  }

  @Test
  void members_get_one_order_though_the_root_crashes_within_an_announcement() {
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    broadcast(50);
    int root = root();
    SortedSet<NodeId> neighbours = new TreeSet<>(tree(root).neighbours(SimSettings.id(root)));
    int near = Integer.parseInt(neighbours.first().toString());
    MessageId last = cluster.broadcast(root, ByteBuffer.allocate(1));
    assertThat(cluster.runUntil(() -> order.hasAt(near, last), PATIENCE_MILLIS)).isTrue();
    long have = cluster.running().keySet().stream().filter(n -> order.hasAt(n, last)).count();
    assertThat(have).as("members that have it").isBetween(2L, 23L);

    cluster.crash(root);
    broadcast(100);
    assertOneOrder();
    assertThat(root()).isNotEqualTo(root);
  }

  @Test
  void members_get_one_order_though_parts_order_for_themselves_and_meet_again() {
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    broadcast(50);
    cluster.links().partition(NodeGroup.range(0, 11), NodeGroup.range(12, 23));
    broadcast(100);
    pass(30_000);
    broadcast(100);
    cluster.links().heal();
    broadcast(100);
    assertOneOrder();
  }
}
