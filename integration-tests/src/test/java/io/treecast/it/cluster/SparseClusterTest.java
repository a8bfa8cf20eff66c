package io.treecast.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.ConfigException;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.network.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Agents with configured neighbours. */
@Timeout(300)
class SparseClusterTest {
  private static final long SHORT = 2_000;
  private static final long LONG = 40_000;

  @Test
  void the_tree_of_a_line_is_the_line_and_broadcasts_reach_its_far_end() throws ConfigException {
    Topology line =
        Topology.of(
            5,
            List.of(
                new Topology.Link(0, 1, SHORT),
                new Topology.Link(1, 2, SHORT),
                new Topology.Link(2, 3, LONG),
                new Topology.Link(3, 4, SHORT)));

    try (RunningCluster cluster = RunningCluster.start(line)) {
      assertThat(cluster.agreedMinimalTree().edges()).hasSize(4);

      Inbox farEnd = Inbox.of(cluster.client(4));
      cluster.client(0).blocking().broadcast(new byte[] {1});
      await().atMost(RunningCluster.LIMIT).until(() -> farEnd.from("0").size() == 1);
    }
  }

  @Test
  void the_tree_of_a_ring_leaves_out_its_longest_link() throws ConfigException {
    Topology ring =
        Topology.of(
            4,
            List.of(
                new Topology.Link(0, 1, SHORT),
                new Topology.Link(1, 2, LONG),
                new Topology.Link(2, 3, SHORT),
                new Topology.Link(0, 3, SHORT)));

    try (RunningCluster cluster = RunningCluster.start(ring)) {
      assertThat(cluster.agreedMinimalTree().edges())
          .extracting(LinkWeight::low, LinkWeight::high)
          .doesNotContain(org.assertj.core.groups.Tuple.tuple(NodeId.of("1"), NodeId.of("2")));
    }
  }
}
