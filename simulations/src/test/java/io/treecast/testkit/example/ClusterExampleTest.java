package io.treecast.testkit.example;

import static io.treecast.testkit.junit.ClusterAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.testkit.junit.ClusterTest;
import io.treecast.testkit.junit.RandomFaults;
import io.treecast.testkit.junit.TestNetwork;
import io.treecast.testkit.sim.SimCluster;
import java.nio.ByteBuffer;

/** The example of the documentation, which quotes it with its imports. */
class ClusterExampleTest {
  // tag::example
  @ClusterTest(nodes = 12, topology = TestNetwork.SITES, seeds = 5)
  void a_broadcast_survives_a_crash_on_its_way(SimCluster cluster) {
    cluster.broadcast(0, ByteBuffer.wrap("hello".getBytes(UTF_8)));
    cluster.crash(5);
    cluster.links().cut(0, 4);

    assertThat(cluster).isMinimumSpanningTree().everyBroadcastDeliveredOnce();

    cluster.restart(5);
    cluster.links().heal();

    assertThat(cluster).isMinimumSpanningTree();
  }

  @ClusterTest(nodes = 8, seeds = 10)
  void whatever_happens_the_tree_becomes_minimal(SimCluster cluster, RandomFaults faults) {
    faults.applyTo(cluster);

    assertThat(cluster).isMinimumSpanningTree().everyBroadcastDeliveredOnce();
  }
  // end::example
}
