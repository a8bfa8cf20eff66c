package io.treecast.cli.tree;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The outline of a committed tree's drawing: the node above each node, the leaves that share a
 * line, and the nodes that are counted instead of drawn. Single-threaded.
 *
 * <p>Lines are allocated level by level from the root, so the part near the root is always drawn. A
 * line with hidden nodes below it needs one more line for their count.
 */
final class TreeOutline {

  /**
   * A line: the root, one node below another, or several leaves of one site below the same node.
   */
  static final class Branch {
    private final List<NodeId> nodes = new ArrayList<>();
    private final List<LinkWeight> edges = new ArrayList<>();
    private final List<Branch> children = new ArrayList<>();
    private final int depth;
    private int shownChildren;

    /** Number of nodes on this line and below. */
    private int size;

    private Branch(int depth) {
      this.depth = depth;
    }

    private void add(NodeId node) {
      nodes.add(node);
      size++;
    }

    /** Returns the nodes of the line in order; several nodes are always leaves. */
    List<NodeId> nodes() {
      return nodes.stream().sorted().toList();
    }

    /** Returns the edges from the nodes upwards, lightest first; empty at the root. */
    List<LinkWeight> edges() {
      return edges;
    }

    /** Returns the lines below that are drawn. */
    List<Branch> shown() {
      return children.subList(0, shownChildren);
    }

    /** Returns the number of hidden nodes below, without those below drawn lines. */
    int hiddenNodes() {
      return children.subList(shownChildren, children.size()).stream()
          .mapToInt(branch -> branch.size)
          .sum();
    }

    /** Returns the number of lines if this line is drawn and none below it. */
    private int lines() {
      return children.isEmpty() ? 1 : 2;
    }
  }

  private final CommittedTree tree;
  private final Sites sites;
  private final Branch root;

  /**
   * Selects the lines to draw.
   *
   * @param maxLines the limit of lines, at least 2
   * @param maxDepth the deepest level, in edges from the root, at least 1
   */
  TreeOutline(CommittedTree tree, Sites sites, int maxLines, int maxDepth) {
    this.tree = tree;
    this.sites = sites;
    this.root = grow();
    giveRoom(maxLines, maxDepth);
  }

  Branch root() {
    return root;
  }

  private Branch grow() {
    Map<NodeId, List<LinkWeight>> edgesBelow = edgesBelow();
    Branch top = new Branch(0);
    top.add(tree.root());
    List<Branch> topDown = new ArrayList<>(List.of(top));
    for (int i = 0; i < topDown.size(); i++) {
      Branch branch = topDown.get(i);
      // Only leaves share a line, so the first node represents all.
      NodeId node = branch.nodes.get(0);
      Map<String, Branch> leavesBySite = new HashMap<>();
      for (LinkWeight edge : edgesBelow.getOrDefault(node, List.of())) {
        NodeId child = edge.opposite(node);
        String site = sites.siteOf(child);
        Branch line =
            site != null && !edgesBelow.containsKey(child)
                ? leavesBySite.computeIfAbsent(site, any -> addBelow(branch, topDown))
                : addBelow(branch, topDown);
        line.add(child);
        line.edges.add(edge);
      }
    }
    for (int i = topDown.size() - 1; i >= 0; i--) {
      Branch branch = topDown.get(i);
      branch.size += branch.children.stream().mapToInt(child -> child.size).sum();
    }
    return top;
  }

  private static Branch addBelow(Branch branch, List<Branch> topDown) {
    Branch child = new Branch(branch.depth + 1);
    branch.children.add(child);
    topDown.add(child);
    return child;
  }

  /** Returns the edges to the nodes below each node, lightest first. */
  private Map<NodeId, List<LinkWeight>> edgesBelow() {
    Map<NodeId, NodeId> parents = tree.parents();
    Map<NodeId, List<LinkWeight>> edgesBelow = new HashMap<>();
    for (LinkWeight edge : tree.edges()) {
      NodeId upper =
          Objects.equals(edge.low(), parents.get(edge.high())) ? edge.low() : edge.high();
      edgesBelow.computeIfAbsent(upper, any -> new ArrayList<>()).add(edge);
    }
    return edgesBelow;
  }

  private void giveRoom(int maxLines, int maxDepth) {
    int lines = root.lines();
    ArrayDeque<Branch> nearestFirst = new ArrayDeque<>(List.of(root));
    while (!nearestFirst.isEmpty()) {
      Branch branch = nearestFirst.remove();
      if (branch.depth == maxDepth || branch.children.isEmpty()) {
        continue;
      }
      // A branch drawn in full does not need the line with the count of hidden nodes.
      int whole = branch.children.stream().mapToInt(Branch::lines).sum() - 1;
      if (lines + whole <= maxLines) {
        branch.shownChildren = branch.children.size();
        lines += whole;
      } else {
        while (lines + branch.children.get(branch.shownChildren).lines() <= maxLines) {
          lines += branch.children.get(branch.shownChildren++).lines();
        }
      }
      nearestFirst.addAll(branch.shown());
    }
  }
}
