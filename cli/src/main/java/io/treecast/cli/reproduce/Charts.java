package io.treecast.cli.reproduce;

import io.treecast.cli.reproduce.BarChart.Bar;
import io.treecast.cli.reproduce.BarChart.Group;
import io.treecast.cli.reproduce.BarChart.Kind;
import io.treecast.testkit.reproduce.Figures;
import io.treecast.testkit.reproduce.Measure;
import io.treecast.testkit.reproduce.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The charts of experiments. Stateless. */
final class Charts {
  private static final List<Measure> OF_TABLES =
      List.of(Measure.TOTAL_SECONDS, Measure.CONTROL_MESSAGES, Measure.BUILD_SHARE_PERCENT);

  private static final Map<Measure, Kind> TREES =
      Map.of(
          Measure.STATIC_MST_TIMES, Kind.STATIC,
          Measure.TWO_LEVEL_TIMES, Kind.TWO_LEVEL,
          Measure.BINOMIAL_TIMES, Kind.BINOMIAL);

  private Charts() {}

  /** Returns the chart, or null if the experiment has no figures. */
  static @Nullable BarChart of(Result result) {
    boolean hasTrees =
        result.rows().stream().allMatch(row -> row.own().get(Measure.STATIC_MST_TIMES) != null);
    return hasTrees ? trees(result) : table(result);
  }

  private static @Nullable BarChart table(Result result) {
    for (Measure measure : OF_TABLES) {
      if (result.rows().stream().noneMatch(row -> row.published().get(measure) != null)) {
        continue;
      }
      List<Group> groups = new ArrayList<>();
      for (Result.Row row : result.rows()) {
        List<Bar> bars = new ArrayList<>();
        add(bars, Kind.PUBLISHED, measure, row.published());
        add(bars, kind(row.name()), measure, row.own());
        if (!bars.isEmpty()) {
          groups.add(new Group(row.name(), bars));
        }
      }
      return new BarChart(result.id() + ": " + measure.label(), false, groups);
    }
    return null;
  }

  /** Returns the algorithm whose values a row of a table shows. */
  private static Kind kind(String row) {
    if (row.startsWith("two-level")) {
      return Kind.TWO_LEVEL;
    }
    if (row.startsWith("binomial")) {
      return Kind.BINOMIAL;
    }
    if (row.startsWith("link-state")) {
      return Kind.LINK_STATE;
    }
    return row.startsWith("automaton") || row.startsWith("static") || row.startsWith("minimum")
        ? Kind.STATIC // These three have the same tree.
        : Kind.OWN;
  }

  private static BarChart trees(Result result) {
    List<Group> groups = new ArrayList<>();
    for (Result.Row row : result.rows()) {
      List<Bar> bars = new ArrayList<>();
      for (Measure measure : Measure.values()) {
        Kind kind = TREES.get(measure);
        if (kind != null) {
          Double published = row.published().get(measure);
          if (published != null) {
            bars.add(
                new Bar(
                    Kind.PUBLISHED,
                    published,
                    Result.text(measure, published) + ", " + kind.label()));
          }
          add(bars, kind, measure, row.own());
        }
      }
      groups.add(new Group(row.name(), bars));
    }
    return new BarChart(
        result.id() + ": time of a broadcast after the changes, times that on the adapted tree",
        true,
        groups);
  }

  private static void add(List<Bar> bars, Kind kind, Measure measure, Figures figures) {
    Double value = figures.get(measure);
    if (value != null) {
      bars.add(new Bar(kind, value, Result.text(measure, value)));
    }
  }
}
