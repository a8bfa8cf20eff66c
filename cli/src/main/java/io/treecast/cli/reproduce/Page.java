package io.treecast.cli.reproduce;

import io.treecast.cli.reproduce.BarChart.Bar;
import io.treecast.cli.reproduce.BarChart.Group;
import io.treecast.cli.reproduce.BarChart.Kind;
import io.treecast.testkit.reproduce.Experiments;
import io.treecast.testkit.reproduce.Figures;
import io.treecast.testkit.reproduce.LiveRun;
import io.treecast.testkit.reproduce.Measure;
import io.treecast.testkit.reproduce.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Results as a page of documentation with its drawings, generated from the results alone. */
final class Page {
  /** The directory of the drawings, relative to the page. */
  private static final String DIRECTORY = "reproduction/";

  private static final String SUMMARY = "summary";

  private final List<Result> results;
  private final StringBuilder text = new StringBuilder();
  private final Map<String, String> drawings = new LinkedHashMap<>();

  /**
   * Writes a page.
   *
   * @param isWhole whether the results are complete, so that the page begins with a summary
   */
  Page(List<Result> results, boolean isWhole) {
    this.results = List.copyOf(results);
    if (isWhole) {
      head();
    }
    results.forEach(this::section);
  }

  String text() {
    return text.toString();
  }

  /** Returns the SVG files by name. */
  Map<String, String> drawings() {
    return drawings;
  }

  private static String liveExperiments() {
    return Experiments.all().stream()
        .filter(one -> one.live().refusal() == null)
        .map(one -> one.id() + " (" + one.live().expectedMillis() / 1_000 + " s)")
        .collect(Collectors.joining(", "));
  }

  private void head() {
    line("# The published evaluation, reproduced");
    line("");
    line(
        "This page compares Treecast with an evaluation published in 2006: 24 "
            + "machines in six emulated sites, a minimum spanning tree built by the "
            + "algorithm of Gallager, Humblet and Spira and adapted to changed latencies, "
            + "a binomial tree, and a site-aware tree of two levels. `treecast reproduce` "
            + "runs each experiment on Treecast's agents in virtual time. This page is its "
            + "output, and the build compares them:");
    line("");
    line("```");
    line("./treecast reproduce --all --output markdown --drawings docs/reproduction");
    line("```");
    line("");
    line(
        ("With `--live` an experiment runs once on real agents in one process, in real time. "
                + "These experiments do, and end about as soon as `treecast reproduce --live` "
                + "says: %s. Others take longer than %s minutes, or change no link. A live "
                + "run waits five minutes at most for the first tree, and for rest. Links "
                + "inside a site are alike there only up to noise, so real agents may keep "
                + "edges other than those below.")
            .formatted(liveExperiments(), LiveRun.MAX_MINUTES));
    line("");
    line("## In one minute");
    line("");
    List<Group> groups = new ArrayList<>();
    line("| what | published | Treecast |");
    line("|---|---|---|");
    compared(
        groups,
        "build",
        "control messages to build the tree",
        own("table-4.3", "Treecast,"),
        Measure.BUILD_MESSAGES);
    compared(
        groups,
        "set E, threshold 0 %",
        "the build and the four changes of set E, at the published threshold of 0 %",
        own("table-4.4", "adapted MST, at the published"),
        Measure.CONTROL_MESSAGES);
    compared(
        groups,
        "set E, with a margin for errors",
        "with the agents' margin for errors of forecasts",
        own("table-4.4", "adapted MST, 0 % and"),
        Measure.CONTROL_MESSAGES);
    compared(
        groups,
        "set E, agents' own thresholds",
        "at the agents' own thresholds, at which "
            + number(
                Measure.EDGES_REPLACED,
                value(
                    own("table-4.4", "adapted MST, at the agents'").own(), Measure.EDGES_REPLACED))
            + " edges are worth a change",
        own("table-4.4", "adapted MST, at the agents'"),
        Measure.CONTROL_MESSAGES);
    compared(
        groups,
        "nothing changes",
        "no changes: one check as published, ten minutes here",
        own("no-change", ""),
        Measure.CONTROL_MESSAGES);
    line("");
    BarChart summary = new BarChart("Control messages, published and Treecast", false, groups);
    draw(SUMMARY, summary, "Control messages, published and own");
    costs();
    List<String> worse = results.stream().flatMap(result -> result.worse().stream()).toList();
    line("## Figures that are worse than published");
    line("");
    if (worse.isEmpty()) {
      line("Nowhere.");
    }
    worse.forEach(one -> line("- " + one));
    line("");
    linkState();
  }

