package io.treecast.cli.simulate;

import io.treecast.cli.cluster.Places;
import io.treecast.cli.console.Plural;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.cluster.TreeVerdict.Component;
import io.treecast.testkit.run.EventReport;
import io.treecast.testkit.run.ScheduleReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A {@link ScheduleReport} as text and as CSV. */
final class ScheduleReportText {
  private static final String CSV_HEADER =
      "at,event,cause,versionBefore,versionAfter,removed,added,controlMessages,"
          + "handshakeMessages,controlBytes,detectMillis,firstCommitMillis,lastCommitMillis,deliveredMillis,messages,skipped";

  private final Places places;
  private final ScheduleReport report;

  ScheduleReportText(Places places, ScheduleReport report) {
    this.places = places;
    this.report = report;
  }

  void print(PrintWriter out, String kindOfTime) {
    out.printf(
        Locale.ROOT,
        "The first tree took %d control messages: %s; and %d in the handshakes of links%n",
        report.buildTraffic().count(),
        byType(report.buildTraffic()),
        report.buildTraffic().handshakeMessages());
    out.printf(
        Locale.ROOT,
        "Time 0 is when every agent had committed it; times are of %s time. "
            + "Everything up to the next event that is not a broadcast counts for an "
            + "event.%n%n",
        kindOfTime);
    out.println(
        "      at  event                     version  messages  detect ms  first ms   last ms"
            + "  what changed");
    report.events().forEach(event -> printEvent(out, event));
    out.println();
    for (CommittedTree tree : report.trees().trees().values()) {
      out.print(places.draw(tree));
    }
    out.println();
    report.trees().components().forEach(component -> printComponent(out, component));
    report.trees().linkProblems().forEach(problem -> out.println("WRONG: " + problem));
    out.printf(
        Locale.ROOT,
        "%d control messages in all: %s; and %d in the handshakes of links; %d bytes together%n",
        report.traffic().count(),
        byType(report.traffic()),
        report.traffic().handshakeMessages(),
        report.traffic().bytes());
    printBroadcasts(out, report.broadcasts());
    if (report.atRest()) {
      out.printf(Locale.ROOT, "at rest %.1f s after time 0%n", report.endMillis() / 1e3);
    } else {
      out.printf(
          Locale.ROOT,
          "NOT AT REST %d s after the last event, which is the bound: %s%n",
          report.restBoundMillis() / 1_000,
          report.notAtRest());
    }
    out.flush();
  }

  private void printEvent(PrintWriter out, EventReport event) {
    out.printf(
        Locale.ROOT,
        "%8s  %-24s %4d>%-4d  %7d  %9s %9s %9s  %s%n",
        event.at(),
        event.event(),
        event.versionBefore(),
        event.versionAfter(),
        event.traffic().count(),
        millis(event.detectMillis()),
        millis(event.firstCommitMillis()),
        millis(event.lastCommitMillis()),
        whatChanged(event));
  }

  private String whatChanged(EventReport event) {
    List<String> parts = new ArrayList<>();
    if (event.skipped() != null) {
      parts.add("skipped: " + event.skipped());
    }
    if (!event.causes().isEmpty()) {
      parts.add(ScheduleReportJson.causes(event) + ":");
    }
    event.removed().forEach(edge -> parts.add("-" + places.name(edge)));
    event.added().forEach(edge -> parts.add("+" + places.name(edge)));
    Double delivered = event.deliveredMillis();
    if (delivered != null) {
      parts.add("delivered after " + millis(delivered) + " ms");
    } else if (event.event().startsWith("broadcast ") && event.skipped() == null) {
      parts.add("delivered to no node");
    }
    return String.join(" ", parts);
  }

  private void printComponent(PrintWriter out, Component component) {
    CommittedTree tree = component.tree();
    out.printf(
        Locale.ROOT,
        "component of %d nodes from %s on: %s; %s%n",
        component.nodes().size(),
        places.name(component.nodes().iterator().next()),
        tree == null
            ? "no tree"
            : "v%s root %s, %s edges"
                .formatted(tree.version(), places.name(tree.root()), tree.edges().size()),
        component.minimal() ? "minimal" : "NOT MINIMAL: " + component.problems());
    if (component.minimal() && !component.minimalOnNetwork()) {
      out.println(
          "  minimal for the weights that the agents agreed on, not for the network's round trips:"
              + " some changes were not significant");
    }
  }

  private static void printBroadcasts(PrintWriter out, BroadcastVerdict verdict) {
    out.printf(
        Locale.ROOT,
        "%s, %s, %d duplicated, %d lost%n",
        Plural.of(verdict.published(), "broadcast"),
        Plural.of(verdict.delivered(), "delivery", "deliveries"),
        verdict.duplicated(),
        verdict.lost().size());
    verdict.lost().forEach(lost -> out.println("  " + lost));
  }

  void printCsv(PrintWriter out) {
    out.println(CSV_HEADER);
    for (EventReport event : report.events()) {
      List<String> cells = new ArrayList<>();
      cells.add(event.at());
      cells.add(event.event());
      cells.add(ScheduleReportJson.causes(event));
      cells.add("" + event.versionBefore());
      cells.add("" + event.versionAfter());
      cells.add(names(event.removed()));
      cells.add(names(event.added()));
      cells.add("" + event.traffic().count());
      cells.add("" + event.traffic().handshakeMessages());
      cells.add("" + event.traffic().bytes());
      cells.add(cell(event.detectMillis()));
      cells.add(cell(event.firstCommitMillis()));
      cells.add(cell(event.lastCommitMillis()));
      cells.add(cell(event.deliveredMillis()));
      cells.add(byType(event.traffic()));
      cells.add(event.skipped() == null ? "" : event.skipped());
      out.println(cells.stream().map(ScheduleReportText::quoted).collect(Collectors.joining(",")));
    }
    out.flush();
  }

  private static String quoted(String cell) {
    return cell.contains(",") || cell.contains("\"")
        ? "\"" + cell.replace("\"", "\"\"") + "\""
        : cell;
  }

  private static String byType(ControlTraffic traffic) {
    return traffic.counted().entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  private String names(List<LinkWeight> edges) {
    return edges.stream().map(places::name).collect(Collectors.joining(" "));
  }

  private static String millis(@Nullable Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%.1f", value);
  }

  private static String cell(@Nullable Double value) {
    return value == null ? "" : String.format(Locale.ROOT, "%.3f", value);
  }
}
