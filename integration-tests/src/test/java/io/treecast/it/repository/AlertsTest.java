package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.ConfigException;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.network.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The rules for Prometheus use existing metrics, and those for a split cluster fire. */
@Order(2)
class AlertsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String METRICS = Repository.text(Path.of("docs/metrics.md"));
  private static final Pattern NAME = Pattern.compile("treecast_\\w+");

  /** The functions that Prometheus corrects for restarts, which need counters. */
  private static final Pattern OF_A_COUNTER =
      Pattern.compile("(?:increase|i?rate|resets)\\((treecast_\\w+)");

  static List<JsonNode> rules() {
    JsonNode file = new YAMLMapper().readTree(Repository.text(Path.of("docs/alerts.yml")));
    List<JsonNode> rules = new ArrayList<>();
    file.get("groups").forEach(group -> group.get("rules").forEach(rules::add));
    return rules;
  }

  @Test
  void each_rule_says_when_how_bad_and_what_and_asks_for_metrics_that_are_documented() {
    assertThat(rules()).hasSizeGreaterThan(5);
    for (JsonNode rule : rules()) {
      String alert = rule.get("alert").asString();
      assertThat(alert).startsWith("Treecast");
      assertThat(rule.at("/labels/severity").asString()).as(alert).isIn("warning", "critical");
      assertThat(rule.at("/annotations/summary").asString()).as(alert).isNotBlank();
      String[] runbook = rule.at("/annotations/runbook_url").asString().split("#", 2);
      assertThat(runbook).as(alert).hasSize(2);
      assertThat(Documents.anchors(Path.of(runbook[0]))).as(alert).contains(runbook[1]);
      assertThat(runbook[1]).isEqualTo(alert.toLowerCase(Locale.ROOT));
      Set<String> names =
          NAME.matcher(rule.get("expr").asString())
              .results()
              .map(MatchResult::group)
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(names).as(alert).allMatch(name -> METRICS.contains("| `" + name + "` |"));
    }
  }

  @Test
  void no_rule_depends_on_how_a_job_is_named() {
    assertThat(rules())
        .extracting(rule -> rule.get("expr").asString())
        .noneMatch(expression -> expression.contains("job="))
        .contains("up == 0 and on (job) group by (job) (last_over_time(treecast_ready[1d]))");
  }

  @Test
  void rules_take_the_increase_of_counters_only() throws ConfigException {
    Set<String> taken =
        rules().stream()
            .flatMap(rule -> OF_A_COUNTER.matcher(rule.get("expr").asString()).results())
            .map(increase -> increase.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(taken).hasSizeGreaterThan(3);
    ServedCounters.assertContain(taken);
  }

  @Test
  void
      a_cluster_that_is_cut_in_two_halves_has_fewer_edges_in_each_tree_than_agents_and_absent_members()
          throws ConfigException {
    assertThat(rules())
        .extracting(rule -> rule.get("expr").asString())
        .contains(
            "min by (job) (treecast_tree_edges) + 1 < count by (job) (treecast_tree_edges)",
            "max by (job) (treecast_tree_absent_members) > 0");
    List<Topology.Link> links = new ArrayList<>();
    for (int low = 0; low < 4; low++) {
      for (int high = low + 1; high < 4; high++) {
        links.add(new Topology.Link(low, high, 1_000));
      }
    }
    try (LocalCluster cluster =
        LocalCluster.start(Topology.of(4, links), LocalCluster.Settings.DEFAULT)) {
      awaitValues(cluster, "treecast_tree_edges", 3);
      awaitValues(cluster, "treecast_tree_absent_members", 0);
      cluster.links().partition(NodeGroup.range(0, 1), NodeGroup.range(2, 3));
      // Both trees may have the same version, and both halves are ready.
      awaitValues(cluster, "treecast_tree_edges", 1);
      awaitValues(cluster, "treecast_tree_absent_members", 2);
      awaitValues(cluster, "treecast_ready", 1);
    }
  }

  /** Waits until all four agents serve a value. */
  private static void awaitValues(LocalCluster cluster, String metric, double value) {
    Pattern sample = Pattern.compile("(?m)^" + metric + "\\{node=\"\\w+\"} (\\S+)$");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(
                        sample
                            .matcher(cluster.registry().scrape())
                            .results()
                            .map(found -> Double.parseDouble(found.group(1))))
                    .hasSize(4)
                    .containsOnly(value));
  }
}
