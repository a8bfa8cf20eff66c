package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A member that has lost its only neighbour and has no other link yet. */
class AloneForAMomentTest {
  private static final int JOINED = 4;

  @Test
  void its_subscribers_in_total_order_get_the_order_of_all_others() {
    List<Link> links = new ArrayList<>();
    for (int one = 0; one < 5; one++) {
      for (int other = one + 1; other < 5; other++) {
        links.add(new Link(one, other, 10_000 + 1_000 * (one + other)));
      }
    }
    SimCluster cluster = new SimCluster(Topology.of(5, links), 1);
    List.of(1, 2, 3).forEach(other -> cluster.links().cut(JOINED, other));
    ready(cluster);
    SimSubscriber there = inOrder(cluster, 1);
    SimSubscriber here = inOrder(cluster, JOINED);

    List.of(1, 2, 3).forEach(other -> cluster.links().heal(JOINED, other));
    cluster.links().reset(0, JOINED);
    cluster.links().cut(0, JOINED);
    assertThat(cluster.runUntil(() -> isAlone(cluster), 60_000)).as("it is alone").isTrue();
    for (int source : new int[] {JOINED, 1, JOINED, 1}) {
      broadcast(cluster, source);
      cluster.runUntil(() -> false, 20);
    }
    assertThat(isAlone(cluster)).as("still").isTrue();
    ready(cluster);
    assertThat(cluster.runUntil(() -> there.whole().size() == 4, 60_000)).isTrue();
    assertThat(cluster.runUntil(() -> here.whole().size() == 4, 60_000)).isTrue();

    assertThat(here.whole()).isEqualTo(there.whole());
  }

  private static boolean isAlone(SimCluster cluster) {
    return cluster.agents().stream()
        .filter(agent -> agent.node() == JOINED)
        .map(agent -> agent.treeStatus().tree())
        .anyMatch(tree -> tree != null && tree.members().size() == 1);
  }

  private static SimSubscriber inOrder(SimCluster cluster, int node) {
    SimSubscriber subscriber = new SimSubscriber(SubscribeOptions.defaults().withTotalOrder());
    cluster.agents().stream()
        .filter(agent -> agent.node() == node)
        .forEach(subscriber::subscribeAt);
    cluster.runUntil(subscriber::isLive, 10_000);
    return subscriber;
  }

  private static void broadcast(SimCluster cluster, int source) {
    cluster.broadcast(source, Topic.DEFAULT, ByteBuffer.wrap(new byte[] {1}), 0);
  }

  private static void ready(SimCluster cluster) {
    assertThat(cluster.runUntilReady(120_000)).isTrue();
  }
}
