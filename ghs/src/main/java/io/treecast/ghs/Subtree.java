package io.treecast.ghs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The echo of a search: the members and tree edges from one node downwards, as they answered.
 * Immutable; the echo of a node shares the echoes of its children.
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
   * @param parentEdge its edge towards the root, with the weight that the node knew; null at the
   *     root
   * @param children the echoes of its children, in any order
   * @throws IllegalArgumentException if the parent edge does not end at the node, or the parent
   *     edge of a child does not join the two
   */
  public Subtree(NodeId node, @Nullable LinkWeight parentEdge, List<Subtree> children) {
    if (parentEdge != null && !parentEdge.touches(node)) {
      throw new IllegalArgumentException("the parent edge of " + node + " is " + parentEdge);
    }
    for (Subtree child : children) {
      LinkWeight edge = child.parentEdge;
      if (edge == null || child.node.equals(node) || !edge.touches(node)) {
        throw new IllegalArgumentException(
            "the edge of " + child.node + " to its parent " + node + " is " + edge);
      }
    }
    this.node = node;
    this.parentEdge = parentEdge;
    this.children = children.stream().sorted(Comparator.comparing(Subtree::node)).toList();
    this.size = 1 + this.children.stream().mapToInt(Subtree::size).sum();
  }

  /** The node at the top. */
  public NodeId node() {
    return node;
  }

  /** Its edge towards the root, which is not part of the subtree; null at the root. */
  public @Nullable LinkWeight parentEdge() {
    return parentEdge;
  }

  /**
   * The subtrees below the node, in the order of the children's ids. A child that answered in two
   * incarnations occurs twice.
   */
  public List<Subtree> children() {
    return children;
  }

  /** The number of nodes. */
  public int size() {
    return size;
  }

  /** All nodes of the subtree, each before the nodes below it. */
  public List<NodeId> nodes() {
    return flat().stream().map(Subtree::node).toList();
  }

  /** This subtree and all within it, each before those below it. Not recursive: trees are deep. */
  public List<Subtree> flat() {
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

  /** Not recursive: trees are deep. */
  @Override
  public boolean equals(@Nullable Object other) {
    if (this == other) {
      return true;
    }
    return other instanceof Subtree that && parts(flat()).equals(parts(that.flat()));
  }

  private static List<Part> parts(List<Subtree> flat) {
    return flat.stream()
        .map(part -> new Part(part.node, part.parentEdge, part.children.size()))
        .toList();
  }

  /** A node with the number of its children: in preorder, these define the tree. */
  private record Part(NodeId node, @Nullable LinkWeight parentEdge, int children) {}

  @Override
  public int hashCode() {
    return Objects.hash(node, parentEdge, children.size());
  }

  @Override
  public String toString() {
    return "below " + node + " " + nodes();
  }
}
