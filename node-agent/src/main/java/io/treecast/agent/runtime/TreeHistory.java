package io.treecast.agent.runtime;

import io.treecast.agent.core.TreeChange;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.CommittedTree;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The latest trees that an agent has committed since it started, with what led to each: the page
 * {@code /history.json}. It keeps what it tells, not the trees: an entry takes about a kilobyte.
 *
 * <p>Thread-safe: the agent's loop adds, threads that serve the page read.
 */
final class TreeHistory {
  /** Trees that are kept. */
  static final int MAX_TREES = 50;

  private final Deque<ObjectNode> latestFirst = new ArrayDeque<>();

  /** A tree was committed now. */
  void add(TreeChange change, Instant now) {
    ObjectNode entry = entry(change, now);
    synchronized (latestFirst) {
      latestFirst.addFirst(entry);
      if (latestFirst.size() > MAX_TREES) {
        latestFirst.removeLast();
      }
    }
  }

  /** The page: the trees, the latest first. */
  String json() {
    ObjectNode page = JsonMapper.shared().createObjectNode();
    ArrayNode trees = page.putArray("history");
    synchronized (latestFirst) {
      // Nobody changes an entry that is there.
      trees.addAll(latestFirst);
    }
    return JsonMapper.shared().writeValueAsString(page) + "\n";
  }

  private static ObjectNode entry(TreeChange change, Instant now) {
    CommittedTree tree = change.tree();
    ObjectNode entry =
        JsonMapper.shared()
            .createObjectNode()
            .put("at", Instant.ofEpochMilli(now.toEpochMilli()).toString())
            .put("version", tree.version())
            .put("versionBefore", change.versionBefore())
            .put("root", tree.root().toString())
            .put("edges", tree.edges().size())
            .put("weightMillis", tree.weightMicros() / 1e3)
            .put("durationMillis", TimeUnit.NANOSECONDS.toMicros(change.durationNanos()) / 1e3)
            .put("messagesSent", change.messagesSent());
    ArrayNode causes = entry.putArray("causes");
    change.causes().forEach(cause -> causes.add(cause.label()));
    addEdges(entry, "removed", change.removed());
    addEdges(entry, "added", change.added());
    return entry;
  }

  /** As many as the agent names where it prints a tree, and how many more there are. */
  private static void addEdges(ObjectNode entry, String key, List<LinkWeight> edges) {
    int named = Math.min(TreeChange.MAX_NAMED, edges.size());
    TreeJson.addEdges(entry.putArray(key), edges.subList(0, named));
    entry.put(key + "More", edges.size() - named);
  }
}
