package io.treecast.collectives.broadcast.tree;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The paths from one member to the others, along the committed tree. */
public final class TreePaths {
  /**
   * The path to one member.
   *
   * @param by the neighbour that the path begins with; the member itself for the path to itself
   * @param edges number of edges of the path
   * @param cost sum of the costs of the edges, as in {@link LinkWeight#cost}
   */
  public record Path(NodeId by, int edges, long cost) {}

  private final Path toSelf;
  private @Nullable CommittedTree tree;

  /** The paths by their ends; computed on first use. */
  private final TreeMap<NodeId, Path> paths = new TreeMap<>();

  /** Creates the paths of a member without a tree: there are none. */
  public TreePaths(NodeId self) {
    this.toSelf = new Path(self, 0, 0);
  }

  public void treeCommitted(CommittedTree committed) {
    tree = committed;
    paths.clear();
  }

  /** Returns the path to a node, or null if it is not a member of the tree. */
  @Nullable
  public Path to(NodeId node) {
    return all().get(node);
  }

  /** Returns the paths to all members, this one included. */
  public SortedMap<NodeId, Path> all() {
    if (paths.isEmpty() && tree != null) {
      find(tree);
    }
    return Collections.unmodifiableSortedMap(paths);
  }

  private void find(CommittedTree present) {
    Map<NodeId, List<LinkWeight>> edges = new HashMap<>();
    for (LinkWeight edge : present.edges()) {
      edges.computeIfAbsent(edge.low(), id -> new ArrayList<>()).add(edge);
      edges.computeIfAbsent(edge.high(), id -> new ArrayList<>()).add(edge);
    }
    NodeId self = toSelf.by();
    paths.put(self, toSelf);
    List<NodeId> reached = new ArrayList<>(List.of(self));
    for (int i = 0; i < reached.size(); i++) {
      NodeId node = reached.get(i);
      Path path = paths.getOrDefault(node, toSelf);
      for (LinkWeight edge : edges.getOrDefault(node, List.of())) {
        NodeId other = edge.opposite(node);
        NodeId by = node.equals(self) ? other : path.by();
        Path further = new Path(by, path.edges() + 1, path.cost() + edge.cost());
        if (paths.putIfAbsent(other, further) == null) {
          reached.add(other);
        }
      }
    }
  }
}
