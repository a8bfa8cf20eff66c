package io.treecast.testkit.local;

import static io.treecast.testkit.junit.ClusterAssertions.assertThat;

import io.treecast.agent.config.ConfigException;
import io.treecast.client.Treecast;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.testkit.cluster.TreeVerdict;
import io.treecast.testkit.junit.ClusterTest;
import io.treecast.testkit.junit.TestNetwork;
import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.network.NodeSites;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults of real agents, the same as of simulated ones. */
@Timeout(300)
@Order(1)
class LocalClusterFaultsTest {
  /** A round trip above the timeout of handshakes. */
  private static final long TOO_FAR_MICROS = 120_000_000;

  @ClusterTest(nodes = 3)
  void a_subscription_is_in_place_as_soon_as_subscribe_returns(LocalCluster cluster) {
    cluster.subscribe(2, "prices");

    cluster.broadcast(0, "prices", ByteBuffer.allocate(24));

    Assertions.assertThat(cluster.deliveries().broadcasts())
        .singleElement()
        .satisfies(broadcast -> Assertions.assertThat(broadcast.audience()).hasSize(1));
    assertThat(cluster).everyBroadcastDeliveredOnce();
  }

  @Test
  void agents_that_are_all_too_far_from_the_first_find_each_other() throws ConfigException {
    List<Link> links =
        List.of(
            Link.between(0, 1, TOO_FAR_MICROS),
            Link.between(0, 2, TOO_FAR_MICROS),
            Link.between(1, 2, 1_000));

    try (LocalCluster cluster =
        LocalCluster.start(Topology.of(3, links), LocalCluster.Settings.DEFAULT)) {
      boolean isReady = cluster.runUntilReady(60_000);
      Assertions.assertThat(isReady).as("%s", TreeVerdict.of(cluster)).isTrue();
    }
  }

  @Test
  void a_cluster_that_fails_to_start_leaves_no_agent_running() throws ConfigException {
    int port = FreePorts.find(1).get(0);
    NodeSites withoutSecond = NodeSites.ofSize(1, 1);
    LocalCluster.Settings settings =
        new LocalCluster.Settings(
            port, 0, 0, withoutSecond, SignificancePolicy.DEFAULT, (node, notice) -> {});

    Assertions.assertThatThrownBy(() -> LocalCluster.start(TestNetwork.COMPLETE.of(2, 0), settings))
        .isInstanceOf(IndexOutOfBoundsException.class);

    Assertions.assertThatCode(
            () -> new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close())
        .doesNotThrowAnyException();
  }

  @ClusterTest(nodes = 2)
  void a_subscription_that_has_ended_is_not_in_place(LocalCluster cluster) {
    Treecast application = Objects.requireNonNull(cluster.applications().get(0));
    cluster.subscribe(0, "prices");
    BooleanSupplier inPlace = cluster.beginSubscription(0, "prices");
    cluster.pause(0);
    BooleanSupplier neverInPlace = cluster.beginSubscription(0, "news");
    Assertions.assertThat(inPlace.getAsBoolean()).isTrue();

    application.close();

    Assertions.assertThat(neverInPlace.getAsBoolean()).isFalse();
    Assertions.assertThat(cluster.runUntil(() -> !inPlace.getAsBoolean(), 60_000)).isTrue();
    cluster.resume(0);
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
