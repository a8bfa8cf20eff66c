package io.treecast.cli.tree;

import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Plural;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.ClusterInquiry;
import io.treecast.cli.query.MetricOption;
import io.treecast.cli.query.MetricText;
import io.treecast.cli.query.TreeJson;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast tree verify}. */
@Command(
    name = "verify",
    description = {
      "Asks all members for their links, computes the minimum spanning tree of "
          + "these, and compares it with the tree of each member.",
      "Known agents outside all trees, because they are down or cut off, or "
          + "measure no throughput, are named and not counted.",
      "If the cluster is split into several trees, each is named and compared.",
      "Retries for a few seconds while there are differences, since the tree may "
          + "change between the answers.",
      "Exit codes: 0 all equal, 1 differences or a member that is not ready, 3 all equal but some "
          + "members did not answer."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast tree verify --agent 10.0.0.4:7700"})
final class TreeVerifyCommand implements Callable<Integer> {
  /** Attempts until differences are reported. */
  private static final int ATTEMPTS = 5;

  private static final long PAUSE_MILLIS = 500;

  /** Limit of the listed members of one of several trees. */
  private static final int MAX_NAMED = 12;

  private static final String NO_THROUGHPUT = "it measures no throughput: throughput.enabled";

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private MetricOption metric = new MetricOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() throws InterruptedException {
    Inquired inquired = inquireRepeatedly();
    if (output.isJson()) {
      output.println(json(inquired));
    } else {
      printText(inquired);
    }
    if (!inquired.verification.isSound()) {
      return ExitCode.FAILED;
    }
    return inquired.unanswered.isEmpty() ? ExitCode.OK : ExitCode.PARTIAL;
  }

  /**
   * The answers of one attempt.
   *
   * @param reports the reports of members
   * @param unanswered members of a tree that did not answer
   * @param outside other agents that did not answer, or take no part in the widest tree
   * @param verification the verification of the reports
   */
  private record Inquired(
      List<AgentReport> reports,
      List<ClusterInquiry.Unreachable> unanswered,
      List<ClusterInquiry.Unreachable> outside,
      ClusterVerification verification) {}

  private Inquired inquireRepeatedly() throws InterruptedException {
    try (AgentInquiry agents = agent.inquiry(output)) {
      Inquired inquired = inquire(agents);
      for (int more = ATTEMPTS - 1; more > 0 && !inquired.verification.isSound(); more--) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        inquired = inquire(agents);
      }
      return inquired;
    }
  }

  private Inquired inquire(AgentInquiry agents) {
    ClusterInquiry.Answers answers = ClusterInquiry.of(agents);
    List<ClusterInquiry.Unreachable> unanswered = new ArrayList<>();
    List<ClusterInquiry.Unreachable> outside = new ArrayList<>();
    List<AgentReport> reports = new ArrayList<>();
    // If no agent measures throughput, all are reported as without a tree, which is an error.
    boolean anyMeasures = answers.reports().stream().anyMatch(AgentReport::measuresThroughput);
    for (AgentReport report : answers.reports()) {
      boolean hasPart =
          metric.metric() == MetricText.LATENCY || report.measuresThroughput() || !anyMeasures;
      if (hasPart) {
        reports.add(report.by(metric.metric()));
      } else {
        report.members().stream()
            .filter(member -> member.id().equals(report.id()))
            .forEach(self -> outside.add(new ClusterInquiry.Unreachable(self, NO_THROUGHPUT)));
      }
    }
    for (ClusterInquiry.Unreachable silent : answers.silent()) {
      NodeId id = silent.member().id();
      boolean isMember =
          reports.stream()
              .map(AgentReport::tree)
              .anyMatch(tree -> tree != null && tree.hasMember(id));
      (isMember ? unanswered : outside).add(silent);
    }
    return new Inquired(
        reports, unanswered, outside, ClusterVerification.of(reports, metric.metric()));
  }

  private void printText(Inquired inquired) {
    ClusterVerification verification = inquired.verification;
    int asked = inquired.reports.size();
    int members = asked + inquired.unanswered.size();
    int trees = verification.trees().size();
    output.println(
        (members == 1
                ? "the agent is the only member and reports "
                : asked
                    + " of "
                    + members
                    + " members of "
                    + (trees > 1 ? trees + " trees" : "the tree")
                    + " answered and report ")
            + Plural.of(verification.links().size(), "link"));
    if (trees > 1) {
      verification
          .trees()
          .forEach(tree -> output.println("the cluster is split: the tree of " + line(tree)));
    }
    for (ClusterInquiry.Unreachable silent : inquired.unanswered) {
      output.println(
          "no answer from " + silent + "; check that it runs and that this machine reaches it");
    }
    for (ClusterInquiry.Unreachable silent : inquired.outside) {
      output.println("known, and outside the tree: " + silent);
    }
    for (AgentReport report : inquired.reports) {
      if (report.selfReport().hasNoSeedAnswered()) {
        output.println(
            report.id()
                + " has never reached any of its seeds: "
                + String.join("; ", report.selfReport().unansweredSeeds()));
      }
    }
    for (LinkWeight edge : verification.difference().missing()) {
      output.println("missing edge:     " + line(edge));
    }
    for (LinkWeight edge : verification.difference().superfluous()) {
      output.println("superfluous edge: " + line(edge));
    }
    verification.disagreements().forEach(output::println);
    if (!verification.difference().isMinimal()) {
      output.println("NOT the " + sought() + " spanning tree of these links");
    } else {
      output.println(
          (trees > 1 ? "the " + trees + " trees of " : "the tree of ")
              + Plural.of(verification.treeEdges().size(), "edge")
              + ", "
              + metric.metric().summary(List.copyOf(verification.treeEdges()))
              + (trees > 1 ? ", are the " : ", is the ")
              + sought()
              + (trees > 1 ? " spanning trees of these links" : " spanning tree of these links")
              + (inquired.unanswered.isEmpty() ? "" : ", as far as members answered")
              + (verification.disagreements().isEmpty()
                  ? ""
                  : "; still, "
                      + Plural.of(verification.disagreements().size(), "problem")
                      + " above"));
    }
  }

  private String sought() {
    return metric.metric() == MetricText.LATENCY ? "minimum" : "widest";
  }

  private ObjectNode json(Inquired inquired) {
    ClusterVerification verification = inquired.verification;
    ObjectNode json =
        TreeJson.object()
            .put("sound", verification.isSound())
            .put("minimal", verification.difference().isMinimal())
            .put("complete", inquired.unanswered.isEmpty())
            .put("links", verification.links().size());
    if (metric.metric() == MetricText.LATENCY) {
      json.put("weightMillis", TreeJson.millis(verification.weightMicros()));
    }
    TreeJson.addEdges(json.putArray("tree"), verification.treeEdges(), metric.metric());
    TreeJson.addEdges(
        json.putArray("missing"), verification.difference().missing(), metric.metric());
    TreeJson.addEdges(
        json.putArray("superfluous"), verification.difference().superfluous(), metric.metric());
    ArrayNode disagreements = json.putArray("disagreements");
    verification.disagreements().forEach(disagreements::add);
    ArrayNode trees = json.putArray("trees");
    for (CommittedTree tree : verification.trees()) {
      ObjectNode entry = trees.addObject().put("version", tree.version());
      entry.put("root", tree.root().toString());
      ArrayNode of = entry.putArray("members");
      tree.members().forEach(member -> of.add(member.toString()));
    }
    ArrayNode members = json.putArray("members");
    inquired.reports.forEach(report -> members.add(report.id().toString()));
    ArrayNode seedless = json.putArray("neverReachedSeeds");
    inquired.reports.stream()
        .filter(report -> report.selfReport().hasNoSeedAnswered())
        .forEach(report -> seedless.add(report.id().toString()));
    addSilent(json.putArray("unreachable"), inquired.unanswered);
    addSilent(json.putArray("notInTree"), inquired.outside);
    return json;
  }

  private static void addSilent(ArrayNode array, List<ClusterInquiry.Unreachable> silent) {
    for (ClusterInquiry.Unreachable s : silent) {
      array
          .addObject()
          .put("node", s.member().id().toString())
          .put("address", s.member().address())
          .put("reason", s.reason());
    }
  }

  private static String line(CommittedTree tree) {
    List<NodeId> members = List.copyOf(tree.members());
    return "version %s, root %s, has %s: %s%s"
        .formatted(
            tree.version(),
            tree.root(),
            Plural.of(members.size(), "member"),
            members.stream()
                .limit(MAX_NAMED)
                .map(NodeId::toString)
                .collect(Collectors.joining(", ")),
            members.size() > MAX_NAMED ? ", ..." : "");
  }

  private String line(LinkWeight edge) {
    MetricText weights = metric.metric();
    return edge.low() + " - " + edge.high() + "  " + weights.text(edge) + " " + weights.unit();
  }
}
