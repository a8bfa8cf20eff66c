package io.treecast.agent.runtime.admin;

import io.treecast.agent.core.contract.TreeChange;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The latest trees that an agent has committed since it started, with what led to each: the pages
 * {@code /history.json} and {@code /past-tree.json}. What led to a tree takes about a kilobyte. The
 * trees themselves are kept as far as they have {@value #MAX_EDGES} edges together, so that those
 * of a large cluster take some megabytes at most.
 *
 * <p>Thread-safe: the agent's loop adds, threads that serve the page read.
 */
public final class TreeHistory {
  /** Trees that are kept. */
  static final int MAX_TREES = 50;

  /** Edges of all trees together that are kept whole. */
  static final int MAX_EDGES = 20_000;

  private final Deque<ObjectNode> latestFirst = new ArrayDeque<>();

  /** Edges of the latest of them, the latest first. Guarded by the other. */
  private final Deque<Past> trees = new ArrayDeque<>();

  /** Of all these. */
  private int keptEdges;

  /** What is kept of a tree: without what a tree knows to answer fast. */
  private record Past(long version, NodeId root, List<LinkWeight> edges) {}

  /** A tree was committed now. */
  public void add(TreeChange change, Instant now) {
    ObjectNode entry = entry(change, now);
    synchronized (latestFirst) {
      latestFirst.addFirst(entry);
      CommittedTree tree = change.tree();
      trees.addFirst(new Past(tree.version(), tree.root(), tree.edges()));
      keptEdges += tree.edges().size();
      if (latestFirst.size() > MAX_TREES) {
        latestFirst.removeLast();
      }
      while (trees.size() > latestFirst.size() || (keptEdges > MAX_EDGES && trees.size() > 1)) {
        keptEdges -= trees.removeLast().edges().size();
      }
    }
  }

  /** Returns the page of one tree; null if it is not kept, or never was. */
  @Nullable String json(long version) {
    Past tree;
    synchronized (latestFirst) {
      tree = trees.stream().filter(kept -> kept.version() == version).findFirst().orElse(null);
    }
    if (tree == null) {
      return null;
    }
    ObjectNode page =
        JsonMapper.shared()
            .createObjectNode()
            .put("version", tree.version())
            .put("root", tree.root().toString());
    TreeJson.addEdges(page.putArray("tree"), tree.edges());
    return JsonMapper.shared().writeValueAsString(page) + "\n";
  }

  /** Returns the page: the trees, the latest first. */
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
