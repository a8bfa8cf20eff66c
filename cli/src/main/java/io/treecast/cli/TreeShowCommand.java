package io.treecast.cli;

import io.treecast.mst.CommittedTree;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code treecast tree show}. */
@Command(
    name = "show",
    description = {
      "Draws an agent's committed tree, from its root down, with round-trip times.",
      "Ends with 1 if the agent has no tree."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast tree show --agent 10.0.0.4:7700",
      "  treecast tree show --output dot | dot -Tsvg > tree.svg"
    })
final class TreeShowCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private TreeOutputOption output = new TreeOutputOption();

  @Option(
      names = "--site-size",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "If node ids are numbers: 0 to N-1 are site 0, and so on; default: ${DEFAULT-VALUE}, no sites.")
  private int siteSize;

  @Override
  public Integer call() {
    if (siteSize < 0) {
      throw CommandFailure.usage(
          "--site-size: '" + siteSize + "' is not allowed; allowed is 0 (no sites) and more");
    }
    AgentReport report = AgentInquiry.report(agent.address());
    CommittedTree tree = report.tree();
    if (output.format() == TreeOutputOption.Format.JSON) {
      output.println(TreeJson.of(report));
    }
    if (tree == null) {
      throw CommandFailure.failed(
          "agent " + report.id() + " has no tree: " + report.notReadyReason());
    }
    switch (output.format()) {
      case JSON -> {}
      case DOT -> output.out().print(TreeDot.write(tree, siteSize));
      case TEXT -> printText(report, tree);
    }
    return ExitCode.OK;
  }

  private void printText(AgentReport report, CommittedTree tree) {
    output.out().print(TreeDrawing.draw(tree, TreeDrawing.Style.of(siteSize, Terminal.charset())));
    output.println("");
    output.println(
        String.format(
            Locale.ROOT,
            "version %d, root %s, %s, %s ms in all",
            tree.version(),
            tree.root(),
            Plural.of(tree.edges().size(), "edge"),
            RttText.millis(tree.weightMicros())));
    if (!report.ready()) {
      output.println("not ready: " + report.notReadyReason());
    }
  }
}