  private Result.Row own(String id, String row) {
    return results.stream()
        .filter(result -> result.id().equals(id))
        .flatMap(result -> result.rows().stream())
        .filter(one -> one.name().startsWith(row))
        .findFirst()
        .orElseThrow();
  }

  private void compared(
      List<Group> groups, String label, String what, Result.Row row, Measure measure) {
    double published = Objects.requireNonNull(row.published().get(measure));
    double own = Objects.requireNonNull(row.own().get(measure));
    line(
        "| " + what + " | " + number(measure, published) + " | **" + number(measure, own) + "** |");
    groups.add(
        new Group(
            label,
            List.of(
                new Bar(Kind.PUBLISHED, published, number(measure, published)),
                new Bar(Kind.OWN, own, number(measure, own)))));
  }

  /** Writes the costs of adaptations over all sets. */
  private void costs() {
    double edges = 0;
    double messages = 0;
    double mostMillis = 0;
    int cases = 0;
    int minimal = 0;
    for (Figures own : ofSets()) {
      edges += value(own, Measure.EDGES_REPLACED);
      messages += value(own, Measure.CONTROL_MESSAGES) - value(own, Measure.BUILD_MESSAGES);
      mostMillis = Math.max(mostMillis, value(own, Measure.ADAPT_MILLIS));
      if (value(own, Measure.EDGES_REPLACED) == value(own, Measure.EDGES_BY_VALUES)) {
        cases++;
        minimal += value(own, Measure.MINIMAL_PERCENT) == 100 ? 1 : 0;
      }
    }
    line(
        String.format(
            Locale.ROOT,
            "The tree is the minimum spanning tree after each change in %d of the %d "
                + "cases in which every change counts. The cost is %.0f control messages for "
                + "each replaced edge, on average over the change sets, and at most five "
                + "probes a second for each agent.",
            minimal,
            cases,
            messages / edges));
    line("");
    line(
        String.format(
            Locale.ROOT,
            "No broadcast waits while the tree adapts, but adapting takes time: up to "
                + "%.1f s for one set at a threshold of 0 %%, where the tree follows each "
                + "change of a forecast. The four changes of set E then take %.1f s; %.1f s "
                + "with a margin for errors of forecasts, where improvements wait until the "
                + "error has shrunk; and %.1f s at the agents' own thresholds.",
            mostMillis / 1e3,
            seconds("adapted MST, at the published"),
            seconds("adapted MST, 0 % and"),
            seconds("adapted MST, at the agents'")));
    line("");
  }

  private double seconds(String row) {
    return value(own("table-4.4", row).own(), Measure.ADAPT_MILLIS) / 1e3;
  }

  private List<Figures> ofSets() {
    return results.stream()
        .flatMap(result -> result.rows().stream())
        .map(Result.Row::own)
        .filter(
            own ->
                own.get(Measure.EDGES_BY_VALUES) != null && own.get(Measure.EDGES_REPLACED) != null)
        .filter(own -> own.get(Measure.STATIC_MST_TIMES) != null)
        .toList();
  }

