package io.treecast.agent.runtime.admin;

import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.runtime.status.StatusFrames;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.PastTree;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The latest trees that an agent has committed since its start, with the causes of each: the pages
 * {@code /history.json} and {@code /past-tree.json}. The causes of a tree take about a kilobyte.
 * Whole trees are kept while they have at most {@value #MAX_EDGES} edges together, so those of a
 * large cluster take some megabytes.
 *
 * <p>Thread-safe: the agent's loop adds trees, the threads of the pages read them.
 */
public final class TreeHistory {
  /** The number of trees whose causes are kept. */
  static final int MAX_TREES = 50;

  /** The limit of edges of all whole trees together. */
  static final int MAX_EDGES = 20_000;

  private final Deque<Entry> latestFirst = new ArrayDeque<>();

  /**
   * The latest trees as far as they are kept whole, latest first. Guarded by the lock on {@link
   * #latestFirst}.
   */
  private final Deque<Past> trees = new ArrayDeque<>();

  /** The number of edges in {@link #trees}. */
  private int keptEdges;

  /**
   * The change that led to a tree. Immutable.
   *
   * @param change without the tree and its edges beyond the first {@link TreeChange#MAX_NAMED}
   */
  private record Entry(
      Instant at,
      long version,
      NodeId root,
      int edges,
      long weightMicros,
      io.treecast.proto.v1.TreeChange change,
      int removedMore,
      int addedMore) {}

  /** The edges of a past tree, without its indexes. */
  private record Past(long version, NodeId root, List<LinkWeight> edges) {}

  /** Adds a tree that was committed now. */
  public void add(TreeChange change, Instant now) {
    Entry entry = entry(change, now);
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

  /** Returns a tree; null if it is not kept, or never existed. */
  @Nullable CommittedTree tree(long version) {
    Past past;
    synchronized (latestFirst) {
      past = trees.stream().filter(kept -> kept.version() == version).findFirst().orElse(null);
    }
    return past == null ? null : new CommittedTree(past.version(), past.root(), past.edges());
  }

  /** Returns the page of a tree; null if it is not kept, or never existed. */
  @Nullable String json(long version) {
    CommittedTree tree = tree(version);
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

  /** Returns the trees, latest first. */
  List<PastTree> frames() {
    return entries().stream().map(TreeHistory::frame).toList();
  }

  /** Returns the page of the trees, latest first. */
  String json() {
    ObjectNode page = JsonMapper.shared().createObjectNode();
    ArrayNode history = page.putArray("history");
    entries().forEach(entry -> history.add(json(entry)));
    return JsonMapper.shared().writeValueAsString(page) + "\n";
  }

  private List<Entry> entries() {
    synchronized (latestFirst) {
      return List.copyOf(latestFirst);
    }
  }

  private static Entry entry(TreeChange change, Instant now) {
    CommittedTree tree = change.tree();
    return new Entry(
        now,
        tree.version(),
        tree.root(),
        tree.edges().size(),
        tree.weightMicros(),
        StatusFrames.change(change, TreeChange.MAX_NAMED),
        Math.max(0, change.removed().size() - TreeChange.MAX_NAMED),
        Math.max(0, change.added().size() - TreeChange.MAX_NAMED));
  }

  private static PastTree frame(Entry entry) {
    return PastTree.newBuilder()
        .setUnixMillis(entry.at.toEpochMilli())
        .setVersion(entry.version)
        .setRoot(entry.root.toString())
        .setEdges(entry.edges)
        .setWeightMicros(entry.weightMicros)
        .setChange(entry.change)
        .setRemovedMore(entry.removedMore)
        .setAddedMore(entry.addedMore)
        .build();
  }

  private static ObjectNode json(Entry entry) {
    io.treecast.proto.v1.TreeChange change = entry.change;
    ObjectNode json =
        JsonMapper.shared()
            .createObjectNode()
            .put("at", Instant.ofEpochMilli(entry.at.toEpochMilli()).toString())
            .put("version", entry.version)
            .put("versionBefore", change.getVersionBefore())
            .put("root", entry.root.toString())
            .put("edges", entry.edges)
            .put("weightMillis", entry.weightMicros / 1e3)
            .put("durationMillis", change.getDurationMicros() / 1e3)
            .put("messagesSent", change.getMessagesSent());
    ArrayNode causes = json.putArray("causes");
    change.getCausesList().forEach(causes::add);
    addEdges(json.putArray("removed"), change.getRemovedList());
    json.put("removedMore", entry.removedMore);
    addEdges(json.putArray("added"), change.getAddedList());
    return json.put("addedMore", entry.addedMore);
  }

  private static void addEdges(ArrayNode json, List<io.treecast.proto.v1.LinkWeight> edges) {
    for (io.treecast.proto.v1.LinkWeight edge : edges) {
      json.addObject()
          .put("a", edge.getLow())
          .put("b", edge.getHigh())
          .put("weightMillis", edge.getCost() / 1e3);
    }
  }
}
