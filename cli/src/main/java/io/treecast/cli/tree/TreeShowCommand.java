package io.treecast.cli.tree;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.Plural;
import io.treecast.cli.output.Terminal;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.ClusterInquiry;
import io.treecast.cli.query.MetricOption;
import io.treecast.cli.query.MetricText;
import io.treecast.cli.query.TreeJson;
import io.treecast.mst.CommittedTree;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast tree show}. */
@Command(
    name = "show",
    description = {
      "Draws an agent's committed tree, from its root down, with the weights of "
          + "its edges as round trips, or as throughput in steps of 25 %%.",
      "An edge shows its weight at the commit of the tree, including the cost of "
          + "the change if it replaced another; 'treecast links' shows present weights.",
      "Exit code 1: the agent has no tree."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast tree show --agent 10.0.0.4:7700",
      "  treecast tree show --metric bandwidth",
      "  treecast tree show --clocks",
      "  treecast tree show --output dot | dot -Tsvg > tree.svg"
    })
final class TreeShowCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private MetricOption metric = new MetricOption();
  @Mixin private TreeOutputOption output = new TreeOutputOption();

  @Option(
      names = "--site-size",
      paramLabel = "N",
      description =
          "For numeric node ids: 0 to N-1 are site 0, and so on; 0 for no sites; default: the "
              + "configured sites, if each member has one.")
  private @Nullable Integer siteSize;

  @Option(
      names = "--clocks",
      description =
          "Asks each member for the bound of the error of the root's time, and shows the bound "
              + "after its id.")
  private boolean showsClocks;

  private @Nullable TreeClocks clocks;

  @Override
  public Integer call() {
    if (showsClocks
        && (output.format() == TreeOutputOption.Format.DOT
            || metric.metric() != MetricText.LATENCY)) {
      throw CommandFailure.usage(
          "--clocks: times follow the tree by latency, and are printed as text or JSON");
    }
    if (siteSize != null && siteSize < 0) {
      throw CommandFailure.usage(
          "--site-size: '" + siteSize + "' is not allowed; allowed is 0 (no sites) and more");
    }
    AgentReport report = report();
    CommittedTree tree = report.tree();
    if (tree != null
        && siteSize != null
        && siteSize > 0
        && tree.members().stream().allMatch(id -> Sites.number(id).isEmpty())) {
      throw CommandFailure.usage(
          "--site-size: no node id here is a number; without it, the configured sites "
              + "(--site) are shown");
    }
    if (output.format() == TreeOutputOption.Format.JSON) {
      ObjectNode json = TreeJson.of(report, metric.metric());
      if (clocks != null) {
        clocks.addTo(json.putArray("clocks"));
      }
      output.println(json);
    }
    if (tree == null) {
      throw CommandFailure.failed("agent " + report.id() + ": " + report.notReadyReason());
    }
    switch (output.format()) {
      case JSON -> {}
      case DOT -> output.out().print(TreeDot.write(tree, sites(report, tree), metric.metric()));
      case TEXT -> printText(report, tree);
    }
    return ExitCode.OK;
  }

  /**
   * Returns the agent's report. For throughput, all members are asked for the present weights,
   * since edges that have become faster keep their old weights in a committed tree.
   */
  private AgentReport report() {
    try (AgentInquiry agents = agent.inquiry(output)) {
      AgentReport report = agents.report().by(metric.metric());
      CommittedTree tree = report.tree();
      clocks = showsClocks && tree != null ? TreeClocks.of(agents, report, tree) : null;
      if (metric.metric() == MetricText.LATENCY) {
        return report;
      }
      return report.weighedBy(
          ClusterInquiry.of(agents).reports().stream()
              .map(member -> member.by(metric.metric()))
              .toList());
    }
  }

  /**
   * Returns the sites for the drawing; none if the agent does not know those of all members, since
   * a part would be misleading.
   */
  private Sites sites(AgentReport report, CommittedTree tree) {
    if (siteSize != null) {
      return Sites.ofSize(siteSize);
    }
    boolean knowsAll =
        report.members().stream().map(Member::id).toList().containsAll(tree.members());
    return knowsAll ? Sites.named(report.sites()) : Sites.NONE;
  }

  private void printText(AgentReport report, CommittedTree tree) {
    TreeDrawing.Style style =
        TreeDrawing.Style.of(sites(report, tree), Terminal.charset()).withWeights(metric.metric());
    TreeClocks known = clocks;
    output
        .out()
        .print(TreeDrawing.draw(tree, known == null ? style : style.withNames(known::name)));
    output.println("");
    output.println(
        String.format(
            Locale.ROOT,
            "version %d, root %s, %s, %s",
            tree.version(),
            tree.root(),
            Plural.of(tree.edges().size(), "edge"),
            metric.metric().summary(tree.edges())));
    if (!report.ready()) {
      output.println("not ready: " + report.notReadyReason());
    }
  }
}
