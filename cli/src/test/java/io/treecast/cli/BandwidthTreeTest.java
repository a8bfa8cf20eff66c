package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.cli.console.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** {@code tree show}, {@code tree verify} and {@code why} of the widest tree. */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class BandwidthTreeTest {
  /** Timeout that permits two bulk probes to fail and be repeated. */
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private static final String THROUGHPUT = "(>= )?[0-9.]+ Mbit/s";

  @Test
  void the_widest_tree_is_shown_and_verified() throws Exception {
    try (LoopbackAgents cluster = new LoopbackAgents().measuringThroughput()) {
      for (int agents = 0; agents < 3; agents++) {
        cluster.start(null);
      }
      cluster.awaitTreeOf(3);
      awaitMeasured()
          .untilAsserted(
              () -> {
                CommandRun run =
                    CommandRun.of(
                        "tree", "verify", "--metric", "bandwidth", "--agent", cluster.address(1));
                assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.OK);
                assertThat(run.outLines().get(0)).contains("3 of 3 members", "3 links");
                assertThat(run.outLines().get(1))
                    .contains(" 2 edges, ", " Mbit/s")
                    .doesNotContain("NOT");
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
      assertThat(json.has("weightMillis")).as("weights are throughputs").isFalse();
    }
  }

  @Test
  void the_owner_explains_why_a_link_is_in_the_widest_tree_or_is_not() throws Exception {
    try (LoopbackAgents cluster = new LoopbackAgents().measuringThroughput()) {
      for (int agents = 0; agents < 3; agents++) {
        cluster.start(null);
      }
      cluster.awaitTreeOf(3);
      // Measurements on a busy machine vary, and the tree with them.
      for (String link : List.of("h1-h2", "h1-h3", "h2-h3")) {
        awaitMeasured().untilAsserted(() -> isExplained(link, cluster));
      }
    }
  }

  @Test
  void an_upload_names_the_version_of_the_widest_tree_and_a_text_that_of_the_other(
      @TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("payload"), new byte[3 << 20]);
    try (LoopbackAgents cluster = new LoopbackAgents().measuringThroughput()) {
      cluster.start(null);
      cluster.start(null);
      cluster.awaitTreeOf(2);
      String[] agent = {"--agent", cluster.address(1)};
      awaitMeasured()
          .untilAsserted(
              () -> {
                long version = widestVersion(cluster);
                CommandRun text =
                    CommandRun.of("broadcast", "--file", file.toString(), agent[0], agent[1]);
                assertThat(text.out()).endsWith(" version " + version + "\n");
                JsonNode json =
                    CommandRun.of(
                            "broadcast",
                            "--file",
                            file.toString(),
                            "--output=json",
                            agent[0],
                            agent[1])
                        .json();
                assertThat(json.get("metric").asString()).isEqualTo("bandwidth");
                assertThat(json.get("treeVersion").asLong()).isEqualTo(version);
              });
      JsonNode whole =
          CommandRun.of("broadcast", "--text=x", "--output=json", agent[0], agent[1]).json();
      assertThat(whole.get("metric").asString()).isEqualTo("latency");
      assertThat(whole.get("treeVersion").asLong()).isPositive();
    }
  }

  private static long widestVersion(LoopbackAgents cluster) {
    return CommandRun.of(
            "tree", "show", "--metric=bandwidth", "--output=json", "--agent", cluster.address(1))
        .json()
        .path("version")
        .asLong();
  }

  @Test
  void changes_of_the_widest_tree_are_printed_as_they_come() throws Exception {
    try (LoopbackAgents cluster = new LoopbackAgents().measuringThroughput()) {
      cluster.start(null);
      cluster.awaitTreeOf(1);
      String[] watch = {"tree", "watch", "--metric=bandwidth", "--agent", cluster.address(1)};
      CommandRun text = CommandRun.start(watch).awaitErr("watching the widest tree of agent h1");
      CommandRun json =
          CommandRun.start(
              "tree",
              "watch",
              "--metric=bandwidth",
              "--output=json",
              "--agent",
              cluster.address(1));
      text.awaitOut("version 1, root h1, 0 edges, no slowest edge");
      json.awaitOut("\"version\":1");
      cluster.start(null);
      // The link may be in the tree before its throughput is known.
      awaitMeasured()
          .until(() -> text.out().matches("(?s).*  [+~] h1 - h2  (>= )?\\d+\\.\\d Mbit/s\n.*"));
      json.awaitOut("\"atLeast\":");
      assertThat(text.interrupt().exitCode()).isEqualTo(ExitCode.OK);
      assertThat(json.interrupt().exitCode()).isEqualTo(ExitCode.OK);
      JsonNode grown =
          json.jsonLines().stream()
              .filter(l -> !l.get("added").isEmpty())
              .findFirst()
              .orElseThrow();
      assertThat(grown.get("node").asString()).isEqualTo("h1");
      assertThat(grown.get("added").get(0).get("a").asString()).isEqualTo("h1");
      assertThat(grown.get("versionBefore").asLong()).isLessThan(grown.get("version").asLong());
    }
  }

  @Test
  void the_widest_tree_of_an_interrupted_agent_is_asked_for_again() throws Exception {
    try (LoopbackAgents cluster = new LoopbackAgents().measuringThroughput()) {
      cluster.start(null);
      cluster.awaitTreeOf(1);
      CommandRun watch =
          CommandRun.start("tree", "watch", "--metric=bandwidth", "--agent", cluster.address(1))
              .awaitOut("version 1");
      cluster.agent(1).close();
      watch.awaitErr("interrupted: agent " + cluster.address(1) + ": ");
      assertThat(watch.interrupt().exitCode()).isEqualTo(ExitCode.OK);
    }
  }

  /** Asks seldom, since each question is a command, and a measurement takes seconds. */
  private static ConditionFactory awaitMeasured() {
    return await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500));
  }

  private static void isExplained(String link, LoopbackAgents cluster) {
    boolean isEdge = edges(cluster).contains(link);
    String[] why = {"why", link, "--metric=bandwidth", "--agent", cluster.address(3)};
    CommandRun run = CommandRun.of(why);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines()).hasSize(5);
    assertThat(run.outLines().get(0)).startsWith(link + " ");
    assertThat(run.outLines().get(1))
        .startsWith("Its weight is ")
        .containsPattern(isEdge ? " Mbit/s\\.$" : "\\bh\\d-h\\d\\b");
    assertThat(run.outLines().get(2))
        .matches(".* \\S+ Mbit/s \\([a-z0-9.-]+\\), .* \\S+ Mbit/s\\. .* \\d+ measurements? .*");
    assertThat(run.outLines().get(4))
        .as("a link is in the tree before it is measured")
        .matches(
            "Agreed weights: %1$s \\d+ s ago(, (%1$s|an unknown throughput) \\d+ s ago)*\\."
                .formatted(THROUGHPUT));

    JsonNode json =
        CommandRun.of(
                "why", link, "--metric=bandwidth", "--output=json", "--agent", cluster.address(2))
            .json();
    assertThat(json.get("treeEdge").asBoolean()).isEqualTo(isEdge);
    assertThat(json.has("heaviestOnPath")).isTrue();
    assertThat(json.get("forecastMbps").asDouble()).isPositive();
    assertThat(json.get("weights").get(0).get("throughputMbps").asDouble()).isPositive();
    assertThat(json.has("weightMillis")).as("weights are throughputs").isFalse();
  }

  private static List<String> edges(LoopbackAgents cluster) {
    String[] show = {
      "tree", "show", "--metric=bandwidth", "--output=json", "--agent", cluster.address(1)
    };
    List<String> edges = new ArrayList<>();
    for (JsonNode edge : CommandRun.of(show).json().path("tree")) {
      edges.add(edge.get("a").asString() + "-" + edge.get("b").asString());
    }
    return edges;
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
      awaitMeasured()
          .untilAsserted(
              () -> {
                CommandRun run = CommandRun.of(verify);
                assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.OK);
                assertThat(run.outLines())
                    .hasSizeGreaterThan(1)
                    .satisfies(
                        lines -> {
                          assertThat(lines.get(0)).contains("2 of 2 members", "1 link");
                          assertThat(lines.get(1))
                              .contains(" h1 at " + cluster.address(1), "throughput.enabled");
                        });
              });
    }
  }

  @Test
  void agents_that_do_not_measure_throughput_have_none() throws Exception {
    try (LoopbackAgents cluster = LoopbackAgents.withTree(2)) {
      CommandRun run =
          CommandRun.of("tree", "show", "--metric", "bandwidth", "--agent", cluster.address(1));
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).contains("agent h1: ", "throughput.enabled");
      CommandRun watch =
          CommandRun.of("tree", "watch", "--metric=bandwidth", "--agent", cluster.address(1));
      assertThat(watch.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(watch.err()).contains("agent h1: ", "throughput.enabled");
      CommandRun why =
          CommandRun.of("why", "h1-h2", "--metric", "bandwidth", "--agent", cluster.address(1));
      assertThat(why.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(why.outLines())
          .satisfiesExactly(
              line -> assertThat(line).startsWith("h1-h2 "),
              line -> assertThat(line).contains(": h1 ", "throughput.enabled"));
      CommandRun verified =
          CommandRun.of("tree", "verify", "--metric", "bandwidth", "--agent", cluster.address(1));
      assertThat(verified.exitCode()).isEqualTo(ExitCode.FAILED);
    }
  }
}
