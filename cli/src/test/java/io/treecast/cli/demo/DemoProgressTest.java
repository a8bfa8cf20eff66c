package io.treecast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.cli.console.CommandFailure;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A demo's reports of agents that have ended. */
@Timeout(120)
class DemoProgressTest {
  private final Topology topology = Topology.of(2, List.of(new Link(0, 1, 1_000)));
  private final StringWriter out = new StringWriter();
  private final DemoProgress progress = new DemoProgress(topology, new PrintWriter(out));

  @Test
  void a_cluster_that_ends_has_no_tree() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(topology, LocalCluster.Settings.DEFAULT)) {
      cluster.crash(0);
      cluster.crash(1);
      progress.ending();
      progress.stopped(0, "closed");
      // The wait continues until the thread is interrupted.
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> progress.awaitTree(cluster))
          .isInstanceOf(InterruptedException.class);
    }
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void a_demo_fails_when_an_agent_crashes_before_there_is_a_tree() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(topology, LocalCluster.Settings.DEFAULT)) {
      progress.agentsUp(cluster);
      cluster.agent(1).crash();
      for (Waiting waiting : List.<Waiting>of(progress::awaitTree, progress::awaitRest)) {
        assertThatThrownBy(() -> waiting.on(cluster))
            .isInstanceOf(CommandFailure.class)
            .hasMessageStartingWith("agent 1 ");
      }
    }
  }

  /** A wait before the broadcasts. */
  private interface Waiting {
    void on(LocalCluster cluster) throws Exception;
  }
}
