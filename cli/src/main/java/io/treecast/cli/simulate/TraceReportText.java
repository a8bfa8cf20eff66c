package io.treecast.cli.simulate;

import io.treecast.cli.console.Plural;
import io.treecast.monitor.forecast.ErrorTotals;
import io.treecast.testkit.trace.TraceReport;
import io.treecast.testkit.trace.TraceReport.Slice;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.IntStream;

/** A {@link TraceReport} as text and as CSV. */
final class TraceReportText {
  private static final String CSV_HEADER =
      "slice,weightMillis,minimumMillis,weightRatio,edgeChanges,edgeChangesLastValue,edgesCommitted,controlMessages,probes,"
          + "forecastError,unspannedSeconds,overlayRatio,links,linksMost";

  private final TraceReport report;

  TraceReportText(TraceReport report) {
    this.report = report;
  }

  void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s on %s of a recorded network, in virtual time; first tree: %s%n%n",
        Plural.of(report.nodes(), "agent"),
        Plural.of(report.slices().size(), "slice"),
        report.builtMillis() == null
            ? "never"
            : "after " + Math.round(report.builtMillis() / 1e3) + " s");
    out.println(
        "slice  weight  overlay  links  changes  last value  committed  messages   probes  error ms  unspanned s");
    for (Slice slice : report.slices()) {
      out.printf(
          Locale.ROOT,
          "%5d %7s %8s %6d %8d %11d %10d %9d %8d %9s %12d%n",
          slice.number(),
          decimals(3, slice.weightRatio(), "-"),
          decimals(3, slice.overlayRatio(), "-"),
          slice.links(),
          slice.edgeChanges(),
          slice.edgeChangesLastValue(),
          slice.edgesCommitted(),
          slice.controlMessages(),
          slice.probes(),
          decimals(3, errorMillis(slice), "-"),
          slice.unspannedSeconds());
    }
    out.println();
    printTotal(out);
    out.flush();
  }

  private void printTotal(PrintWriter out) {
    if (Double.isFinite(report.weightRatioMean())) {
      out.printf(
          Locale.ROOT,
          "The tree weighs %.3f times the slice's minimum spanning tree on average, %.3f in 95 %% of the slices.%n",
          report.weightRatioMean(),
          report.weightRatioP95());
    }
    if (report.unspannedSlices() > 0) {
      out.printf(
          "%s ended with a tree that did not connect all nodes that answer, and have no weight.%n",
          Plural.of(report.unspannedSlices(), "slice"));
    }
    out.printf(
        Locale.ROOT,
        "Agents had %.1f links on average, %d at most%s.%n",
        report.linksMean(),
        report.linksMost(),
        Double.isFinite(report.overlayRatioMean())
            ? String.format(
                Locale.ROOT,
                "; the minimum spanning tree of these weighs %.3f times that of all pairs",
                report.overlayRatioMean())
            : "");
    out.printf(
        Locale.ROOT,
        "From slice to slice %d of its edges changed; following the last value would have changed %d.%n",
        report.sum(Slice::edgeChanges),
        report.sum(Slice::edgeChangesLastValue));
    out.printf(
        Locale.ROOT,
        "%d control messages, %d probes; for %d s the tree did not connect all nodes that answer.%n",
        report.sum(Slice::controlMessages),
        report.sum(Slice::probes),
        report.sum(Slice::unspannedSeconds));
    printForecasts(out);
  }

  private void printForecasts(PrintWriter out) {
    if (!Double.isFinite(report.forecastErrorMillis())) {
      out.println("No forecasts, because no link was measured in two slices.");
      return;
    }
    out.printf(
        Locale.ROOT, "Forecasts were wrong by %.3f ms on average.%n", report.forecastErrorMillis());
    out.println("One forecaster alone would have been wrong by:");
    IntStream.range(0, report.forecasters().size())
        .boxed()
        .sorted(Comparator.comparingDouble(report::errorMillis))
        .forEach(
            i ->
                out.printf(
                    Locale.ROOT,
                    "%10.3f ms  %s%n",
                    report.errorMillis(i),
                    report.forecasters().get(i)));
  }

  private static double errorMillis(Slice slice) {
    ErrorTotals errors = slice.errors();
    return errors.forecasts() == 0 ? Double.NaN : errors.ofChosen() / errors.forecasts() / 1e3;
  }

  /** Returns a value with decimals, or the table's text for an unknown value. */
  private static String decimals(int decimals, double value, String unknown) {
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, "%." + decimals + "f", value)
        : unknown;
  }

  void printCsv(PrintWriter out) {
    out.println(CSV_HEADER);
    for (Slice slice : report.slices()) {
      out.printf(
          Locale.ROOT,
          "%d,%.3f,%.3f,%s,%d,%d,%d,%d,%d,%s,%d,%s,%d,%d%n",
          slice.number(),
          slice.treeMicros() / 1e3,
          slice.minimumMicros() / 1e3,
          decimals(6, slice.weightRatio(), ""),
          slice.edgeChanges(),
          slice.edgeChangesLastValue(),
          slice.edgesCommitted(),
          slice.controlMessages(),
          slice.probes(),
          decimals(6, errorMillis(slice), ""),
          slice.unspannedSeconds(),
          decimals(6, slice.overlayRatio(), ""),
          slice.links(),
          slice.mostLinks());
    }
    out.flush();
  }
}
