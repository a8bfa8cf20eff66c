package io.treecast.cli.tree;

import io.treecast.agent.config.HostPort;
import io.treecast.cli.console.CountOption;
import io.treecast.cli.console.EndAtSignal;
import io.treecast.cli.console.EventFollower;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Plural;
import io.treecast.cli.console.RttText;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.ChangeText;
import io.treecast.cli.query.TreeJson;
import io.treecast.client.TreeChange;
import io.treecast.client.TreeEdge;
import io.treecast.client.TreeHandler;
import io.treecast.client.TreeView;
import io.treecast.client.Treecast;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
      "Prints the tree as an agent knows it, then each reconfiguration as it is committed: version, root, causes,"
          + " duration, the messages that the agent sent for it, edges removed (-), added (+) and of another weight (~).",
      "Goes on until Ctrl-C or for N trees, the first one included."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast tree watch --agent 10.0.0.4:7700",
      "  treecast tree watch --output json | jq .version"
    })
final class TreeWatchCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private CountOption count = new CountOption();

  @Override
  public Integer call() {
    output.endWithReader();
    EventFollower follower = new EventFollower(output, count.events());
    HostPort address = agent.address();
    // The client waits for an agent that is down; a person wants to know at once.
    AgentInquiry.report(address);
    return EndAtSignal.run(() -> follow(address, follower));
  }

  private int follow(HostPort address, EventFollower follower) {
    try (Treecast treecast = Treecast.connect(address.toString())) {
      return follower.follow(treecast.watchTree(new Printer(follower)), "watching the tree of");
    }
  }

  private final class Printer implements TreeHandler {
    private final EventFollower follower;

    // On the subscription's thread.
    private @Nullable TreeView printed;

    Printer(EventFollower follower) {
      this.follower = follower;
    }

    @Override
    public void onTree(TreeView tree) {
      TreeView before = printed;
      // A reconnect tells the tree again; without a change there is nothing to print.
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
    public void onResumed() {
      follower.onResumed();
    }
  }

  private void print(@Nullable TreeView before, TreeView tree) {
    List<TreeEdge> edgesBefore = before == null ? List.of() : before.edges();
    List<TreeEdge> removed = without(edgesBefore, tree.edges());
    List<TreeEdge> added = without(tree.edges(), edgesBefore);
    List<TreeEdge> reweighed = new ArrayList<>(tree.edges());
    reweighed.removeAll(edgesBefore);
    reweighed.removeAll(added);
    if (output.isJson()) {
      output.println(json(tree, removed, added, reweighed));
      return;
    }
    TreeChange change = before == null ? null : tree.change();
    String readiness = tree.ready() ? "ready" : "not ready: " + tree.notReadyReason();
    output.println(
        tree.hasTree()
            ? "version "
                + tree.version()
                + ", root "
                + tree.root()
                + ", "
                + Plural.of(tree.edges().size(), "edge")
                + ", "
                + RttText.millis(tree.weightMicros())
                + " ms in all; "
                + (change == null
                    ? readiness
                    : ChangeText.of(
                        change.causes(), change.durationMicros(), change.messagesSent()))
            : readiness);
    removed.forEach(edge -> output.println("  - " + line(edge)));
    added.forEach(edge -> output.println("  + " + line(edge)));
    reweighed.forEach(edge -> output.println("  ~ " + line(edge)));
  }

  private static ObjectNode json(
      TreeView tree, List<TreeEdge> removed, List<TreeEdge> added, List<TreeEdge> reweighed) {
    ObjectNode json =
        TreeJson.object()
            .put("node", tree.nodeId())
            .put("ready", tree.ready())
            .put("reason", tree.notReadyReason());
    if (tree.hasTree()) {
      json.put("version", tree.version())
          .put("root", tree.root())
          .put("weightMillis", TreeJson.millis(tree.weightMicros()));
    }
    TreeChange change = tree.change();
    if (change != null) {
      json.put("versionBefore", change.versionBefore())
          .put("durationMillis", TreeJson.millis(change.durationMicros()))
          .put("messagesSent", change.messagesSent());
      ArrayNode causes = json.putArray("causes");
      change.causes().forEach(causes::add);
    }
    addEdges(json.putArray("removed"), removed);
    addEdges(json.putArray("added"), added);
    addEdges(json.putArray("reweighed"), reweighed);
    return json;
  }

  private static void addEdges(ArrayNode array, List<TreeEdge> edges) {
    edges.forEach(e -> TreeJson.addEdge(array, e.low(), e.high(), e.rttMicros()));
  }

  /** Told by their ends: an edge that only has another weight is the same edge. */
  private static List<TreeEdge> without(List<TreeEdge> edges, List<TreeEdge> others) {
    Set<List<String>> ends = new HashSet<>();
    others.forEach(edge -> ends.add(List.of(edge.low(), edge.high())));
    return edges.stream().filter(edge -> !ends.contains(List.of(edge.low(), edge.high()))).toList();
  }

  private static String line(TreeEdge edge) {
    return edge.low() + " - " + edge.high() + "  " + RttText.millis(edge.rttMicros()) + " ms";
  }
}
