package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.runtime.Agent;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.output.Terminal;
import io.treecast.cli.query.MetricText;
import io.treecast.cli.tree.Sites;
import io.treecast.cli.tree.TreeDot;
import io.treecast.cli.tree.TreeDrawing;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
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
                    + Math.round(e.get("weightMillis").asDouble() * 1000))
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
        .startsWith(TreeDrawing.draw(tree(), TreeDrawing.Style.of(Sites.NONE, Terminal.charset())))
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
    assertThat(run.out()).isEqualTo(TreeDot.write(tree(), Sites.NONE, MetricText.LATENCY));
  }

  @Test
  void watching_begins_with_the_tree_as_it_is() {
    CommandRun run = CommandRun.of("tree", "watch", "--agent", cluster.address(1), "--count", "1");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines().get(0))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}\\S+ version .*")
        .contains(" " + version() + ", root " + tree().root() + ", 2 edges, ")
        .endsWith(" ms; ready");
    assertThat(run.outLines()).hasSize(3).filteredOn(l -> l.startsWith("  + h")).hasSize(2);
    assertThat(run.err()).contains(" h1");
  }

  @Test
  void watching_prints_json_lines() {
    CommandRun run =
        CommandRun.of("tree", "watch", "--agent", cluster.address(2), "--count=1", "--output=json");
    JsonNode line = run.jsonLines().get(0);
    assertThat(line.get("node").asString()).isEqualTo("h2");
    assertThat(line.get("at").asString()).isNotEmpty();
    assertThat(line.get("version").asLong()).isEqualTo(tree().version());
    assertThat(line.get("ready").asBoolean()).isTrue();
    assertThat(line.get("removed").size()).isZero();
    assertThat(edges(line.get("added"))).isEqualTo(treeEdges());
    for (String key : List.of("versionBefore", "causes", "durationMillis", "messagesSent")) {
      assertThat(line.has(key)).as(key).isFalse();
    }
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
    assertThat(run.outLines().get(0)).contains("3 of 3 members", "3 links");
    assertThat(run.outLines().get(1)).contains(" 2 edges, ", " ms").doesNotContain("NOT");
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
  void an_agent_that_waits_for_others_has_a_minimal_tree_and_a_problem() throws Exception {
    try (Agent alone =
        Agent.builder().id("h9").listen("127.0.0.1:0").set("readyMembers", 2).start()) {
      Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> alone.snapshot().join().tree().tree() != null);
      String address = alone.address().toString();
      CommandRun text = CommandRun.of("tree", "verify", "--agent", address);
      assertThat(text.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(text.outLines().get(1)).startsWith("h9 ");
      assertThat(text.out()).doesNotContain("NOT");

      JsonNode json =
          CommandRun.of("tree", "verify", "--agent", address, "--output", "json").json();
      assertThat(json.get("minimal").asBoolean()).isTrue();
      assertThat(json.get("sound").asBoolean()).isFalse();
      assertThat(json.get("disagreements").size()).isEqualTo(1);
    }
  }

  @Test
  void links_are_a_table() {
    CommandRun run = CommandRun.of("links", "--agent", cluster.address(1));
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines().get(0))
        .matches(
            "peer +address +state +measured +forecast +error +weight ms +jitter +loss +discarded"
                + " +Mbit/s +expected +tree +confidence +forecaster");
    assertThat(run.outLines().get(1))
        .matches(
            "h2 +"
                + cluster.address(2)
                + " +up( +\\d+\\.\\d{3}){5}( +\\d+ %){2} +- +- +(yes|-) +\\d+ % +[a-z0-9.-]+");
    assertThat(run.outLines()).hasSize(3);
  }

  @Test
  void the_end_that_does_not_probe_shows_no_round_trips() {
    CommandRun run = CommandRun.of("links", "--agent", cluster.address(3));
    assertThat(run.outLines().get(1))
        .matches("h1 +\\S+ +up +- +- +- +\\d+\\.\\d{3}( +-){5} +(yes|-) +- +-");
  }

  @Test
  void the_sites_of_peers_are_shown_where_any_is_configured() throws Exception {
    try (LoopbackAgents sites = new LoopbackAgents()) {
      sites.at("east").start(null);
      sites.at(null).start(null);
      sites.at("west").start(null);
      sites.awaitTreeOf(3);
      CommandRun table = CommandRun.of("links", "--agent", sites.address(1));
      assertThat(table.outLines().get(0)).endsWith("  site");
      assertThat(table.outLines().get(1)).startsWith("h2 ").endsWith("  -");
      assertThat(table.outLines().get(2)).startsWith("h3 ").endsWith("  west");
      CommandRun json = CommandRun.of("links", "--agent", sites.address(1), "--output", "json");
      JsonNode links = json.json().get("links");
      assertThat(links.get(0).get("site").isNull()).isTrue();
      assertThat(links.get(1).get("site").asString()).isEqualTo("west");

      sites.agent(2).crash();
      sites.awaitTreeOf(2);
      CommandRun tree = CommandRun.of("tree", "show", "--agent", sites.address(1));
      assertThat(tree.outLines().get(0)).matches("h[13]  site (east|west)");
      assertThat(tree.outLines().get(1)).matches("\\W+h[13] .* ms  site (east|west)");
    }
  }

  @Test
  void links_are_printed_as_json() {
    CommandRun run = CommandRun.of("links", "--agent", cluster.address(2), "--output", "json");
    JsonNode json = run.json();
    assertThat(json.get("node").asString()).isEqualTo("h2");
    JsonNode probedByTheOther = json.get("links").get(0);
    assertThat(probedByTheOther.get("peer").asString()).isEqualTo("h1");
    assertThat(probedByTheOther.get("rttLastMillis").isNull()).isTrue();
    assertThat(probedByTheOther.get("forecastMillis").isNull()).isTrue();
    assertThat(probedByTheOther.get("forecaster").isNull()).isTrue();
    assertThat(probedByTheOther.get("jitterMillis").isNull()).isTrue();
    JsonNode probed = json.get("links").get(1);
    assertThat(probed.get("peer").asString()).isEqualTo("h3");
    assertThat(probed.get("address").asString()).isEqualTo(cluster.address(3));
    assertThat(probed.get("state").asString()).isEqualTo("up");
    assertThat(probed.get("session").asInt()).isPositive();
    assertThat(probed.get("rttLastMillis").asDouble()).isPositive();
    assertThat(probed.get("rttLeastMillis").asDouble()).isPositive();
    assertThat(probed.get("measuredMillis").asDouble()).isPositive();
    assertThat(probed.get("forecastMillis").asDouble()).isPositive();
    assertThat(probed.get("errorMillis").asDouble()).isNotNegative();
    assertThat(probed.get("forecaster").asString()).isNotEmpty();
    assertThat(probed.get("confidence").asDouble()).isBetween(0.0, 1.0);
    assertThat(probed.get("jitterMillis").asDouble()).isNotNegative();
    assertThat(probed.get("lossPercent").asInt()).isBetween(0, 100);
    assertThat(probed.get("discardedPercent").asInt()).isBetween(0, 100);
    assertThat(probed.get("throughputMbps").isNull()).as("not measured here").isTrue();
    assertThat(probed.get("weightMillis").asDouble()).isPositive();
    boolean treeEdge = treeEdges().stream().anyMatch(edge -> edge.startsWith("h2-h3@"));
    assertThat(probed.get("treeEdge").asBoolean()).isEqualTo(treeEdge);
    assertThat(probed.get("carriesData").isBoolean()).isTrue();
  }

  private boolean isEdge(String link) {
    return treeEdges().stream().anyMatch(edge -> edge.startsWith(link + "@"));
  }

  @Test
  void the_owner_explains_why_a_link_is_in_the_tree_whichever_agent_is_asked() {
    String link = isEdge("h1-h2") ? "h1-h2" : "h1-h3";
    String[] ends = link.split("-", -1);
    CommandRun run = CommandRun.of("why", ends[1], ends[0], "--agent", cluster.address(3));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    CommandRun inOneWord = CommandRun.of("why", link, "--agent", cluster.address(3));
    assertThat(inOneWord.outLines()).first().isEqualTo(run.outLines().get(0));
    assertThat(run.outLines()).hasSize(5);
    assertThat(run.outLines().get(0)).startsWith(link + " ");
    assertThat(run.outLines().get(1)).matches("Its weight is \\d+\\.\\d ms\\.");
    assertThat(run.outLines().get(2))
        .matches(
            ".* \\S+ ms \\([a-z0-9.+-]+\\), .* \\S+ ms\\. .* \\d+ measurements? .*\\d+ %\\)\\.");
    assertThat(run.outLines().get(3)).containsPattern("\\d").contains(" 0.0");
    assertThat(run.outLines().get(4)).matches("Agreed weights: \\S+ ms \\d+ s ago\\.");
  }

  @Test
  void why_a_link_is_not_in_the_tree_names_the_edge_that_is() {
    String link =
        List.of("h1-h2", "h1-h3", "h2-h3").stream()
            .filter(l -> !isEdge(l))
            .findFirst()
            .orElseThrow();
    String[] ends = link.split("-", -1);
    JsonNode json =
        CommandRun.of("why", ends[0], ends[1], "--agent", cluster.address(1), "--output", "json")
            .json();
    assertThat(json.get("a").asString() + "-" + json.get("b").asString()).isEqualTo(link);
    assertThat(json.get("treeEdge").asBoolean()).isFalse();
    assertThat(json.get("heaviestOnPath").get("weightMillis").asDouble())
        .isLessThanOrEqualTo(json.get("weightMillis").asDouble());
    assertThat(json.get("forecastMillis").asDouble()).isPositive();
    assertThat(json.get("damped").asBoolean()).isFalse();
    assertThat(json.get("weights")).hasSize(1);
    assertThat(CommandRun.of("why", ends[0], ends[1], "--agent", cluster.address(2)).out())
        .startsWith(link + " ")
        .containsPattern("\\bh\\d-h\\d\\b(?s).*\\bh\\d-h\\d\\b");
  }

  @Test
  void an_agent_that_keeps_no_series_says_what_to_do() {
    CommandRun run = CommandRun.of("series", "h1-h2", "--agent", cluster.address(3));
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .startsWith("treecast: agent h1 (" + cluster.address(1) + ") ")
        .contains("--series DIRECTORY");
  }

  @Test
  void sites_by_number_need_numbers() {
    CommandRun run =
        CommandRun.of("tree", "show", "--site-size", "4", "--agent", cluster.address(1));
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("treecast: --site-size: ");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void an_unknown_link_has_no_explanation() {
    CommandRun unknown = CommandRun.of("why", "h1", "h9", "--agent", cluster.address(1));
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(unknown.err()).contains("'h9'", "h1, h2, h3");
    CommandRun same = CommandRun.of("why", "h1", "h1", "--agent", cluster.address(1));
    assertThat(same.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(same.err()).contains("'h1-h1'");
  }
}
