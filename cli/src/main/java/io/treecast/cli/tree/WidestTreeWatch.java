package io.treecast.cli.tree;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Plural;
import io.treecast.cli.console.Timestamp;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.ClusterInquiry;
import io.treecast.cli.query.MetricText;
import io.treecast.cli.query.TreeJson;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Follows an agent's widest tree. It changes at most every few seconds, so the agent is polled once
 * per second. Only the ends of edges that have become faster know the new weights, so all members
 * are polled after a change of the tree and every ten seconds. Used on the command's thread.
 */
final class WidestTreeWatch {
  private static final long PAUSE_MILLIS = 1_000;

  /** Polls of the agent for each poll of all members. */
  private static final int LOOKS = 10;

  private final AgentInquiry agents;
  private final OutputOption output;

  /** The latest report, with the weights of the commit. */
  private @Nullable AgentReport seen;

  private int looks;

  /** The latest printed report, with present weights. */
  private @Nullable AgentReport printed;

  private boolean interrupted;

  WidestTreeWatch(AgentInquiry agents, OutputOption output) {
    this.agents = agents;
    this.output = output;
  }

  /**
   * Prints the tree and its changes, until the count is reached or the thread is interrupted.
   *
   * @param count the number of trees to print
   * @throws CommandFailure if the agent does not answer the first time, or measures no throughput
   */
  int follow(long count) {
    AgentReport first = agents.report().by(MetricText.BANDWIDTH);
    if (!first.measuresThroughput()) {
      throw CommandFailure.failed("agent " + first.id() + ": " + first.notReadyReason());
    }
    output.note("watching the widest tree of agent " + first.id() + "; Ctrl-C ends");
    long left = count;
    for (@Nullable AgentReport next = first; ; next = ask()) {
      left -= next != null && isDue(next) && printNew(weighed(next)) ? 1 : 0;
      if (left == 0) {
        return ExitCode.OK;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return ExitCode.OK;
      }
    }
  }

  private @Nullable AgentReport ask() {
    try {
      AgentReport report = agents.ask().by(MetricText.BANDWIDTH);
      if (interrupted) {
        output.note("connected again");
      }
      interrupted = false;
      return report;
    } catch (AgentInquiry.FailedException e) {
      if (!interrupted && !Thread.currentThread().isInterrupted()) {
        output.note("interrupted: agent " + agents.agent() + ": " + e.reason() + "; retrying");
      }
      interrupted = true;
      return null;
    }
  }

  private boolean isDue(AgentReport report) {
    boolean isNews = isNew(seen, report);
    seen = report;
    looks = isNews ? 0 : (looks + 1) % LOOKS;
    return looks == 0;
  }

  private static boolean isNew(@Nullable AgentReport before, AgentReport report) {
    return before == null
        || !Objects.equals(before.tree(), report.tree())
        || !before.notReadyReason().equals(report.notReadyReason());
  }

  private AgentReport weighed(AgentReport report) {
    try {
      return report.weighedBy(
          ClusterInquiry.of(agents).reports().stream()
              .map(member -> member.by(MetricText.BANDWIDTH))
              .toList());
    } catch (CommandFailure silent) {
      return report; // The next poll reports the failure.
    }
  }

  /** Prints the report if it is new, and returns whether it was. */
  private boolean printNew(AgentReport report) {
    AgentReport before = printed;
    CommittedTree tree = report.tree();
    if (!isNew(before, report)) {
      return false;
    }
    printed = report;
    CommittedTree treeBefore = before == null ? null : before.tree();
    EdgeChanges changes = EdgeChanges.between(edges(treeBefore), edges(tree));
    if (output.isJson()) {
      output.println(json(report, tree, treeBefore, changes));
    } else if (tree == null) {
      output.println(Timestamp.now() + " not ready: " + report.notReadyReason());
    } else {
      output.println(
          "%s version %s, root %s, %s, %s"
              .formatted(
                  Timestamp.now(),
                  tree.version(),
                  tree.root(),
                  Plural.of(tree.edges().size(), "edge"),
                  MetricText.BANDWIDTH.summary(tree.edges())));
      changes.print(output, MetricText.BANDWIDTH);
    }
    return true;
  }

  private static ObjectNode json(
      AgentReport report,
      @Nullable CommittedTree tree,
      @Nullable CommittedTree before,
      EdgeChanges changes) {
    ObjectNode json =
        TreeJson.object()
            .put("at", Timestamp.now())
            .put("node", report.id().toString())
            .put("ready", report.ready())
            .put("reason", report.notReadyReason());
    if (tree != null) {
      json.put("version", tree.version()).put("root", tree.root().toString());
    }
    if (before != null) {
      json.put("versionBefore", before.version());
    }
    changes.add(json, MetricText.BANDWIDTH);
    return json;
  }

  private static List<LinkWeight> edges(@Nullable CommittedTree tree) {
    return tree == null ? List.of() : tree.edges();
  }
}
