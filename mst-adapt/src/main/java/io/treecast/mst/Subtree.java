package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members and tree edges from one node downwards, as they answered one search. Immutable; the
 * echo of a node shares the echoes of its children.
 */
public final class Subtree {
  private final NodeId node;
  private final @Nullable LinkWeight parentEdge;
  private final List<Subtree> children;
  private final int size;

  /**
   * The echo of a node.
   *
   * @param node the node
   * @param parentEdge its edge towards the root, with the weight that it knew; null at the root
   * @param children the echoes of its children
   */
  public Subtree(NodeId node, @Nullable LinkWeight parentEdge, List<Subtree> children) {
    this.node = node;
    this.parentEdge = parentEdge;
    this.children = List.copyOf(children);
    this.size = 1 + this.children.stream().mapToInt(Subtree::size).sum();
  }

  /** The node at the top. */
  public NodeId node() {
    return node;
  }

  /** The edge from there towards the root, which is not part of the subtree; null at the root. */
  public @Nullable LinkWeight parentEdge() {
    return parentEdge;
  }

  /** What is below the node. */
  public List<Subtree> children() {
    return children;
  }

  /** How many nodes it has. */
  public int size() {
    return size;
  }

  /** All nodes of the subtree, each before those below it. */
  List<NodeId> nodes() {
    return flat().stream().map(Subtree::node).toList();
  }

  /** This subtree and all within it, each before those below it. Not recursive: trees are deep. */
  List<Subtree> flat() {
    List<Subtree> all = new ArrayList<>();
    Deque<Subtree> open = new ArrayDeque<>();
    open.push(this);
    while (!open.isEmpty()) {
      Subtree next = open.pop();
      all.add(next);
      next.children.forEach(open::push);
    }
    return all;
  }

  @Override
  public String toString() {
    return "below " + node + " " + nodes();
  }
}
