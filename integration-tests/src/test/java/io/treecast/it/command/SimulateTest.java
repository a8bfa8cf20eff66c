package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code treecast simulate --output json} on the reference network. */
@Timeout(180)
class SimulateTest {
  /**
   * Limit of control messages including the commit. The published number for the automaton of 1983
   * is about 815 on this network.
   */
  private static final int MOST_MESSAGES = 270;

  private static JsonNode report;

  @BeforeAll
  static void simulate() {
    report = JsonMapper.shared().readTree(printed(TreecastCommand.run(arguments())));
  }

  private static List<String> arguments(String... more) {
    List<String> arguments = new ArrayList<>(List.of("simulate", "--output=json", "--seed=7"));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private static String printed(TreecastProcess.Ended ended) {
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    return ended.out();
  }

  @Test
  void the_same_seed_prints_the_same_bytes_in_another_process(@TempDir Path directory)
      throws Exception {
    List<String> small = arguments("--nodes=8");

    assertThat(printed(TreecastProcess.run(directory, small)))
        .isEqualTo(printed(TreecastCommand.run(small)));
  }

  @Test
  void the_report_has_the_keys_that_tools_rely_on() {
    ReportKeys.assertAllThere(report);
  }

  @Test
  void the_tree_is_the_minimum_spanning_tree_of_the_network() {
    assertThat(report.get("nodes").intValue()).isEqualTo(24);
    assertThat(report.get("links").intValue()).isEqualTo(276);
    assertThat(report.get("tree")).hasSize(23);
    assertThat(report.get("weightMillis").doubleValue()).isCloseTo(762.2, within(1e-9));
    assertThat(report.get("minimal").booleanValue()).isTrue();
  }

  @Test
  void the_build_takes_a_third_of_the_messages_that_were_published() {
    int sum = 0;
    for (JsonNode count : report.get("messages")) {
      sum += count.intValue();
    }

    assertThat(report.get("controlMessages").intValue()).isEqualTo(sum).isBetween(1, MOST_MESSAGES);
  }

  @Test
  void broadcasts_take_hardly_longer_than_shortest_paths() {
    assertThat(report.get("sources")).hasSize(24);
    assertThat(report.get("ratioMean").doubleValue()).isCloseTo(1.0145, within(0.001));
    assertThat(report.get("ratioWorst").doubleValue()).isCloseTo(1.029, within(0.001));
    assertThat(report.get("sources"))
        .allSatisfy(
            source -> {
              assertThat(source.get("ratio").doubleValue()).isGreaterThanOrEqualTo(1);
              assertThat(source.get("siteCopies").intValue()).isEqualTo(5);
            });
  }
}
