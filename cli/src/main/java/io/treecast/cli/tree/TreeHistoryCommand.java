package io.treecast.cli.tree;

import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Timestamp;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.ChangeText;
import io.treecast.cli.query.TreeJson;
import io.treecast.cli.query.TreeText;
import io.treecast.ghs.LinkWeight;
import io.treecast.proto.v1.PastTree;
import io.treecast.proto.v1.TreeChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast tree history}. */
@Command(
    name = "history",
    description = {
      "Lists the latest trees that an agent has committed since it started, the oldest first: time, version, root, edges,"
          + " weight, causes, duration, the messages that the agent sent for it, and the lightest removed (-) and added (+) edges.",
      "An agent keeps 50 trees."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast tree history --agent 10.0.0.4:7700",
      "  treecast tree history --latest 5 --output json"
    })
final class TreeHistoryCommand implements Callable<Integer> {
  @Option(
      names = "--latest",
      paramLabel = "N",
      description = "Only the latest N trees; default: all that the agent keeps.")
  private int latest = Integer.MAX_VALUE;

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    if (latest < 1) {
      throw CommandFailure.usage("--latest: '" + latest + "' is not allowed; the least is 1");
    }
    List<PastTree> trees = trees();
    if (output.isJson()) {
      ObjectNode json = TreeJson.object();
      ArrayNode array = json.putArray("history");
      trees.forEach(tree -> array.add(json(tree)));
      output.println(json);
    } else if (trees.isEmpty()) {
      output.println("the agent has committed no tree since it started");
    } else {
      trees.forEach(tree -> output.println(line(tree)));
    }
    return ExitCode.OK;
  }

  private List<PastTree> trees() {
    try (AgentInquiry agents = agent.inquiry(output)) {
      List<PastTree> latestFirst = agents.pastTrees();
      List<PastTree> trees =
          new ArrayList<>(latestFirst.subList(0, Math.min(latest, latestFirst.size())));
      Collections.reverse(trees);
      return trees;
    }
  }

  private static String line(PastTree tree) {
    TreeChange change = tree.getChange();
    String edges =
        Stream.of(
                edges("-", change.getRemovedList(), tree.getRemovedMore()),
                edges("+", change.getAddedList(), tree.getAddedMore()))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(" "));
    return Timestamp.of(Instant.ofEpochMilli(tree.getUnixMillis()))
        + " "
        + TreeText.of(tree.getVersion(), tree.getRoot(), tree.getEdges(), tree.getWeightMicros())
        + "; "
        + ChangeText.of(
            change.getCausesList(), change.getDurationMicros(), change.getMessagesSent())
        + (edges.isEmpty() ? "" : "; " + edges);
  }

  private static String edges(String sign, List<io.treecast.proto.v1.LinkWeight> edges, int more) {
    String named =
        edges.stream()
            .map(edge -> sign + edge.getLow() + "-" + edge.getHigh())
            .collect(Collectors.joining(" "));
    return more == 0 ? named : named + " and " + more + " more";
  }

  /** Returns a tree with the keys of the page {@code /history.json}. */
  private static ObjectNode json(PastTree tree) {
    TreeChange change = tree.getChange();
    ObjectNode json =
        TreeJson.object()
            .put("at", Instant.ofEpochMilli(tree.getUnixMillis()).toString())
            .put("version", tree.getVersion())
            .put("versionBefore", change.getVersionBefore())
            .put("root", tree.getRoot())
            .put("edges", tree.getEdges())
            .put("weightMillis", TreeJson.millis(tree.getWeightMicros()))
            .put("durationMillis", TreeJson.millis(change.getDurationMicros()))
            .put("messagesSent", change.getMessagesSent());
    ArrayNode causes = json.putArray("causes");
    change.getCausesList().forEach(causes::add);
    TreeJson.addEdges(json.putArray("removed"), weights(change.getRemovedList()));
    json.put("removedMore", tree.getRemovedMore());
    TreeJson.addEdges(json.putArray("added"), weights(change.getAddedList()));
    return json.put("addedMore", tree.getAddedMore());
  }

  private static List<LinkWeight> weights(List<io.treecast.proto.v1.LinkWeight> edges) {
    try {
      List<LinkWeight> weights = new ArrayList<>();
      for (io.treecast.proto.v1.LinkWeight edge : edges) {
        weights.add(ValueCodec.decode(edge));
      }
      return weights;
    } catch (WireViolation e) {
      throw CommandFailure.failed("invalid response: " + e.getMessage());
    }
  }
}
