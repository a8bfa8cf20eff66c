package io.treecast.cli.cluster;

import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.ReferenceNetwork;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** A {@link ClusterReport} as text. */
public final class ReportText {
  /** Limit of the sources that are listed; more are only summarized. */
  private static final int MAX_SOURCES = 32;

  private final ClusterReport report;

  public ReportText(ClusterReport report) {
    this.report = report;
  }

  public void print(PrintWriter out, String kindOfTime) {
    printTree(out, kindOfTime);
    out.println();
    printSources(out);
    out.flush();
  }

  /** Prints the tree and the cost of its construction. */
  public void printTree(PrintWriter out, String kindOfTime) {
    for (CommittedTree tree : report.trees()) {
      out.print(report.places().draw(tree));
    }
    out.printf(
        Locale.ROOT,
        "%n%d edges, weight %.1f ms, root %s; built in %.0f ms of %s time; %s%n",
        report.edges().size(),
        report.weightMillis(),
        String.join(
            ", ", report.trees().stream().map(t -> report.places().name(t.root())).toList()),
        report.buildMillis(),
        kindOfTime,
        report.minimal() ? "minimal" : "NOT MINIMAL");
    out.printf(Locale.ROOT, "%d control messages:", report.traffic().count());
    report.traffic().counted().forEach((type, count) -> out.print(" " + type + " " + count));
    if (report.topology().equals(ReferenceNetwork.topology())) {
      out.printf(
          Locale.ROOT,
          " (published for this network: about %d)",
          ReferenceNetwork.PUBLISHED_BUILD_MESSAGES);
    }
    out.println();
  }

  /** Prints a line for each source, as CSV. */
  public void printCsv(PrintWriter out) {
    out.println("source,lastMillis,limitMillis,ratio,siteCopies");
    for (ClusterReport.SourceReport source : report.sources()) {
      out.printf(
          Locale.ROOT,
          "%s,%.3f,%.3f,%.6f,%d%n",
          report.places().name(source.source()),
          source.lastMillis(),
          source.limitMillis(),
          source.ratio(),
          source.siteCopies());
    }
    out.flush();
  }

  /** Prints a line for each source, unless there are many, and a summary. */
  public void printSources(PrintWriter out) {
    List<ClusterReport.SourceReport> sources = report.sources();
    if (sources.isEmpty()) {
      return;
    }
    if (sources.size() <= MAX_SOURCES) {
      out.println(
          "source   last node ms    limit ms   ratio   copies between sites, along the tree");
      for (ClusterReport.SourceReport source : sources) {
        out.printf(
            Locale.ROOT,
            "%6s   %12.1f   %9.1f   %5.3f   %20d%n",
            report.places().name(source.source()),
            source.lastMillis(),
            source.limitMillis(),
            source.ratio(),
            source.siteCopies());
      }
      out.println();
    }
    out.printf(
        Locale.ROOT,
        "broadcast time over the shortest-path limit, %d sources: mean %.3f, worst %.3f%n",
        sources.size(),
        report.ratioMean(),
        report.ratioWorst());
  }
}
