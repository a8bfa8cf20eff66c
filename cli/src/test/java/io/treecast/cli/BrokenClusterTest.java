package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.HostPort;
import io.treecast.cli.console.ExitCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Output about agents without a tree, and about clusters that lost a member. */
@Execution(ExecutionMode.CONCURRENT)
class BrokenClusterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void an_agent_without_a_tree_shows_why() throws Exception {
    try (LoopbackAgents alone = LoopbackAgents.thatWaitForOthers()) {
      alone.start(null);
      CommandRun text = CommandRun.of("tree", "show", "--agent", alone.address(1));
      assertThat(text.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(text.err()).startsWith("treecast: agent h1: ").contains("0 links");

      CommandRun json =
          CommandRun.of("tree", "show", "--agent", alone.address(1), "--output", "json");
      assertThat(json.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(json.json().get("ready").asBoolean()).isFalse();
      assertThat(json.json().get("reason").asString()).contains("0 links");
      assertThat(json.json().has("tree")).isFalse();

      CommandRun links = CommandRun.of("links", "--agent", alone.address(1));
      assertThat(links.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(links.out()).contains(" h1 ");

      CommandRun verify = CommandRun.of("tree", "verify", "--agent", alone.address(1));
      assertThat(verify.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(verify.out()).contains("h1 ");
    }
  }

  @Test
  void a_member_that_leaves_is_watched_and_forgotten() throws Exception {
    try (LoopbackAgents cluster = LoopbackAgents.withTree(3)) {
      CommandRun watching =
          CommandRun.start("tree", "watch", "--agent", cluster.address(1)).awaitOut("ready");
      CommandRun watchingJson =
          CommandRun.start("tree", "watch", "--agent", cluster.address(2), "--output", "json")
              .awaitOut("ready");
      cluster.agent(3).close();
      cluster.awaitTreeOf(2);

      watching.awaitOut(", 1 edge, ");
      assertThat(watching.interrupt().exitCode()).isEqualTo(ExitCode.OK);
      // If the member had both edges, the others are alone for one version.
      assertThat(watching.outLines())
          .filteredOn(line -> line.contains(" version "))
          .anySatisfy(line -> assertThat(line).contains("; tree-link-lost"))
          .last()
          .asString()
          .matches("\\d{4}-\\S+ version \\d+, root h[12], 1 edge, total weight .* ms; .* sent");
      assertThat(watching.out()).containsPattern("\n  - h[12] - h3  .* ms\n");
      watchingJson.awaitOut("tree-link-lost");
      assertThat(watchingJson.interrupt().exitCode()).isEqualTo(ExitCode.OK);
      JsonNode lost =
          watchingJson.jsonLines().stream()
              .filter(line -> line.path("causes").toString().contains("tree-link-lost"))
              .findFirst()
              .orElseThrow();
      assertThat(lost.get("version").asLong()).isGreaterThan(lost.get("versionBefore").asLong());
      assertThat(lost.get("removed").toString()).contains("\"b\":\"h3\"");
      assertThat(lost.get("messagesSent").isNumber()).isTrue();
      assertThat(lost.get("durationMillis").isNumber()).isTrue();

      CommandRun verified = CommandRun.of("tree", "verify", "--agent", cluster.address(1));
      assertThat(verified.exitCode()).as(verified.out()).isEqualTo(ExitCode.OK);
      assertThat(verified.outLines()).hasSize(2);
      assertThat(verified.outLines().get(0)).contains("2 of 2 members", "1 link");
    }
  }

  @Test
  void a_member_that_was_killed_is_named_as_not_in_the_tree() throws Exception {
    try (LoopbackAgents cluster = LoopbackAgents.withTree(3)) {
      String killed = cluster.address(3);
      cluster.agent(3).crash();
      cluster.awaitTreeOf(2);

      CommandRun verified = CommandRun.of("tree", "verify", "--agent", cluster.address(1));
      assertThat(verified.exitCode()).as(verified.out()).isEqualTo(ExitCode.OK);
      assertThat(verified.out())
          .contains("2 of 2 members", "1 link")
          .contains(" h3 at " + killed + " (Connection refused)")
          .doesNotContain("NOT");

      CommandRun links = CommandRun.of("links", "--agent", cluster.address(1));
      assertThat(links.outLines().get(2))
          .matches("h3 +" + killed + " +dialing, absent \\d+ s( +-){12}");

      CommandRun sent =
          CommandRun.of("broadcast", "--text", "hi", "--confirm", "--agent", cluster.address(1));
      assertThat(sent.exitCode()).as(sent.err()).isEqualTo(ExitCode.OK);
      assertThat(sent.outLines().get(1)).contains(" 2 members, ").contains("; h3 ");
      JsonNode json =
          CommandRun.of(
                  "broadcast",
                  "--text",
                  "hi",
                  "--confirm",
                  "--agent",
                  cluster.address(2),
                  "--output",
                  "json")
              .json();
      assertThat(json.get("absent").toString()).isEqualTo("[\"h3\"]");
      assertThat(json.get("failed").toString()).isEqualTo("[]");

      CommandRun why = CommandRun.of("why", "h1-h3", "--agent", cluster.address(2));
      assertThat(why.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(why.err())
          .matches(
              "treecast: agent h1 .*\\bh3\\b.* \\d+ s, .* \\d+ s ago: .+'treecast links --agent "
                  + cluster.address(1)
                  + "'.*\n");
    }
  }

  @Test
  void each_tree_of_a_split_cluster_is_named() throws Exception {
    try (LoopbackAgents cluster = new LoopbackAgents().allowingFaults(true)) {
      cluster.start(null);
      cluster.start(null);
      cluster.awaitTreeOf(2);
      CommandRun.of("fault", "cut", "h1-h2", "--agent", cluster.address(1));
      String[] verify = {"tree", "verify", "--agent", cluster.address(1)};
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                CommandRun run = CommandRun.of(verify);
                assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.OK);
                assertThat(run.out())
                    .matches(
                        """
                        2 of 2 members of 2 trees answered and report 0 links
                        the cluster is split: the tree of version \\d+, root h1, has 1 member: h1
                        the cluster is split: the tree of version \\d+, root h2, has 1 member: h2
                        the 2 trees of 0 edges, total weight 0.000 ms, are the minimum spanning trees of these links
                        """);
              });
      JsonNode trees =
          CommandRun.of("tree", "verify", "--agent", cluster.address(1), "--output", "json")
              .json()
              .get("trees");
      assertThat(trees.size()).isEqualTo(2);
      assertThat(trees.get(1).get("root").asString()).isEqualTo("h2");
      assertThat(trees.get(1).get("members").toString()).isEqualTo("[\"h2\"]");
    }
  }

  @Test
  void agents_that_do_not_link_print_the_reason_beside_their_links() throws Exception {
    try (LoopbackAgents agents = new LoopbackAgents().ofCluster("east")) {
      agents.start(null);
      agents.ofCluster("west").start(null);
      for (int node = 1; node <= 2; node++) {
        String[] links = {"links", "--agent", agents.address(node)};
        await()
            .atMost(PATIENCE)
            .untilAsserted(() -> assertThat(CommandRun.of(links).err()).isNotEmpty());
        CommandRun text = CommandRun.of(links);
        assertThat(text.out()).contains(" h" + node + " ");
        assertThat(text.err())
            .matches(
                "treecast: .* \\d+ s ago: h1 at "
                    + agents.address(1)
                    + " .*\\beast\\b.* h2 at "
                    + agents.address(2)
                    + " .*\\bwest\\b.*\n");
        JsonNode json =
            CommandRun.of("links", "--agent", agents.address(node), "--output", "json").json();
        assertThat(json.get("refusal").asString()).startsWith("h1 at ");
        assertThat(json.get("refusedMillis").isNumber()).isTrue();
      }
    }
  }

  @Test
  void if_the_end_that_measures_is_gone_the_other_one_explains_the_link() throws Exception {
    try (LoopbackAgents cluster = LoopbackAgents.withTree(3)) {
      cluster.agent(1).crash();
      cluster.awaitTreeOf(2);

      CommandRun why = CommandRun.of("why", "h1-h2", "--agent", cluster.address(3));
      assertThat(why.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(why.err())
          .startsWith("treecast: agent h1: Connection refused; ")
          .containsPattern(
              "\ntreecast: agent h2 .*\\bh1\\b.* \\d+ s, .* \\d+ s ago: .+'treecast links --agent "
                  + cluster.address(2));
    }
  }

  @Test
  void an_agent_that_cannot_be_asked_leaves_a_sound_tree_verified_in_part() throws Exception {
    try (SilentPort silent = new SilentPort();
        LoopbackAgents cluster = new LoopbackAgents()) {
      cluster.start(null);
      cluster.start(new HostPort("127.0.0.1", silent.port()));
      cluster.awaitTreeOf(2);

      CommandRun text = CommandRun.of("tree", "verify", "--agent", cluster.address(1));
      assertThat(text.exitCode()).as(text.out()).isEqualTo(ExitCode.PARTIAL);
      assertThat(text.outLines().get(0)).contains("1 of 2 members", "1 link");
      assertThat(text.out())
          .contains(" h2 at " + silent.address() + " (Connection refused)")
          .doesNotContain("NOT");

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
