package io.treecast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a demo says of agents that are not there any more. */
class DemoProgressTest {

  @Test
  void a_cluster_that_ends_has_no_tree() throws Exception {
    Topology topology = Topology.of(2, List.of(new Link(0, 1, 1_000)));
    StringWriter out = new StringWriter();
    DemoProgress progress = new DemoProgress(topology, new PrintWriter(out), 1);
    try (LocalCluster cluster = LocalCluster.start(topology, LocalCluster.Settings.DEFAULT)) {
      cluster.crash(0);
      cluster.crash(1);
      // It goes on looking until somebody ends it.
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> progress.awaitTree(cluster))
          .isInstanceOf(InterruptedException.class);
    }
    assertThat(out.toString()).isEmpty();
  }
}
