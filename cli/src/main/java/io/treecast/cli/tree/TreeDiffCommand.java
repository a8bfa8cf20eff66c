package io.treecast.cli.tree;

import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.MetricText;
import io.treecast.cli.query.TreeJson;
import io.treecast.cli.query.TreeText;
import io.treecast.mst.CommittedTree;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast tree diff}. */
@Command(
    name = "diff",
    description = {
      "Prints the differences between two trees that an agent has committed since it started: edges that only the first has"
          + " (-), that only the second has (+), and that have another weight in the second (~).",
      "'treecast tree history' lists the versions. Of large trees an agent keeps only the latest whole."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast tree diff 4 7 --agent 10.0.0.4:7700"})
final class TreeDiffCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "V1", description = "The version of the first tree.")
  private long first;

  @Parameters(index = "1", paramLabel = "V2", description = "The version of the second tree.")
  private long second;

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    CommittedTree before;
    CommittedTree after;
    try (AgentInquiry agents = agent.inquiry(output)) {
      before = agents.pastTree(first);
      after = agents.pastTree(second);
    }
    EdgeChanges changes = EdgeChanges.between(before.edges(), after.edges());
    if (output.isJson()) {
      ObjectNode json = TreeJson.object();
      add(json.putObject("first"), before);
      add(json.putObject("second"), after);
      changes.add(json, MetricText.LATENCY);
      output.println(json);
    } else {
      output.println(line(before));
      output.println(line(after));
      changes.print(output, MetricText.LATENCY);
    }
    return ExitCode.OK;
  }

  private static String line(CommittedTree tree) {
    return TreeText.of(tree) + ", diameter " + TreeDiameter.of(tree.edges()).text();
  }

  private static void add(ObjectNode json, CommittedTree tree) {
    json.put("version", tree.version())
        .put("root", tree.root().toString())
        .put("edges", tree.edges().size())
        .put("weightMillis", TreeJson.millis(tree.weightMicros()));
  }
}
