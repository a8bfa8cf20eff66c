package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import io.treecast.testkit.trace.TraceRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code simulate --trace} on three slices of four nodes. */
class TraceCommandTest {
  @TempDir private static Path directory;

  @BeforeAll
  static void record() throws IOException {
    for (int slice = 1; slice <= 3; slice++) {
      Files.writeString(
          directory.resolve("rtt_" + slice),
          "0 .01 .5 .5\n.01 0 .0%d .5\n.5 .01 0 .01\n.5 .5 .01 0\n".formatted(slice));
    }
  }

  private static CommandRun run(String... further) {
    List<String> words = new ArrayList<>(List.of("simulate", "--trace", directory.toString()));
    words.addAll(List.of("--unit", "s", "--slice-seconds", "60"));
    words.addAll(List.of(further));
    CommandRun run = CommandRun.of(words.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    return run;
  }

  private static List<String> keys(JsonNode json) {
    return List.copyOf(json.propertyNames());
  }

  @Test
  void the_json_has_the_keys_that_tools_rely_on() {
    JsonNode json = run("--output", "json").json();
    assertThat(keys(json)).contains("slices", "total");
    assertThat(keys(json.get("total")))
        .containsExactly(
            "weightRatioMean",
            "weightRatioP95",
            "edgeChanges",
            "edgeChangesLastValue",
            "controlMessages",
            "probes",
            "forecastError",
            "bestSingleError",
            "lastValueError",
            "unspannedSeconds",
            "overlayRatio",
            "linksMean",
            "linksMost",
            "unspannedSlices");
    assertThat(json.get("slices")).hasSize(3);
    JsonNode second = json.get("slices").get(1);
    assertThat(second.get("slice").asInt()).isEqualTo(2);
    assertThat(second.get("weightRatio").asDouble()).isEqualTo(1);
    // The three edges are probed every ten seconds, the three other links in turns.
    assertThat(second.get("probes").asInt()).isBetween(3 * 6 + 3, 3 * 6 + 6);
    assertThat(keys(second))
        .contains(
            "edgeChanges",
            "controlMessages",
            "forecastError",
            "forecastErrors",
            "unspannedSeconds");
    assertThat(keys(second.get("forecastErrors"))).contains("last-value", "sliding-median-10");
  }

  @Test
  void csv_has_a_line_for_each_slice() {
    List<String> lines = run("--output", "csv", "--slices", "2-3").outLines();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .startsWith("slice,weightMillis,minimumMillis,weightRatio,edgeChanges,");
    assertThat(lines.get(1)).startsWith("2,30.000,30.000,1.000000,0,0,0,");
  }

  @Test
  void links_that_were_not_measured_are_left_out(@TempDir Path silent) throws IOException {
    Files.writeString(silent.resolve("rtt_1"), "\uFEFF0 0\n0 0\n");
    String[] words = {"simulate", "--trace", silent.toString(), "--output", "csv"};
    CommandRun csv = CommandRun.of(words);
    assertThat(csv.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(csv.outLines().get(1)).startsWith("1,0.000,0.000,,0,0,0,").doesNotContain("NaN");
    words[4] = "text";
    CommandRun text = CommandRun.of(words);
    assertThat(text.out())
        .contains("first tree: never")
        .containsPattern("\n +1 +- ")
        .contains("\nAgents had 0.0 links on average, 0 at most.\n")
        .endsWith("\nNo forecasts, because no link was measured in two slices.\n")
        .doesNotContain("NaN");
    assertThat(text.err()).startsWith("treecast: ");
  }

  @Test
  void one_slice_is_forecast_by_nobody() {
    assertThat(run("--slices", "1-1").out())
        .contains("these weighs 1.000 times that of all pairs.\n")
        .contains("\nNo forecasts")
        .doesNotContain("NaN", "last-value");
  }

  @Test
  void one_node_has_no_tree(@TempDir Path single) throws IOException {
    Files.writeString(single.resolve("rtt_1"), "0\n");
    CommandRun run = CommandRun.of("simulate", "--trace", single.toString());
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out()).doesNotContain("NaN");
    assertThat(run.err()).startsWith("treecast: ");
  }

  @Test
  void the_help_says_how_long_slices_may_be() {
    assertThat(CommandRun.of("simulate", "--help").out().replaceAll("\\s+", " "))
        .contains(
            "Duration of a slice of the trace, "
                + TraceRun.MIN_SLICE.toSeconds()
                + " to "
                + TraceRun.MAX_SLICE.toSeconds()
                + "; default: 60.");
  }

  @Test
  void a_slice_whose_number_would_be_cut_is_refused(@TempDir Path epochs) throws IOException {
    Files.writeString(epochs.resolve("rtt-1700000060.txt"), "0 1\n1 0\n");
    CommandRun run = CommandRun.of("simulate", "--trace", epochs.toString());
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("1700000060", "9 digits");
  }

  @Test
  void the_text_reports_the_tree_and_the_forecasts() {
    assertThat(run().out())
        .contains("4 agents on 3 slices of a recorded network")
        .contains("The tree weighs 1.000 times the slice's minimum spanning tree on average")
        .contains(
            "From slice to slice 0 of its edges changed; following the last value would have changed 0.")
        .contains(" ms  last-value");
  }
}
