package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.LinkWeight;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** {@code tree show}, {@code tree watch}, {@code tree verify} and {@code links} of three agents. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentQuestionsTest {
  private LoopbackAgents cluster = new LoopbackAgents();

  @BeforeAll
  void startCluster() throws Exception {
    cluster = LoopbackAgents.withTree(3);
  }

  @AfterAll
  void stopCluster() {
    cluster.close();
  }

  private CommittedTree tree() {
    return Objects.requireNonNull(cluster.agent(1).snapshot().join().tree().tree());
  }

  private String version() {
    return "version " + tree().version();
  }

  private static List<String> edges(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false)
        .map(
            e ->
                e.get("a").asString()
                    + "-"
                    + e.get("b").asString()
                    + "@"
                    + Math.round(e.get("weightMillis").asDouble() * 1000)
                    + "us")
        .toList();
  }

  private List<String> treeEdges() {
    return tree().edges().stream().map(LinkWeight::toString).toList();
  }

  @Test
  void the_tree_is_drawn_and_summed_up() {
    CommandRun run = CommandRun.of("tree", "show", "--agent", cluster.address(2));
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .startsWith(TreeDrawing.draw(tree(), TreeDrawing.Style.of(0, Terminal.charset())))
        .contains(version() + ", root " + tree().root() + ", 2 edges, ");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void the_tree_is_printed_as_json() {
    CommandRun run =
        CommandRun.of("tree", "show", "--agent", cluster.address(3), "--output", "json");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    JsonNode json = run.json();
    assertThat(json.get("node").asString()).isEqualTo("h3");
    assertThat(json.get("ready").asBoolean()).isTrue();
    assertThat(json.get("version").asLong()).isEqualTo(tree().version());
    assertThat(json.get("root").asString()).isEqualTo(tree().root().toString());
    assertThat(json.get("weightMillis").asDouble()).isEqualTo(tree().weightMicros() / 1e3);
    assertThat(edges(json.get("tree"))).isEqualTo(treeEdges());
  }

  @Test
  void the_tree_is_printed_for_graphviz() {
    CommandRun run = CommandRun.of("tree", "show", "--agent", cluster.address(1), "--output=dot");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).isEqualTo(TreeDot.write(tree(), 0));
  }

  @Test
  void watching_begins_with_the_tree_as_it_is() {
    CommandRun run = CommandRun.of("tree", "watch", "--agent", cluster.address(1), "--count", "1");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines().get(0))
        .startsWith(version() + ", root " + tree().root() + ", 2 edges, ")
        .endsWith(" ms in all; ready");
    assertThat(run.outLines()).hasSize(3).filteredOn(l -> l.startsWith("  + h")).hasSize(2);
    assertThat(run.err()).contains("watching the tree of agent h1; Ctrl-C ends");
  }

  @Test
  void watching_prints_json_lines() {
    CommandRun run =
        CommandRun.of("tree", "watch", "--agent", cluster.address(2), "--count=1", "--output=json");
    JsonNode line = run.jsonLines().get(0);
    assertThat(line.get("node").asString()).isEqualTo("h2");
    assertThat(line.get("version").asLong()).isEqualTo(tree().version());
    assertThat(line.get("ready").asBoolean()).isTrue();
    assertThat(line.get("removed").size()).isZero();
    assertThat(edges(line.get("added"))).isEqualTo(treeEdges());
  }

  @Test
  void an_interruption_ends_watching() {
    CommandRun run =
        CommandRun.start("tree", "watch", "--agent", cluster.address(1)).awaitOut("ready");
    assertThat(run.interrupt().exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void the_agents_tree_is_verified() {
    CommandRun run = CommandRun.of("tree", "verify", "--agent", cluster.address(1));
    assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines().get(0)).isEqualTo("3 of 3 members answered and report 3 links");
    assertThat(run.outLines().get(1))
        .startsWith("the tree of 2 edges, ")
        .endsWith(" ms in all, is the minimum spanning tree of these links");
  }

  @Test
  void the_verification_is_printed_as_json() {
    CommandRun run =
        CommandRun.of("tree", "verify", "--agent", cluster.address(2), "--output", "json");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    JsonNode json = run.json();
    assertThat(json.get("minimal").asBoolean()).isTrue();
    assertThat(json.get("complete").asBoolean()).isTrue();
    assertThat(json.get("links").asInt()).isEqualTo(3);
    assertThat(edges(json.get("tree"))).isEqualTo(treeEdges());
    assertThat(json.get("members").toString()).isEqualTo("[\"h1\",\"h2\",\"h3\"]");
    for (String nothing : List.of("missing", "superfluous", "disagreements", "unreachable")) {
      assertThat(json.get(nothing).size()).as(nothing).isZero();
    }
  }

  @Test
  void links_are_a_table() {
    CommandRun run = CommandRun.of("links", "--agent", cluster.address(1));
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines().get(0))
        .matches("peer +address +state +last ms +least ms +weight ms +tree");
    assertThat(run.outLines().get(1))
        .matches(
            "h2 +"
                + cluster.address(2)
                + " +up +\\d+\\.\\d{3} +\\d+\\.\\d{3} +\\d+\\.\\d{3} +(yes|-)");
    assertThat(run.outLines()).hasSize(3);
  }

  @Test
  void the_end_that_does_not_probe_shows_no_round_trips() {
    CommandRun run = CommandRun.of("links", "--agent", cluster.address(3));
    assertThat(run.outLines().get(1)).matches("h1 +\\S+ +up +- +- +\\d+\\.\\d{3} +(yes|-)");
  }

  @Test
  void links_are_printed_as_json() {
    CommandRun run = CommandRun.of("links", "--agent", cluster.address(2), "--output", "json");
    JsonNode json = run.json();
    assertThat(json.get("node").asString()).isEqualTo("h2");
    JsonNode probedByTheOther = json.get("links").get(0);
    assertThat(probedByTheOther.get("peer").asString()).isEqualTo("h1");
    assertThat(probedByTheOther.get("rttLastMillis").isNull()).isTrue();
    JsonNode probed = json.get("links").get(1);
    assertThat(probed.get("peer").asString()).isEqualTo("h3");
    assertThat(probed.get("address").asString()).isEqualTo(cluster.address(3));
    assertThat(probed.get("state").asString()).isEqualTo("up");
    assertThat(probed.get("session").asInt()).isPositive();
    assertThat(probed.get("rttLastMillis").asDouble()).isPositive();
    assertThat(probed.get("rttLeastMillis").asDouble()).isPositive();
    assertThat(probed.get("weightMillis").asDouble()).isPositive();
    boolean treeEdge = treeEdges().stream().anyMatch(edge -> edge.startsWith("h2-h3@"));
    assertThat(probed.get("treeEdge").asBoolean()).isEqualTo(treeEdge);
    assertThat(probed.get("carriesData").isBoolean()).isTrue();
  }
}
