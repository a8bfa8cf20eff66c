package io.treecast.cli;

import io.treecast.ghs.LinkWeight;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast tree verify}. */
@Command(
    name = "verify",
    description = {
      "Asks all members for their links, computes the minimum spanning tree of them anew, and compares it with the tree"
          + " that each member has.",
      "Ends with 0 if all is equal, 1 with the differences, 3 if all is equal but some members could not be asked."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast tree verify --agent 10.0.0.4:7700"})
final class TreeVerifyCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    ClusterInquiry.Answers answers = ClusterInquiry.startingAt(agent.address());
    ClusterVerification verification = ClusterVerification.of(answers.reports());
    if (output.isJson()) {
      output.println(json(answers, verification));
    } else {
      printText(answers, verification);
    }
    if (!verification.isSound()) {
      return ExitCode.FAILED;
    }
    return answers.silent().isEmpty() ? ExitCode.OK : ExitCode.PARTIAL;
  }

  private void printText(ClusterInquiry.Answers answers, ClusterVerification verification) {
    int asked = answers.reports().size();
    output.println(
        asked
            + " of "
            + Plural.of(asked + answers.silent().size(), "member")
            + " answered and report "
            + Plural.of(verification.links().size(), "link"));
    for (ClusterInquiry.Silent silent : answers.silent()) {
      output.println(
          "could not ask " + silent + "; check that it runs and that this machine reaches it");
    }
    for (LinkWeight edge : verification.difference().missing()) {
      output.println("missing edge:     " + line(edge));
    }
    for (LinkWeight edge : verification.difference().superfluous()) {
      output.println("superfluous edge: " + line(edge));
    }
    verification.disagreements().forEach(output::println);
    if (!verification.isSound()) {
      output.println("NOT the minimum spanning tree of these links");
    } else {
      output.println(
          "the tree of "
              + Plural.of(verification.treeEdges().size(), "edge")
              + ", "
              + RttText.millis(verification.weightMicros())
              + " ms in all, is the minimum spanning tree of these links"
              + (answers.silent().isEmpty() ? "" : ", as far as could be asked"));
    }
  }

  private static ObjectNode json(ClusterInquiry.Answers answers, ClusterVerification verification) {
    ObjectNode json =
        TreeJson.object()
            .put("minimal", verification.isSound())
            .put("complete", answers.silent().isEmpty())
            .put("links", verification.links().size())
            .put("weightMillis", TreeJson.millis(verification.weightMicros()));
    TreeJson.addEdges(json.putArray("tree"), verification.treeEdges());
    TreeJson.addEdges(json.putArray("missing"), verification.difference().missing());
    TreeJson.addEdges(json.putArray("superfluous"), verification.difference().superfluous());
    ArrayNode disagreements = json.putArray("disagreements");
    verification.disagreements().forEach(disagreements::add);
    ArrayNode members = json.putArray("members");
    answers.reports().forEach(report -> members.add(report.id().toString()));
    ArrayNode silent = json.putArray("unreachable");
    for (ClusterInquiry.Silent s : answers.silent()) {
      silent
          .addObject()
          .put("node", s.member().id().toString())
          .put("address", s.member().address())
          .put("reason", s.reason());
    }
    return json;
  }

  private static String line(LinkWeight edge) {
    return edge.low() + " - " + edge.high() + "  " + RttText.millis(edge.rttMicros()) + " ms";
  }
}
