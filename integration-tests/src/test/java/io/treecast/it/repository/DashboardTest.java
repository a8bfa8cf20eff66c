package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard for Grafana uses existing metrics, and each panel has a description. */
class DashboardTest {
  private static final int COLUMNS = 24;
  private static final Pattern NAME = Pattern.compile("treecast_\\w+");
  private static final Pattern RATE = Pattern.compile("(?:rate|increase)\\((treecast_\\w+)");

  private static final JsonNode DASHBOARD =
      JsonMapper.shared().readTree(Repository.text(Path.of("docs/grafana.json")));

  private static List<JsonNode> panels() {
    List<JsonNode> panels = new ArrayList<>();
    DASHBOARD.get("panels").forEach(panels::add);
    return panels;
  }

  private static List<JsonNode> graphs() {
    return panels().stream().filter(panel -> !panel.get("type").asString().equals("row")).toList();
  }

  private static List<String> expressions(JsonNode panel) {
    List<String> expressions = new ArrayList<>();
    panel.get("targets").forEach(target -> expressions.add(target.get("expr").asString()));
    return expressions;
  }

  @Test
  void each_panel_says_what_it_shows_in_which_unit() {
    assertThat(graphs()).hasSizeGreaterThan(20);
    for (JsonNode panel : graphs()) {
      String title = panel.get("title").asString();
      assertThat(panel.get("description").asString()).as(title).endsWith(".");
      assertThat(panel.at("/fieldConfig/defaults/unit").asString()).as(title).isNotBlank();
    }
  }

  @Test
  void each_query_is_of_documented_metrics_of_one_cluster_at_the_chosen_prometheus() {
    String documented = Repository.text(Path.of("docs/metrics.md"));
    for (JsonNode panel : graphs()) {
      panel
          .get("targets")
          .forEach(t -> assertThat(t.at("/datasource/uid").asString()).isEqualTo("${datasource}"));
      for (String expression : expressions(panel)) {
        assertThat(NAME.matcher(expression).results())
            .as(expression)
            .allMatch(name -> documented.contains("| `" + name.group() + "` |"));
        long metrics = Pattern.compile("\\w+\\{").matcher(expression).results().count();
        assertThat(Pattern.compile("\\{job=\"\\$job\"").matcher(expression).results())
            .as(expression)
            .hasSize((int) metrics)
            .isNotEmpty();
      }
    }
  }

  @Test
  void rates_are_of_counters() throws ConfigException {
    Set<String> rated =
        graphs().stream()
            .flatMap(panel -> expressions(panel).stream())
            .flatMap(expression -> RATE.matcher(expression).results())
            .map(rate -> rate.group(1))
            .collect(Collectors.toSet());
    assertThat(rated).hasSizeGreaterThan(5);
    ServedCounters.assertContain(rated);
  }

  @Test
  void no_two_panels_lie_over_each_other() {
    Set<String> cells = new HashSet<>();
    Set<Integer> ids = new HashSet<>();
    for (JsonNode panel : panels()) {
      JsonNode at = panel.get("gridPos");
      assertThat(ids.add(panel.get("id").asInt())).as("id of %s", panel.get("title")).isTrue();
      assertThat(at.get("x").asInt() + at.get("w").asInt()).isLessThanOrEqualTo(COLUMNS);
      for (int x = 0; x < at.get("w").asInt(); x++) {
        for (int y = 0; y < at.get("h").asInt(); y++) {
          assertThat(cells.add((at.get("x").asInt() + x) + "," + (at.get("y").asInt() + y)))
              .as("%s", panel.get("title"))
              .isTrue();
        }
      }
    }
  }
}
