package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import io.treecast.testkit.reproduce.Experiment;
import io.treecast.testkit.reproduce.Experiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The output of {@code reproduce}, and the comparisons and files of {@code simulate}. */
class ReproduceCommandTest {
  private static final String ALL = "binomial,two-level,static-mst,ghs-1983,link-state";

  @TempDir private Path directory;

  @Test
  void without_an_experiment_it_lists_them_a_line_each() {
    CommandRun run = CommandRun.of("reproduce");

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines()).hasSize(Experiments.all().size());
    assertThat(run.outLines().stream().map(line -> line.split(" ", 2)[0]).toList())
        .containsExactlyElementsOf(Experiments.all().stream().map(Experiment::id).toList());
  }

  @Test
  void experiments_that_run_live_are_listed_with_the_time_that_they_take() {
    CommandRun run = CommandRun.of("reproduce", "--live");

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines().stream().map(line -> line.split(" ", 2)[0]).toList())
        .containsExactlyElementsOf(
            Experiments.all().stream()
                .filter(one -> one.live().refusal() == null)
                .map(Experiment::id)
                .toList());
    JsonNode json = CommandRun.of("reproduce", "--output", "json").json();
    for (JsonNode one : json.get("experiments")) {
      Experiment experiment = Objects.requireNonNull(Experiments.of(one.get("id").asString()));
      assertThat(one.get("liveSeconds").isNull()).isEqualTo(experiment.live().refusal() != null);
    }
  }

  @Test
  void the_build_takes_less_than_a_third_of_the_published_messages() {
    JsonNode json =
        CommandRun.of("reproduce", "table-4.3", "--runs", "1", "--output", "json").json();

    assertThat(json.get("id").asString()).isEqualTo("table-4.3");
    assertThat(json.get("differs").asString()).isNotEmpty();
    JsonNode row = json.get("rows").get(2);
    assertThat(row.get("case").asString()).isEqualTo("Treecast, 4 broadcasts");
    assertThat(row.get("published").get("controlMessages").doubleValue()).isEqualTo(815);
    assertThat(row.get("published").get("messagesByType").get("Test").doubleValue()).isEqualTo(394);
    assertThat(row.get("published").get("edgesReplaced").isNull()).isTrue();
    assertThat(row.get("own").get("controlMessages").doubleValue()).isBetween(1.0, 815.0 / 3);
    assertThat(row.get("own").get("messagesByType").get("Commit").doubleValue()).isEqualTo(23);
  }

  @Test
  @Tag("nightly")
  void a_set_replaces_the_published_edges_at_each_threshold() {
    JsonNode rows =
        CommandRun.of("reproduce", "4.16", "--runs", "1", "--output", "json").json().get("rows");

    for (JsonNode row : rows) {
      assertThat(row.get("own").get("edgesReplaced").doubleValue())
          .isEqualTo(row.get("published").get("edgesReplaced").doubleValue());
      assertThat(row.get("own").get("lastNodeMillis").doubleValue()).isPositive();
    }
  }

  @Test
  void a_blocking_send_delays_each_copy_of_its_node() throws IOException {
    Path matrix = Files.writeString(directory.resolve("m.csv"), "0,10,10\n10,0,20\n10,20,0\n");
    JsonNode compared =
        CommandRun.of(
                "simulate",
                "--matrix",
                matrix.toString(),
                "--site-size",
                "1",
                "--compare",
                "two-level",
                "--send-millis",
                "3",
                "--broadcasts",
                "2",
                "--output",
                "json")
            .json()
            .get("compare");

    JsonNode twoLevel = compared.get("algorithms").get(1);
    assertThat(twoLevel.get("algorithm").asString()).isEqualTo("two-level");
    // The second copy leaves after two sends, and takes half of 10 ms; then come two more sends.
    assertThat(twoLevel.get("lastNodeMillis").doubleValue()).isEqualTo(11);
    assertThat(twoLevel.get("allBroadcastsMillis").doubleValue()).isEqualTo(17);
  }

  @Test
  void names_of_the_matrix_are_in_all_output_and_sites_are_found() throws IOException {
    Path matrix =
        Files.writeString(
            directory.resolve("mine.csv"),
            """
            x,paris-1,paris-2,rome-1,rome-2
            paris-1,0,1,30,31
            paris-2,1,0,32,33
            rome-1,30,32,0,1
            rome-2,31,33,1,0
            """);
    Path messages = directory.resolve("messages.txt");
    CommandRun run =
        CommandRun.of(
            "simulate",
            "--matrix",
            matrix.toString(),
            "--messages",
            messages.toString(),
            "--compare",
            ALL,
            "--source",
            "rome-2");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).contains("site 1").contains(" rome-2").contains("paris-1");
    assertThat(Files.readString(messages)).containsPattern("paris-1 -> paris-2 +Connect");

    JsonNode json =
        CommandRun.of(
                "simulate", "--matrix", matrix.toString(), "--compare", ALL, "--output", "json")
            .json();
    assertThat(json.get("tree").get(0).get("a").asString()).isEqualTo("paris-1");
    assertThat(json.get("sources").get(0).get("siteCopies").intValue()).isEqualTo(1);
    assertThat(json.get("compare").get("algorithms")).hasSize(6);
    for (JsonNode algorithm : json.get("compare").get("algorithms")) {
      assertThat(algorithm.get("siteCopies").intValue()).isPositive();
    }
  }

  @Test
  void sites_may_be_given_in_a_file_which_names_each_node_once() throws IOException {
    Path matrix = Files.writeString(directory.resolve("m.csv"), "- a b\na 0 5\nb 5 0\n");
    Path sites = Files.writeString(directory.resolve("s.txt"), "# mine\na north\nb, south\n");
    assertThat(run(matrix, sites).out()).contains("site north").contains("site south");

    Files.writeString(sites, "a north\n");
    assertThat(run(matrix, sites).err()).contains("'b'");
    Files.writeString(sites, "a north\nc south\n");
    assertThat(run(matrix, sites).err()).contains("line 2: ", "'c'");
    Files.writeString(sites, "a north\na south\n");
    assertThat(run(matrix, sites).err()).contains("line 2: ", "'a'");
    Files.writeString(sites, "a\n");
    assertThat(run(matrix, sites).err()).contains("line 1: ");
  }

  private static CommandRun run(Path matrix, Path sites) {
    return CommandRun.of("simulate", "--matrix", matrix.toString(), "--sites", sites.toString());
  }

  @Test
  void the_five_nodes_build_the_published_tree_and_write_their_messages() throws IOException {
    Path messages = directory.resolve("story.txt");
    JsonNode json =
        CommandRun.of(
                "simulate",
                "--matrix",
                "five-nodes",
                "--messages",
                messages.toString(),
                "--output",
                "json")
            .json();

    List<String> edges =
        json.get("tree")
            .valueStream()
            .map(e -> e.get("a").intValue() + "-" + e.get("b").intValue())
            .toList();
    assertThat(edges).containsExactly("2-3", "0-1", "1-3", "3-4");
    List<String> lines = Files.readAllLines(messages);
    long sent =
        lines.stream().filter(line -> !line.startsWith("#") && !line.contains(" Hello ")).count();
    assertThat(sent).isEqualTo(json.get("controlMessages").longValue());
    List<Double> times =
        lines.stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> Double.parseDouble(line.strip().split(" ", 2)[0]))
            .toList();
    assertThat(times).isSorted().isNotEmpty();
  }
}
