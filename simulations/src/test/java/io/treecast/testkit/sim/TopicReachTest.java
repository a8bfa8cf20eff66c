package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.ReferenceNetwork;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** On a quiet tree, a payload crosses each edge towards its subscribers once, and no other edge. */
class TopicReachTest {
  private static final long PATIENCE_MILLIS = 600_000;

  private final SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 1);

  private long forwardedChunks() {
    return cluster.unpaused().values().stream()
        .mapToLong(agent -> agent.broadcast().forwardedChunks())
        .sum();
  }

  private CommittedTree tree() {
    return Objects.requireNonNull(
        cluster.unpaused().values().iterator().next().tree().tree(), "no tree is committed");
  }

  /** Returns the number of edges between a node, reached from another one, and the subscribers. */
  private static int edges(
      CommittedTree tree, NodeId at, @Nullable NodeId from, Set<Integer> subscribers) {
    int edges = 0;
    for (NodeId next : tree.neighbours(at)) {
      if (!Objects.equals(from, next)) {
        int below = edges(tree, next, at, subscribers);
        boolean wants = subscribers.contains(Integer.parseInt(next.toString()));
        edges += below > 0 || wants ? below + 1 : 0;
      }
    }
    return edges;
  }

  /** Lets time pass, longer than any round trip over the tree. */
  private void pass() {
    assertThat(cluster.runUntil(() -> false, 2_000)).isFalse();
  }

  private void assertReach(String topic, Set<Integer> subscribers) {
    for (int source = 0; source < cluster.topology().nodes(); source++) {
      long before = forwardedChunks();
      MessageId message = cluster.broadcast(source, topic, ByteBuffer.allocate(100));
      pass();
      assertThat(cluster.deliveries().count(message)).isEqualTo(subscribers.size());
      assertThat(forwardedChunks() - before)
          .as("edges from node %d", source)
          .isEqualTo(edges(tree(), NodeId.of(Integer.toString(source)), null, subscribers));
    }
  }

  @Test
  void a_subscription_is_in_place_as_soon_as_subscribe_returns() {
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    assertThat(cluster.beginSubscription(5, "prices").getAsBoolean()).isFalse();
    cluster.subscribe(3, "prices");

    MessageId message = cluster.broadcast(20, "prices", ByteBuffer.allocate(100));

    assertThat(cluster.deliveries().broadcasts().get(0).audience()).hasSize(2);
    pass();
    assertThat(cluster.deliveries().count(message)).isEqualTo(2);
  }

  @Test
  void topics_of_the_reference_network_cross_only_the_needed_edges() {
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    assertReach("prices", Set.of());

    cluster.subscribe(3, "prices");
    cluster.subscribe(17, "prices");
    cluster.subscribe(20, "prices");
    cluster.subscribe(5, "news");
    pass();
    assertReach("prices", Set.of(3, 17, 20));

    cluster.unsubscribe(17, "prices");
    pass();
    assertReach("prices", Set.of(3, 20));
  }
}
