package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

/**
 * A tree that all its members know: the content of one commit. Immutable.
 *
 * <p>Its members are the root and the ends of the edges. A single node is a tree without edges.
 */
public final class CommittedTree {
  private final long version;
  private final NodeId root;
  private final long rootIncarnation;
  private final List<LinkWeight> edges;
  private final Map<NodeId, List<NodeId>> neighbours = new HashMap<>();
  private final Map<NodeId, NodeId> parents;
  private final SortedSet<NodeId> members;

  /**
   * Checks that the edges are a tree that contains the root.
   *
   * @param version grows with each commit that a member sees; at least 1
   * @param root the member that announced the commit
   * @param edges the links of the tree, with the weights from which it was built, in any order
   * @throws IllegalArgumentException if the edges do not form a tree that contains the root
   */
  public CommittedTree(long version, NodeId root, Iterable<LinkWeight> edges) {
    this(version, root, 0, edges);
  }

  /**
   * Creates a tree that was announced in one incarnation of its root. Version, root and incarnation
   * identify the tree: in one incarnation a root announces no version twice, but after restarts,
   * the version and root of a remembered tree may recur.
   *
   * @param rootIncarnation incarnation of the root; 0 where that does not matter
   * @throws IllegalArgumentException if the edges do not form a tree that contains the root
   */
  public CommittedTree(
      long version, NodeId root, long rootIncarnation, Iterable<LinkWeight> edges) {
    if (version < 1) {
      throw new IllegalArgumentException("tree version " + version + " is less than 1");
    }
    this.version = version;
    this.root = root;
    this.rootIncarnation = rootIncarnation;
    this.edges = StreamSupport.stream(edges.spliterator(), false).sorted().distinct().toList();
    neighbours.put(root, new ArrayList<>());
    for (LinkWeight edge : this.edges) {
      neighbours.computeIfAbsent(edge.low(), id -> new ArrayList<>()).add(edge.high());
      neighbours.computeIfAbsent(edge.high(), id -> new ArrayList<>()).add(edge.low());
    }
    neighbours.replaceAll((id, list) -> list.stream().sorted().toList());
    this.parents = parentsFrom(root);
    if (neighbours.size() != this.edges.size() + 1 || parents.size() != neighbours.size()) {
      throw new IllegalArgumentException(
          "%s edges between %s nodes are not one tree with root %s"
              .formatted(this.edges.size(), neighbours.size(), root));
    }
    this.members = Collections.unmodifiableSortedSet(new TreeSet<>(neighbours.keySet()));
  }

  private Map<NodeId, NodeId> parentsFrom(NodeId top) {
    Map<NodeId, NodeId> found = new HashMap<>();
    found.put(top, top);
    List<NodeId> reached = new ArrayList<>(List.of(top));
    for (int i = 0; i < reached.size(); i++) {
      NodeId node = reached.get(i);
      for (NodeId next : neighbours(node)) {
        if (found.putIfAbsent(next, node) == null) {
          reached.add(next);
        }
      }
    }
    return Collections.unmodifiableMap(found);
  }

  /** Grows with each commit that a member sees; at least 1. */
  public long version() {
    return version;
  }

  /** The member that announced the commit. */
  public NodeId root() {
    return root;
  }

  /** The incarnation of the root that announced the commit. */
  public long rootIncarnation() {
    return rootIncarnation;
  }

  public TreeName name() {
    return new TreeName(version, root, rootIncarnation);
  }

  /** The edges, lightest first. */
  public List<LinkWeight> edges() {
    return edges;
  }

  /** All members, in their order. */
  public SortedSet<NodeId> members() {
    return members;
  }

  public boolean hasMember(NodeId node) {
    return neighbours.containsKey(node);
  }

  /** Whether these two nodes share an edge, whatever its weight. */
  public boolean hasEdge(NodeId one, NodeId other) {
    return !one.equals(other)
        && (Objects.equals(parents.get(other), one) || Objects.equals(parents.get(one), other));
  }

  /**
   * The nodes that share an edge with this member, in their order; empty for a node that is not a
   * member.
   */
  public List<NodeId> neighbours(NodeId member) {
    return neighbours.getOrDefault(member, List.of());
  }

  /** Sum of the edges' weights, in microseconds of round-trip time. */
  public long weightMicros() {
    return edges.stream().mapToLong(LinkWeight::cost).sum();
  }

  /**
   * For each member but the root, its neighbour on the way to the root. The root maps to itself.
   */
  public Map<NodeId, NodeId> parents() {
    return parents;
  }

  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    return other instanceof CommittedTree that
        && version == that.version
        && root.equals(that.root)
        && rootIncarnation == that.rootIncarnation
        && edges.equals(that.edges);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(version) * 31 + edges.hashCode();
  }

  /** For example {@code v1 root 12, 23 edges}. */
  @Override
  public String toString() {
    return "v" + version + " root " + root + ", " + edges.size() + " edges";
  }
}
