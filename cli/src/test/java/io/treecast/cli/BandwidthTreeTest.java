package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.cli.console.ExitCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** {@code tree show} and {@code tree verify} of the tree by bandwidth. */
class BandwidthTreeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void the_widest_tree_is_shown_and_verified() throws Exception {
    try (LoopbackAgents cluster = new LoopbackAgents().measuringThroughput()) {
      for (int agents = 0; agents < 3; agents++) {
        cluster.start(null);
      }
      cluster.awaitTreeOf(3);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                CommandRun run =
                    CommandRun.of(
                        "tree", "verify", "--metric", "bandwidth", "--agent", cluster.address(1));
                assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.OK);
                assertThat(run.outLines().get(0))
                    .isEqualTo("3 of 3 members answered and report 3 links");
                assertThat(run.outLines().get(1))
                    .startsWith("the tree of 2 edges, ")
                    .endsWith(
                        " Mbit/s at the narrowest, is the widest spanning tree of these links");
              });

      String[] show = {"tree", "show", "--metric=bandwidth", "--agent", cluster.address(2)};
      assertThat(CommandRun.of(show).out())
          .containsPattern("Mbit/s\n.*Mbit/s\n\nversion \\d+, root h\\d, 2 edges, ");
      JsonNode json =
          CommandRun.of(
                  "tree",
                  "show",
                  "--metric=bandwidth",
                  "--output=json",
                  "--agent",
                  cluster.address(3))
              .json();
      assertThat(json.get("tree")).hasSize(2);
      assertThat(json.get("tree").get(0).has("throughputMbps")).isTrue();
      assertThat(json.has("weightMillis")).as("weights are no times").isFalse();
    }
  }

  @Test
  void an_agent_that_does_not_measure_throughput_is_left_out_and_named() throws Exception {
    try (LoopbackAgents cluster = new LoopbackAgents()) {
      cluster.start(null);
      cluster.measuringThroughput();
      cluster.start(null);
      cluster.start(null);
      cluster.awaitTreeOf(3);
      String[] verify = {"tree", "verify", "--metric=bandwidth", "--agent", cluster.address(1)};
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                CommandRun run = CommandRun.of(verify);
                assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.OK);
                assertThat(run.outLines())
                    .startsWith(
                        "2 of 2 members answered and report 1 link",
                        "not in the tree: h1 at "
                            + cluster.address(1)
                            + " (it measures no throughput: throughput.enabled)");
              });
    }
  }

  @Test
  void agents_that_do_not_measure_throughput_have_none() throws Exception {
    try (LoopbackAgents cluster = LoopbackAgents.withTree(2)) {
      CommandRun run =
          CommandRun.of("tree", "show", "--metric", "bandwidth", "--agent", cluster.address(1));
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err())
          .contains(
              "agent h1: no tree by bandwidth; it measures no throughput (throughput.enabled)");
      CommandRun verified =
          CommandRun.of("tree", "verify", "--metric", "bandwidth", "--agent", cluster.address(1));
      assertThat(verified.exitCode()).isEqualTo(ExitCode.FAILED);
    }
  }
}
