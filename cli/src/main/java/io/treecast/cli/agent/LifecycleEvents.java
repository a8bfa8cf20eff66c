package io.treecast.cli.agent;

import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.cli.console.Console;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Timestamp;
import io.treecast.cli.query.ChangeText;
import io.treecast.cli.query.TreeJson;
import io.treecast.cli.query.TreeText;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Prints the events of an agent's life: up, ready, not ready, left. For one thread, except {@link
 * #crashes}.
 *
 * <p>Events go to standard output, one line each; the log goes to standard error. Neither blocks if
 * the reader is slow.
 */
final class LifecycleEvents {
  private final OutputOption output;
  private final NodeId id;
  private String printedStatus = "";

  LifecycleEvents(OutputOption output, NodeId id) {
    this.output = output;
    this.id = id;
  }

  /** Prints that the agent accepts connections. */
  void up(HostPort address, @Nullable HostPort admin, boolean byTls, List<String> seeds) {
    if (output.isJson()) {
      printJson(
          event("up")
              .put("address", address.toString())
              .put("admin", admin == null ? null : admin.toString())
              .put("seeds", String.join(",", seeds)));
    } else {
      print(
          "agent "
              + id
              + " is up at "
              + address
              + (admin == null
                  ? ""
                  : ", admin pages at " + (byTls ? "https" : "http") + "://" + admin)
              + "; "
              + (seeds.isEmpty()
                  ? "it has no seeds and waits for other agents"
                  : "it asks these seeds: " + String.join(", ", seeds)));
    }
  }

  /** Prints a change of the tree or of the readiness, if there is one. */
  void status(AgentSnapshot snapshot) {
    CommittedTree tree = snapshot.tree().tree();
    boolean ready = snapshot.tree().ready();
    String status =
        tree == null
            ? snapshot.tree().phase().toString()
            : ready ? tree.toString() : snapshot.tree().reason();
    if (status.equals(printedStatus)) {
      return;
    }
    printedStatus = status;
    if (tree == null || !ready) {
      notReady(snapshot.tree().reason());
      return;
    }
    TreeChange change = snapshot.lastChange();
    if (output.isJson()) {
      ObjectNode event =
          event("ready")
              .put("version", tree.version())
              .put("root", tree.root().toString())
              .put("weightMillis", TreeJson.millis(tree.weightMicros()));
      if (change != null) {
        event.put("durationMillis", TimeUnit.NANOSECONDS.toMillis(change.durationNanos()));
        ArrayNode causes = event.putArray("causes");
        change.causes().forEach(cause -> causes.add(cause.label()));
      }
      TreeJson.addEdges(event.putArray("tree"), tree.edges());
      printJson(event);
    } else {
      print(
          "ready: tree "
              + TreeText.of(tree)
              + (change == null ? "" : "; " + ChangeText.of(change) + edges(change)));
    }
  }

  private static String edges(TreeChange change) {
    String text = change.edgesText();
    return text.isEmpty() ? "" : "; " + text;
  }

  private void notReady(String reason) {
    if (output.isJson()) {
      printJson(event("not-ready").put("reason", reason));
    } else {
      print("not ready: " + reason);
    }
  }

  /** Prints that the agent has left its neighbours on request. */
  void left() {
    if (output.isJson()) {
      printJson(event("left"));
    } else {
      print("agent " + id + " has left");
    }
  }

  /** Prints that the agent crashes on request. Any thread. */
  void crashes() {
    output.note("treecast: agent " + id + " crashes, as requested by 'treecast fault crash'");
  }

  /** Prints that the agent has stopped because of a failure. */
  void stopped(String reason) {
    if (output.isJson()) {
      printJson(event("stopped").put("reason", reason));
    }
  }

  private void print(String text) {
    printLine(Timestamp.now() + " " + text);
  }

  private void printJson(ObjectNode event) {
    printLine(Console.text(event));
  }

  /**
   * Prints a line without a check for errors, since other agents need this one even if its output
   * is lost.
   */
  private void printLine(String line) {
    output.out().println(line);
    output.out().flush();
  }

  private ObjectNode event(String name) {
    return TreeJson.object()
        .put("event", name)
        .put("at", Timestamp.now())
        .put("node", id.toString());
  }

  /** Prints a warning. */
  void warning(String text) {
    output.note("treecast: warning: " + text);
  }
}
