package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.config.HostPort;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is said of agents without a tree, and of clusters in which something is wrong. */
class BrokenClusterTest {

  @Test
  void an_agent_without_a_tree_shows_why() throws Exception {
    try (LoopbackAgents alone = new LoopbackAgents(3)) {
      alone.start(null);
      CommandRun text = CommandRun.of("tree", "show", "--agent", alone.address(1));
      assertThat(text.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(text.err())
          .isEqualTo("treecast: agent h1 has no tree: no tree yet: 0 of 2 links are open\n");

      CommandRun json =
          CommandRun.of("tree", "show", "--agent", alone.address(1), "--output", "json");
      assertThat(json.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(json.json().get("ready").asBoolean()).isFalse();
      assertThat(json.json().get("reason").asString()).startsWith("no tree yet");
      assertThat(json.json().has("tree")).isFalse();

      CommandRun links = CommandRun.of("links", "--agent", alone.address(1));
      assertThat(links.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(links.out()).isEqualTo("agent h1 has no links yet\n");

      CommandRun verify = CommandRun.of("tree", "verify", "--agent", alone.address(1));
      assertThat(verify.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(verify.out()).contains("h1 is not ready: no tree yet");
    }
  }

  @Test
  void a_member_that_left_makes_the_tree_unsound_and_is_named() throws Exception {
    try (LoopbackAgents cluster = LoopbackAgents.withTree(3)) {
      CommandRun watching =
          CommandRun.start("tree", "watch", "--agent", cluster.address(1), "--count", "2")
              .awaitOut("ready");
      String left = cluster.address(3);
      cluster.agent(3).close();
      cluster.awaitNotReady(1);
      assertThat(watching.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(watching.outLines().get(3)).contains("; not ready: the link to h3 was lost");

      CommandRun shown = CommandRun.of("tree", "show", "--agent", cluster.address(1));
      assertThat(shown.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(shown.out()).contains("\nnot ready: the link to h3 was lost");

      CommandRun verified = CommandRun.of("tree", "verify", "--agent", cluster.address(1));
      assertThat(verified.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(verified.outLines().get(0)).startsWith("2 of 3 members answered");
      assertThat(verified.out())
          .contains(
              "could not ask h3 at "
                  + left
                  + " (Connection refused); check that it runs and that this machine reaches it")
          .contains("superfluous edge: ")
          .contains("h1 is not ready: the link to h3 was lost")
          .endsWith("NOT the minimum spanning tree of these links\n");
    }
  }

  @Test
  void what_can_not_be_asked_leaves_a_sound_tree_verified_in_part() throws Exception {
    try (SilentPort silent = new SilentPort();
        LoopbackAgents cluster = new LoopbackAgents(2)) {
      cluster.start(null);
      cluster.start(new HostPort("127.0.0.1", silent.port()));
      cluster.awaitReady();

      CommandRun text = CommandRun.of("tree", "verify", "--agent", cluster.address(1));
      assertThat(text.exitCode()).as(text.out()).isEqualTo(ExitCode.PARTIAL);
      assertThat(text.outLines().get(0)).isEqualTo("1 of 2 members answered and report 1 link");
      assertThat(text.out())
          .contains("could not ask h2 at " + silent.address() + " (Connection refused)")
          .endsWith("is the minimum spanning tree of these links, as far as could be asked\n");

      JsonNode json =
          CommandRun.of("tree", "verify", "--agent", cluster.address(1), "--output", "json").json();
      assertThat(json.get("minimal").asBoolean()).isTrue();
      assertThat(json.get("complete").asBoolean()).isFalse();
      assertThat(json.get("unreachable").get(0).get("node").asString()).isEqualTo("h2");
      assertThat(json.get("unreachable").get(0).get("address").asString())
          .isEqualTo(silent.address());
    }
  }
}
