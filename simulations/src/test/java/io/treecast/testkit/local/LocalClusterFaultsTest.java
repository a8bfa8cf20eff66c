package io.treecast.testkit.local;

import static io.treecast.testkit.junit.ClusterAssertions.assertThat;

import io.treecast.testkit.junit.ClusterTest;
import io.treecast.testkit.junit.TestNetwork;
import io.treecast.testkit.network.NodeGroup;
import java.nio.ByteBuffer;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Timeout;

/** Real agents take the same faults as simulated ones. */
@Timeout(300)
@Order(Integer.MAX_VALUE)
class LocalClusterFaultsTest {

  @ClusterTest(nodes = 3)
  void a_subscription_is_in_place_as_soon_as_subscribe_returns(LocalCluster cluster) {
    cluster.subscribe(2, "prices");

    cluster.broadcast(0, "prices", ByteBuffer.allocate(24));

    Assertions.assertThat(cluster.deliveries().broadcasts())
        .singleElement()
        .satisfies(broadcast -> Assertions.assertThat(broadcast.audience()).hasSize(1));
    assertThat(cluster).everyBroadcastDeliveredOnce();
  }

  @ClusterTest(nodes = 2)
  void rest_is_reached_though_it_is_awaited_in_slices_shorter_than_it_takes(LocalCluster cluster) {
    boolean isAtRest = false;
    for (int second = 0; second < 120 && !isAtRest; second++) {
      isAtRest = cluster.runUntilAtRest(1_000);
    }
    Assertions.assertThat(isAtRest).isTrue();
  }

  @ClusterTest(nodes = 6, topology = TestNetwork.SITES)
  void real_agents_survive_what_simulated_ones_survive(LocalCluster cluster) {
    cluster.broadcast(0, ByteBuffer.allocate(24));
    cluster.crash(5);
    cluster.pause(3);
    cluster.links().partition(NodeGroup.of(0, 1), NodeGroup.of(2, 3, 4));
    cluster.broadcast(1, ByteBuffer.allocate(24));

    assertThat(cluster).isMinimumSpanningTree().everyBroadcastDeliveredOnce();

    cluster.links().heal();
    cluster.resume(3);
    cluster.restart(5);
    cluster.join(6, 2);

    assertThat(cluster).isMinimumSpanningTree().everyBroadcastDeliveredOnce();

    cluster.leave(6);
    cluster.links().reset(0, 1);

    assertThat(cluster).isMinimumSpanningTree().everyBroadcastDeliveredOnce();
  }
}
