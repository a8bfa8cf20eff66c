package io.treecast.cli.tree;

import io.treecast.cli.console.CountOption;
import io.treecast.cli.console.EndAtSignal;
import io.treecast.cli.console.EventFollower;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Timestamp;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.ChangeText;
import io.treecast.cli.query.MetricOption;
import io.treecast.cli.query.MetricText;
import io.treecast.cli.query.TreeJson;
import io.treecast.cli.query.TreeText;
import io.treecast.client.TreeChange;
import io.treecast.client.TreeHandler;
import io.treecast.client.TreeView;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast tree watch}. */
@Command(
    name = "watch",
    description = {
      "Prints an agent's tree, then each reconfiguration when it is committed: "
          + "time, version, root, causes, duration, messages that the agent sent for it, "
          + "and edges that were removed (-), added (+) or reweighed (~).",
      "For the widest tree: version, root, and edges. The agent is polled once a "
          + "second, its members every ten seconds.",
      "In JSON, the first object has all edges of the tree as 'added'; later ones "
          + "also have versionBefore, causes, durationMillis and messagesSent.",
      "Runs until Ctrl-C or for N trees, including the first."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast tree watch --agent 10.0.0.4:7700",
      "  treecast tree watch --metric bandwidth",
      "  treecast tree watch --output json | jq .version"
    })
final class TreeWatchCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private MetricOption metric = new MetricOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private CountOption count = new CountOption();

  @Override
  public Integer call() {
    output.endWithReader();
    try (AgentInquiry agents = agent.inquiry(output)) {
      if (metric.metric() == MetricText.BANDWIDTH) {
        long trees = count.events();
        return EndAtSignal.run(() -> new WidestTreeWatch(agents, output).follow(trees));
      }
      EventFollower follower = new EventFollower(output, count.events());
      // Fails at once if the agent is down, whereas the client would wait for it.
      agents.report();
      return EndAtSignal.run(() -> follow(agents, follower));
    }
  }

  private int follow(AgentInquiry agents, EventFollower follower) {
    try (Treecast treecast = agents.client().connect()) {
      return follower.follow(treecast.watchTree(new Printer(follower)), "watching the tree of");
    }
  }

  private final class Printer implements TreeHandler {
    private final EventFollower follower;

    // Used on the subscription's thread.
    private @Nullable TreeView printed;

    Printer(EventFollower follower) {
      this.follower = follower;
    }

    @Override
    public void onTree(TreeView tree) {
      TreeView before = printed;
      // After a reconnect the agent sends the tree again, which may be unchanged.
      if (!tree.equals(before)) {
        follower.event(() -> print(before, tree));
        printed = tree;
      }
    }

    @Override
    public void onInterrupted(String reason) {
      follower.onInterrupted(reason);
    }

    @Override
    public void onRefused(String reason) {
      follower.onRefused(reason);
    }

    @Override
    public void onUnavailable(TreecastException why) {
      follower.onUnavailable(why);
    }

    @Override
    public void onResumed() {
      follower.onResumed();
    }
  }

  private void print(@Nullable TreeView before, TreeView tree) {
    // The first output has all edges of the tree, so its last change is omitted.
    TreeChange change = before == null ? null : tree.change();
    EdgeChanges changes =
        EdgeChanges.between(before == null ? List.of() : weights(before), weights(tree));
    if (output.isJson()) {
      output.println(json(tree, change, changes));
      return;
    }
    String readiness = tree.ready() ? "ready" : "not ready: " + tree.notReadyReason();
    String text =
        tree.hasTree()
            ? TreeText.of(
                    tree.version(),
                    String.valueOf(tree.root()),
                    tree.edges().size(),
                    tree.weightMicros())
                + "; "
                + (change == null
                    ? readiness
                    : ChangeText.of(
                        change.causes(), change.durationMicros(), change.messagesSent()))
            : readiness;
    output.println(Timestamp.now() + " " + text);
    changes.print(output, MetricText.LATENCY);
  }

  private static List<LinkWeight> weights(TreeView tree) {
    return tree.edges().stream()
        .map(e -> LinkWeight.between(NodeId.of(e.low()), NodeId.of(e.high()), e.weightMicros()))
        .toList();
  }

  private static ObjectNode json(TreeView tree, @Nullable TreeChange change, EdgeChanges changes) {
    ObjectNode json =
        TreeJson.object()
            .put("at", Timestamp.now())
            .put("node", tree.nodeId())
            .put("ready", tree.ready())
            .put("reason", tree.notReadyReason());
    if (tree.hasTree()) {
      json.put("version", tree.version())
          .put("root", tree.root())
          .put("weightMillis", TreeJson.millis(tree.weightMicros()));
    }
    if (change != null) {
      json.put("versionBefore", change.versionBefore())
          .put("durationMillis", TreeJson.millis(change.durationMicros()))
          .put("messagesSent", change.messagesSent());
      ArrayNode causes = json.putArray("causes");
      change.causes().forEach(causes::add);
    }
    changes.add(json, MetricText.LATENCY);
    return json;
  }
}