  /** Writes a comparison with link-state routing. */
  private void linkState() {
    int faster = 0;
    int fewer = 0;
    List<Figures> sets = ofSets();
    for (Figures own : sets) {
      faster += value(own, Measure.LINK_STATE_MILLIS) < value(own, Measure.ADAPT_MILLIS) ? 1 : 0;
      fewer +=
          value(own, Measure.LINK_STATE_MESSAGES) < value(own, Measure.CONTROL_MESSAGES) ? 1 : 0;
    }
    line("## Link-state routing on the same events");
    line("");
    line(
        String.format(
            Locale.ROOT,
            "If each node floods its links and computes the tree itself, all learn of a "
                + "change sooner: link-state routing adapts faster than Treecast in %d of %d "
                + "cases. For the build and the changes together it needs fewer messages in %d "
                + "of them. All its nodes hold the whole network, and they change trees one "
                + "after the other, so a broadcast may meanwhile miss a node or reach it twice.",
            faster,
            sets.size(),
            fewer));
    line("");
  }

  private static double value(Figures figures, Measure measure) {
    Double value = figures.get(measure);
    return value == null ? 0 : value;
  }

  private void section(Result result) {
    line(
        "## "
            + (Character.isDigit(result.id().charAt(0)) ? "Figure " : "")
            + result.id()
            + ": "
            + result.title());
    line("");
    line("*Set-up.* " + result.setUp());
    line("");
    line("*Published.* " + result.published());
    line("");
    BarChart chart = Charts.of(result);
    if (chart != null) {
      draw(result.id(), chart, result.title());
    }
    table(result);
    types(result);
    trees(result);
    line("*Differences.* " + result.differs());
    line("");
  }

  /** Writes a table with a column for each case, and published figures in parentheses. */
  private void table(Result result) {
    StringBuilder head = new StringBuilder("| own (published) |");
    StringBuilder rule = new StringBuilder("|---|");
    for (Result.Row row : result.rows()) {
      head.append(' ').append(row.name()).append(" |");
      rule.append("---|");
    }
    line(head.toString());
    line(rule.toString());
    for (Measure measure : Measure.values()) {
      StringBuilder cells = new StringBuilder("| " + measure.label() + " |");
      boolean isKnown = false;
      for (Result.Row row : result.rows()) {
        Double published = row.published().get(measure);
        Double own = row.own().get(measure);
        isKnown |= published != null || own != null;
        cells.append(' ').append(ResultText.text(measure, own));
        cells.append(published == null ? "" : " (" + number(measure, published) + ")");
        cells.append(" |");
      }
      if (isKnown) {
        line(cells.toString());
      }
    }
    line("");
  }

  /** Writes the messages by type, for the experiments with published numbers of them. */
  private void types(Result result) {
    boolean isPublished =
        result.rows().stream().anyMatch(row -> !row.published().messagesByType().isEmpty());
    if (!isPublished) {
      return;
    }
    for (Result.Row row : result.rows()) {
      SortedSet<String> types = new TreeSet<>(row.published().messagesByType().keySet());
      types.addAll(row.own().messagesByType().keySet());
      if (types.isEmpty()) {
        continue;
      }
      List<String> published = new ArrayList<>();
      List<String> own = new ArrayList<>();
      for (String type : types) {
        if (row.published().messagesByType().containsKey(type)) {
          published.add(type + " " + ResultText.count(row.published(), type));
        }
        if (row.own().messagesByType().containsKey(type)) {
          own.add(type + " " + ResultText.count(row.own(), type));
        }
      }
      line("- " + row.name() + ". Published: " + joined(published) + ". Own: " + joined(own) + ".");
    }
    line("");
  }

  private static String joined(List<String> parts) {
    return parts.isEmpty() ? "none" : String.join(", ", parts);
  }

  private void trees(Result result) {
    for (Result.DrawnTree tree : result.trees()) {
      line("<details><summary>Tree: " + tree.title() + "</summary>");
      line("");
      line("```");
      text.append(ResultText.drawing(tree));
      line("```");
      line("");
      line("</details>");
      line("");
    }
  }

  private void draw(String name, BarChart chart, String alternative) {
    drawings.put(name + ".svg", chart.svg());
    line("![" + alternative + "](" + DIRECTORY + name + ".svg)");
    line("");
  }

  private static String number(Measure measure, double value) {
    return Result.text(measure, value);
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
