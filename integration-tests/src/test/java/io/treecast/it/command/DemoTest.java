package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code treecast demo}, small, on free ports. */
@Timeout(180)
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class DemoTest {
  @Test
  void it_reports_what_simulate_reports_as_measured() {
    TreecastProcess.Ended demo = run("--nodes", "6", "--output", "json");

    assertThat(demo.exitCode()).as(demo.err()).isZero();
    JsonNode report = JsonMapper.shared().readTree(demo.out());
    ReportKeys.assertAllThere(report);
    assertThat(report.get("nodes").intValue()).isEqualTo(6);
    assertThat(report.get("tree")).hasSize(5);
    assertThat(report.get("minimal").booleanValue()).isTrue();
    assertThat(report.get("sources")).hasSize(6);
  }

  @Test
  void it_reports_its_progress_on_a_given_matrix(@TempDir Path directory) throws IOException {
    Path matrix = directory.resolve("rtts.csv");
    Files.writeString(matrix, "0,2,20\n2,0,20\n20,20,0\n");

    TreecastProcess.Ended demo = run("--matrix", matrix.toString(), "--broadcasts", "2");

    assertThat(demo.exitCode()).as(demo.err()).isZero();
    assertThat(demo.out())
        .containsIgnoringCase("3 agents")
        .containsIgnoringCase("measured")
        .containsIgnoringCase("tree")
        .containsIgnoringCase("binomial tree");
  }

  private static TreecastProcess.Ended run(String... options) {
    List<String> arguments = new ArrayList<>(List.of("demo", "--exit"));
    arguments.addAll(List.of("--port", "0", "--admin-port", "0"));
    arguments.addAll(List.of(options));
    return TreecastCommand.run(arguments);
  }
}
