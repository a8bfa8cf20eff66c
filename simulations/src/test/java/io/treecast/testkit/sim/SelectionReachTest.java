package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages to selected members of the reference network in virtual time, and their cost. */
class SelectionReachTest {
  private static final long PATIENCE_MILLIS = 600_000;
  private static final int WAIT_MILLIS = 30_000;

  private final SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 1);

  @BeforeEach
  void runUntilReady() {
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
  }

  private static Set<NodeId> ids(int... nodes) {
    TreeSet<NodeId> ids = new TreeSet<>();
    for (int node : nodes) {
      ids.add(SimSettings.id(node));
    }
    return ids;
  }

  private CommittedTree tree() {
    return Objects.requireNonNull(cluster.snapshots().get(0).tree().tree());
  }

  private long forwardedChunks() {
    return cluster.snapshots().stream()
        .mapToLong(agent -> agent.broadcast().forwardedChunks())
        .sum();
  }

  private long receiptMessages() {
    return cluster.snapshots().stream().mapToLong(s -> s.broadcast().receiptMessages()).sum();
  }

  /**
   * Returns the members on the paths to the receivers, from a node that is reached from another.
   */
  private static Set<NodeId> reached(
      CommittedTree tree, NodeId at, @Nullable NodeId from, Set<NodeId> receivers) {
    TreeSet<NodeId> reached = new TreeSet<>();
    for (NodeId next : tree.neighbours(at)) {
      if (!Objects.equals(from, next)) {
        Set<NodeId> below = reached(tree, next, at, receivers);
        if (!below.isEmpty() || receivers.contains(next)) {
          reached.addAll(below);
          reached.add(next);
        }
      }
    }
    return reached;
  }

  /** Lets time pass, longer than any round trip over the tree. */
  private void pass() {
    assertThat(cluster.runUntil(() -> false, 2_000)).isFalse();
  }

  private void assertReach(int source, Set<NodeId> receivers) {
    String topic = Topic.to(receivers);
    long before = forwardedChunks();
    MessageId message = cluster.broadcast(source, topic, ByteBuffer.allocate(100), 0);
    pass();
    assertThat(cluster.deliveries().count(message)).isEqualTo(receivers.size());
    assertThat(forwardedChunks() - before)
        .as("edges from node %d to %s", source, receivers)
        .isEqualTo(reached(tree(), SimSettings.id(source), null, receivers).size());
  }

  @Test
  void a_message_crosses_each_edge_towards_a_receiver_once_and_no_other() {
    for (int source : List.of(0, 12, 19)) {
      assertReach(source, ids(source));
      assertReach(source, ids(5));
      assertReach(source, ids(4, 5, 17, 20));
      assertReach(source, ids(4, 5, 17, 20));
    }
  }

  @Test
  void receivers_alone_confirm_by_one_message_of_each_member_on_the_ways() {
    Set<NodeId> receivers = ids(4, 5, 17, 20);
    long before = receiptMessages();
    MessageId message =
        cluster.broadcast(12, Topic.to(receivers), ByteBuffer.allocate(100), WAIT_MILLIS);
    assertThat(cluster.runUntil(() -> confirmation(message).isSettled(), WAIT_MILLIS)).isTrue();

    assertThat(confirmation(message).delivered())
        .extracting(Confirmation.Hop::member)
        .containsExactlyElementsOf(receivers);
    assertThat(confirmation(message).failed()).isEmpty();
    assertThat(receiptMessages() - before)
        .isEqualTo(reached(tree(), SimSettings.id(12), null, receivers).size());
  }

  private Confirmation confirmation(MessageId message) {
    return Objects.requireNonNull(cluster.confirmation(12, message));
  }

  @Test
  void a_receiver_outside_the_tree_has_failed_and_gets_the_message_when_it_is_back() {
    cluster.crash(5);
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    MessageId message =
        cluster.broadcast(12, Topic.to(ids(4, 5)), ByteBuffer.allocate(100), WAIT_MILLIS);
    assertThat(cluster.runUntil(() -> confirmation(message).isSettled(), WAIT_MILLIS)).isTrue();
    assertThat(confirmation(message).failed()).containsExactly(SimSettings.id(5));

    long before = forwardedChunks();
    cluster.restart(5);
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    pass();
    assertThat(cluster.deliveries().count(message)).isEqualTo(2);
    assertThat(forwardedChunks() - before).isPositive();
  }
}
