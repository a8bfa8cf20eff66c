package io.treecast.cli.tree;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Plural;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.ClusterInquiry;
import io.treecast.cli.query.MemberDirectory;
import io.treecast.cli.query.MetricText;
import io.treecast.cli.query.TreeJson;
import io.treecast.cli.query.TreeText;
import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast what-if}. */
@Command(
    name = "what-if",
    description = {
      "Predicts the tree after links go down or agents crash: the minimum spanning tree of the links that are"
          + " left, by the weights that agents report now. Changes nothing.",
      "Only links that agents have now count. In a cluster of more than overlay.fullMeshMembers members agents also open links"
          + " that they lack.",
      "Ends with 0, or with 3 if the cluster would be split, or if members did not answer."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast what-if --down h1-h2",
      "  treecast what-if --crash h3 --crash h4",
      "  treecast what-if --down h1-h2 --crash h3 --agent 10.0.0.4:7700 --output json"
    })
public final class WhatIfCommand implements Callable<Integer> {
  /** Limit of the listed members of a part. */
  private static final int MAX_NAMED = 12;

  @Option(
      names = "--down",
      paramLabel = "A-B",
      description = "A link that goes down, by the node ids of its ends; may be repeated.")
  private List<String> down = List.of();

  @Option(
      names = "--crash",
      paramLabel = "NODE",
      description = "An agent that crashes; may be repeated.")
  private List<String> crash = List.of();

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    if (down.isEmpty() && crash.isEmpty()) {
      throw CommandFailure.usage(
          "expected --down A-B or --crash NODE, as in treecast what-if --down h1-h2");
    }
    down.forEach(MemberDirectory::checkForm);
    try (AgentInquiry agents = agent.inquiry(output)) {
      return predict(agents);
    }
  }

  private int predict(AgentInquiry agents) {
    MemberDirectory directory = new MemberDirectory(agents);
    Set<Edge> links = new TreeSet<>();
    for (String link : down) {
      MemberDirectory.Link ends = directory.link(link);
      links.add(Edge.between(ends.from().id(), ends.to().id()));
    }
    Set<NodeId> crashed = new TreeSet<>();
    crash.forEach(name -> crashed.add(directory.member(name).id()));
    ClusterInquiry.Answers answers = ClusterInquiry.of(agents);
    ClusterVerification now = ClusterVerification.of(answers.reports(), MetricText.LATENCY);
    SortedSet<NodeId> members = new TreeSet<>();
    now.trees().forEach(tree -> members.addAll(tree.members()));
    if (members.isEmpty()) {
      throw CommandFailure.failed(
          "no agent that answers has a tree; 'treecast status' shows the reason");
    }
    for (Edge link : links) {
      if (now.links().stream()
          .noneMatch(known -> link.equals(Edge.between(known.low(), known.high())))) {
        throw CommandFailure.failed(
            "no agent has a measured link " + link.low() + "-" + link.high() + " now");
      }
    }
    for (NodeId node : crashed) {
      if (!members.contains(node)) {
        throw CommandFailure.failed(node + " is in no tree now, so its crash changes none");
      }
    }
    List<ClusterInquiry.Silent> silent =
        answers.silent().stream()
            .filter(s -> members.contains(s.member().id()) && !crashed.contains(s.member().id()))
            .toList();
    TreePrediction prediction =
        TreePrediction.of(members, now.links(), now.treeEdges(), links, crashed);
    if (output.isJson()) {
      output.println(json(prediction, silent));
    } else {
      print(prediction, silent);
    }
    int partsBefore = now.trees().size();
    return prediction.parts().size() > partsBefore || !silent.isEmpty()
        ? ExitCode.PARTIAL
        : ExitCode.OK;
  }

  private void print(TreePrediction prediction, List<ClusterInquiry.Silent> silent) {
    for (ClusterInquiry.Silent s : silent) {
      output.note("treecast: could not ask " + s + "; links that only it knows do not count");
    }
    EdgeChanges changes = prediction.changes();
    changes.print(output, MetricText.LATENCY);
    if (changes.removed().isEmpty() && changes.added().isEmpty()) {
      output.println("the tree keeps its edges");
    }
    output.println("before: " + summary(prediction.before()));
    output.println("after:  " + summary(prediction.after()));
    List<SortedSet<NodeId>> parts = prediction.parts();
    if (parts.size() > 1) {
      output.println("the cluster would be split into " + parts.size() + " parts:");
      parts.forEach(part -> output.println("  " + names(part)));
    }
  }

  private static String names(SortedSet<NodeId> part) {
    return Plural.of(part.size(), "member")
        + ": "
        + part.stream().limit(MAX_NAMED).map(NodeId::toString).collect(Collectors.joining(", "))
        + (part.size() > MAX_NAMED ? ", ..." : "");
  }

  private static long weightMicros(List<LinkWeight> edges) {
    return edges.stream().mapToLong(LinkWeight::cost).sum();
  }

  private static String summary(List<LinkWeight> edges) {
    return TreeText.edges(edges.size(), weightMicros(edges))
        + ", diameter "
        + TreeDiameter.of(edges).text();
  }

  private static ObjectNode json(TreePrediction prediction, List<ClusterInquiry.Silent> silent) {
    ObjectNode json = TreeJson.object();
    add(json.putObject("before"), prediction.before());
    add(json.putObject("after"), prediction.after());
    prediction.changes().add(json, MetricText.LATENCY);
    ArrayNode parts = json.putArray("parts");
    for (SortedSet<NodeId> part : prediction.parts()) {
      ArrayNode members = parts.addArray();
      part.forEach(member -> members.add(member.toString()));
    }
    ArrayNode unreachable = json.putArray("unreachable");
    silent.forEach(s -> unreachable.add(s.member().id().toString()));
    return json;
  }

  private static void add(ObjectNode json, List<LinkWeight> edges) {
    TreeDiameter diameter = TreeDiameter.of(edges);
    json.put("weightMillis", TreeJson.millis(weightMicros(edges)))
        .put("diameterEdges", diameter.edges())
        .put("diameterMillis", TreeJson.millis(diameter.micros()));
    TreeJson.addEdges(json.putArray("tree"), edges);
  }
}
