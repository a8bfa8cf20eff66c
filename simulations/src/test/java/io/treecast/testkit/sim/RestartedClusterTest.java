package io.treecast.testkit.sim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Tree versions start over when all agents restart, and an agent that starts alone has a low
 * version. Neither prevents the delivery of a message to a subscription that outlives the restart.
 */
class RestartedClusterTest {
  private static final long PATIENCE_MILLIS = 60_000;
  private static final Topology TRIANGLE =
      Topology.of(3, List.of(new Link(0, 1, 1_000), new Link(1, 2, 2_000), new Link(0, 2, 3_000)));

  private final SimCluster cluster = new SimCluster(TRIANGLE, 1);

  private MessageId broadcast(int node, String text) {
    return cluster.broadcast(node, Topic.DEFAULT, ByteBuffer.wrap(text.getBytes(UTF_8)), 0);
  }

  private void untilReady() {
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
  }

  private void untilAtRest() {
    assertThat(cluster.runUntilAtRest(PATIENCE_MILLIS)).isTrue();
  }

  private long version() {
    return cluster.snapshots().stream()
        .map(agent -> agent.tree().tree())
        .mapToLong(tree -> tree == null ? 0 : tree.version())
        .max()
        .orElse(0);
  }

  private Incarnation incarnation(int node) {
    return Objects.requireNonNull(cluster.running().get(node));
  }

  private SimSubscriber subscriberAt(int node) {
    SimSubscriber subscriber = new SimSubscriber(SubscribeOptions.defaults());
    subscriber.subscribeAt(List.copyOf(cluster.agents()).get(node));
    untilAtRest();
    return subscriber;
  }

  /** Changes the tree, so that its version grows. */
  private void raiseVersion() {
    for (int i = 0; i < 4; i++) {
      cluster.crash(2);
      untilAtRest();
      cluster.restart(2);
      untilAtRest();
    }
  }

  private CommittedTree treeAt(int node) {
    return Objects.requireNonNull(cluster.snapshots().get(node).tree().tree());
  }

  @Test
  void a_tree_of_restarted_agents_is_distinguished_from_an_earlier_one() {
    untilReady();
    CommittedTree before = treeAt(2);
    cluster.pause(2);
    List.of(0, 1).forEach(cluster::crash);
    List.of(0, 1).forEach(cluster::restart);
    assertThat(
            cluster.runUntil(
                () -> {
                  CommittedTree tree = cluster.snapshots().get(0).tree().tree();
                  return tree != null && tree.members().size() == 2;
                },
                PATIENCE_MILLIS))
        .isTrue();
    CommittedTree after = treeAt(0);

    assertThat(List.of(after.version(), after.root()))
        .as("what this test is about")
        .isEqualTo(List.of(before.version(), before.root()));
    assertThat(TreeEpoch.of(after)).isNotEqualTo(TreeEpoch.of(before));
    assertThat(treeAt(1)).isEqualTo(after);
  }

  @Test
  void a_subscriber_that_outlives_all_agents_gets_messages_after_their_restart() {
    untilReady();
    raiseVersion();
    SimSubscriber subscriber = subscriberAt(2);
    MessageId before = broadcast(1, "before");
    untilAtRest();
    long versionBefore = version();

    List.of(0, 1, 2).forEach(cluster::crash);
    List.of(0, 1, 2).forEach(cluster::restart);
    untilReady();
    assertThat(version()).isLessThan(versionBefore);
    assertThat(cluster.lackedBy(subscriber)).as("it goes on at one of the new agents").isEmpty();
    MessageId after = broadcast(1, "after");
    untilAtRest();

    assertThat(subscriber.whole()).containsExactly(before, after);
    assertThat(subscriber.missedMessages()).isZero();
  }

  @Test
  void messages_accepted_before_a_subscriber_is_back_arrive_too() {
    untilReady();
    raiseVersion();
    SimSubscriber subscriber = subscriberAt(2);
    List.of(0, 1, 2).forEach(cluster::crash);
    List.of(0, 1, 2).forEach(cluster::restart);
    untilReady();
    MessageId meanwhile = broadcast(2, "meanwhile");
    untilAtRest();

    assertThat(cluster.lackedBy(subscriber)).isEmpty();
    MessageId after = broadcast(2, "after");
    untilAtRest();

    assertThat(subscriber.whole()).containsExactly(meanwhile, after);
    assertThat(subscriber.missedMessages()).isZero();
  }

  @Test
  void messages_of_an_agent_that_started_alone_reach_the_agents_that_it_meets() {
    cluster.links().cut(0, 2);
    cluster.links().cut(1, 2);
    untilReady();
    for (int i = 0; i < 4; i++) {
      cluster.crash(1);
      untilAtRest();
      cluster.restart(1);
      untilAtRest();
    }
    SimSubscriber subscriber = subscriberAt(1);
    MessageId alone = broadcast(2, "alone");
    untilAtRest();
    assertThat(cluster.deliveries().deliveredNanos(alone)).containsOnlyKeys(incarnation(2));

    cluster.links().heal();
    untilAtRest();
    MessageId together = broadcast(2, "together");
    untilAtRest();

    assertThat(cluster.deliveries().deliveredNanos(alone))
        .containsOnlyKeys(incarnation(0), incarnation(1), incarnation(2));
    assertThat(subscriber.whole()).containsExactly(alone, together);
    assertThat(BroadcastVerdict.of(cluster).everyBroadcastDeliveredOnce()).isTrue();
  }
}
