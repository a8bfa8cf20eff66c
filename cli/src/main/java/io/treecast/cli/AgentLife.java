package io.treecast.cli;

import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Prints the events of an agent's life: up, ready, not ready, left. One thread.
 *
 * <p>They are on standard output, one line each; details are in the log, on standard error.
 */
final class AgentLife {
  private final OutputOption output;
  private final NodeId id;
  private String printedStatus = "";

  AgentLife(OutputOption output, NodeId id) {
    this.output = output;
    this.id = id;
  }

  /** It accepts connections. */
  void up(HostPort address, @Nullable HostPort admin, int expectedMembers) {
    if (output.isJson()) {
      output.println(
          event("up")
              .put("address", address.toString())
              .put("admin", admin == null ? null : admin.toString())
              .put("expectedMembers", expectedMembers));
    } else {
      output.println(
          "agent "
              + id
              + " is up at "
              + address
              + (admin == null ? "" : ", admin pages at http://" + admin)
              + "; "
              + (expectedMembers == 1
                  ? "it is the only member"
                  : "it expects " + expectedMembers + " members"));
    }
  }

  /** Its tree changed; prints what is new in that. */
  void status(AgentSnapshot snapshot) {
    CommittedTree tree = snapshot.tree().tree();
    boolean ready = snapshot.tree().ready();
    String status = tree != null && ready ? tree.toString() : snapshot.tree().phase().toString();
    if (status.equals(printedStatus)) {
      return;
    }
    printedStatus = status;
    if (tree == null || !ready) {
      notReady(snapshot.tree().reason());
      return;
    }
    long buildMillis =
        TimeUnit.NANOSECONDS.toMillis(snapshot.committedNanos() - snapshot.wokenNanos());
    if (output.isJson()) {
      ObjectNode event =
          event("ready")
              .put("version", tree.version())
              .put("root", tree.root().toString())
              .put("weightMillis", TreeJson.millis(tree.weightMicros()))
              .put("buildMillis", buildMillis);
      TreeJson.addEdges(event.putArray("tree"), tree.edges());
      output.println(event);
    } else {
      output.println(
          "ready: tree version "
              + tree.version()
              + ", root "
              + tree.root()
              + ", "
              + Plural.of(tree.edges().size(), "edge")
              + ", "
              + RttText.millis(tree.weightMicros())
              + " ms in all; built in "
              + buildMillis
              + " ms");
    }
  }

  private void notReady(String reason) {
    if (output.isJson()) {
      output.println(event("not-ready").put("reason", reason));
    } else {
      output.println("not ready: " + reason);
    }
  }

  /** It said goodbye to its neighbours, as it was told. */
  void left() {
    if (output.isJson()) {
      output.println(event("left"));
    } else {
      output.println("agent " + id + " has left");
    }
  }

  /** It can not go on. */
  void stopped(String reason) {
    if (output.isJson()) {
      output.println(event("stopped").put("reason", reason));
    }
  }

  private ObjectNode event(String name) {
    return TreeJson.object().put("event", name).put("node", id.toString());
  }
}
