package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Output of {@code simulate} for schedules and networks, some of which fail. */
class SimulateCommandTest {
  @TempDir private Path directory;

  private CommandRun run(List<String> schedule, String... further) throws IOException {
    Path file = Files.write(directory.resolve("faults.txt"), schedule);
    List<String> words = new ArrayList<>(List.of("simulate", "--schedule", file.toString()));
    words.addAll(List.of(further));
    return CommandRun.of(words.toArray(String[]::new));
  }

  @Test
  void a_schedule_with_skipped_events_is_done_in_part() throws IOException {
    CommandRun run = run(List.of("1s crash 1", "5s broadcast 1 24B"), "--nodes", "4");
    assertThat(run.exitCode()).isEqualTo(ExitCode.PARTIAL);
    assertThat(run.out()).contains("skipped: node 1 ");
    assertThat(run.err()).startsWith("treecast: 1 of 2 ");
  }

  @Test
  void a_live_run_of_real_agents_reports_its_progress_and_ends() throws IOException {
    CommandRun run =
        run(
            List.of("start floor 0", "1s rtt 0-1 40", "2s broadcast 1 24B"),
            "--nodes",
            "3",
            "--live");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.err().lines().toList())
        .hasSizeGreaterThanOrEqualTo(5)
        .allMatch(line -> line.matches("\\[ *\\d+\\.\\d s of about \\d+ s\\] .+"));
  }

  @Test
  void a_broadcast_that_nobody_got_took_no_time() throws IOException {
    List<String> schedule = List.of("5s broadcast 0 24B prices");
    assertThat(run(schedule, "--nodes", "3").out()).contains(" delivered to no ");
    JsonNode json = run(schedule, "--nodes", "3", "--output", "json").json();
    assertThat(json.get("events").get(0).get("deliveredMillis").isNull()).isTrue();
  }

  @Test
  void values_that_a_schedule_does_not_measure_are_null() throws IOException {
    List<String> schedule = List.of("5s crash 0", "6s crash 1");
    JsonNode json = run(schedule, "--nodes", "2", "--output", "json").json();
    assertThat(json.get("ratioMean").isNull()).isTrue();
    assertThat(json.get("ratioWorst").isNull()).isTrue();
    assertThat(json.get("root").isNull()).isTrue();
  }

  @Test
  void an_empty_site_is_refused_with_every_output() throws IOException {
    CommandRun run = run(List.of("5s heal"), "--site-size", "0", "--output", "json");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("treecast: --site-size: 0 ");
  }

  @Test
  void a_link_that_no_agent_can_open_parts_trees_and_loses_nothing() throws IOException {
    Path matrix = directory.resolve("slow.csv");
    Files.writeString(matrix, "0,60000\n60000,0\n");
    CommandRun run = CommandRun.of("simulate", "--matrix", matrix.toString(), "--output", "json");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.json().get("roots")).hasSize(2);
    assertThat(run.err()).contains("1 link ");
  }

  @Test
  void a_node_that_could_not_join_is_refused_with_its_line() throws IOException {
    Path matrix = directory.resolve("rtts.csv");
    Files.writeString(matrix, "0,10,-\n10,0,10\n-,10,0\n");
    CommandRun run = run(List.of("5s join 3 like 0", "10s crash 3"), "--matrix", matrix.toString());
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("line 1: 'join 3 like 0'");
  }
}
