package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A committed tree, indexed for certification: who is whose parent, how deep, over which edge.
 * Immutable; nodes in one address space may share it.
 *
 * <p>Members are numbered in preorder, each before those below it and children in their order, so
 * that a member and all below it are a range of numbers.
 *
 * <p>Its weights are those that the members answered. They may be higher than the present ones, for
 * an edge that became lighter tells nobody, but not lower for longer than it takes an end to
 * notice.
 */
public final class CommittedView {
  private final Round round;
  private final CommittedTree tree;
  private final Set<ChangeCause> causes;
  private final List<NodeId> preorder = new ArrayList<>();
  private final MemberList members;
  private final Map<NodeId, Place> places = new HashMap<>();

  /** Where a member is in the tree: one object for each member, which its children refer to. */
  private static final class Place {
    /** Its place in preorder, from 0. */
    private final int number;

    private final NodeId member;
    private final int depth;

    /** The place of the next node towards the root, and the edge to it; null at the root. */
    private final @Nullable Place parent;

    private final @Nullable LinkWeight parentEdge;

    Place(int number, NodeId member, @Nullable Place parent, @Nullable LinkWeight parentEdge) {
      this.number = number;
      this.member = member;
      this.depth = parent == null ? 0 : parent.depth + 1;
      this.parent = parent;
      this.parentEdge = parentEdge;
    }
  }

  /** A member that is reached next, from its parent; null for the root. */
  private record Step(NodeId node, @Nullable Place from, @Nullable LinkWeight over) {}

  /**
   * An edge on a path.
   *
   * @param lowerEnd the end that is further from the root
   */
  record PathEdge(NodeId lowerEnd, LinkWeight weight) {}

  /**
   * The view of a tree.
   *
   * @param round the search that committed it
   * @param tree the tree
   * @param causes what led to it
   */
  public CommittedView(Round round, CommittedTree tree, Set<ChangeCause> causes) {
    this.round = round;
    this.tree = tree;
    this.causes = causes;
    Map<NodeId, List<LinkWeight>> incident = new HashMap<>();
    for (LinkWeight edge : tree.edges()) {
      incident.computeIfAbsent(edge.low(), id -> new ArrayList<>()).add(edge);
      incident.computeIfAbsent(edge.high(), id -> new ArrayList<>()).add(edge);
    }
    Deque<Step> open = new ArrayDeque<>();
    open.push(new Step(tree.root(), null, null));
    while (!open.isEmpty()) {
      Step step = open.pop();
      NodeId node = step.node;
      Place place = new Place(preorder.size(), node, step.from, step.over);
      places.put(node, place);
      preorder.add(node);
      List<LinkWeight> edges = incident.getOrDefault(node, new ArrayList<>());
      edges.sort(Comparator.comparing((LinkWeight edge) -> edge.opposite(node)).reversed());
      for (LinkWeight edge : edges) {
        if (!edge.equals(step.over)) {
          open.push(new Step(edge.opposite(node), place, edge));
        }
      }
    }
    this.members = MemberList.of(preorder);
  }

  /** The view of the tree that the root's map is. */
  static CommittedView of(Round round, NodeId root, FragmentMap map) {
    History history = map.history();
    return new CommittedView(
        round, new CommittedTree(history.version() + 1, root, map.edges()), history.causes());
  }

  /** The search that committed it: the version that the protocol goes by. */
  public Round round() {
    return round;
  }

  /** The tree. */
  public CommittedTree tree() {
    return tree;
  }

  /** What led to it. */
  public Set<ChangeCause> causes() {
    return causes;
  }

  MemberList members() {
    return members;
  }

  /** The number of members. */
  public int size() {
    return preorder.size();
  }

  /** The member of that number; the root is 0. */
  public NodeId member(int number) {
    return preorder.get(number);
  }

  /** The number of a node; -1 if it is no member. */
  public int number(NodeId node) {
    Place place = places.get(node);
    return place == null ? -1 : place.number;
  }

  public boolean hasMember(NodeId node) {
    return places.containsKey(node);
  }

  /** The committed weight of a member's edge towards the root; null at the root. */
  public @Nullable LinkWeight parentEdge(NodeId member) {
    return place(member).parentEdge;
  }

  /** The next node towards the root; null at the root. */
  public @Nullable NodeId parent(NodeId member) {
    Place parent = place(member).parent;
    return parent == null ? null : parent.member;
  }

  /** The neighbours of a member away from the root, in their order. */
  List<NodeId> children(NodeId member) {
    NodeId parent = parent(member);
    return tree.neighbours(member).stream().filter(next -> !Objects.equals(next, parent)).toList();
  }

  /** The committed tree from a member downwards. */
  FragmentMap subtree(NodeId top) {
    List<NodeId> nodes = new ArrayList<>(List.of(top));
    List<LinkWeight> edges = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      for (NodeId child : children(nodes.get(i))) {
        nodes.add(child);
        LinkWeight edge = parentEdge(child);
        if (edge != null) {
          edges.add(edge);
        }
      }
    }
    return FragmentMap.of(MemberList.of(nodes), edges, History.NONE);
  }

  /**
   * The heaviest edge of the path between two members; null if they are the same.
   *
   * @param learned by lower end, weights that are newer than the committed ones
   */
  @Nullable PathEdge heaviestBetween(NodeId one, NodeId other, Map<NodeId, LinkWeight> learned) {
    LinkWeight heaviest = null;
    NodeId lowerEnd = null;
    Place a = place(one);
    Place b = place(other);
    while (a != b) {
      Place lower = a.depth < b.depth ? b : a;
      if (lower.parent == null || lower.parentEdge == null) {
        throw new IllegalStateException(lower.member + " is below another member without a parent");
      }
      LinkWeight weight =
          learned.isEmpty()
              ? lower.parentEdge
              : learned.getOrDefault(lower.member, lower.parentEdge);
      if (heaviest == null || weight.compareTo(heaviest) > 0) {
        heaviest = weight;
        lowerEnd = lower.member;
      }
      if (lower == a) {
        a = lower.parent;
      } else {
        b = lower.parent;
      }
    }
    return heaviest == null || lowerEnd == null ? null : new PathEdge(lowerEnd, heaviest);
  }

  /** The neighbour of a member that is next on the path to another member. */
  NodeId nextHop(NodeId here, NodeId target) {
    Place from = place(here);
    Place step = place(target);
    while (step.depth > from.depth + 1) {
      step = parentOf(step);
    }
    boolean isBelow = step.parent == from;
    return isBelow ? step.member : parentOf(from).member;
  }

  private static Place parentOf(Place place) {
    if (place.parent == null) {
      throw new IllegalArgumentException(
          "no path leads from the root " + place.member + " upwards");
    }
    return place.parent;
  }

  private Place place(NodeId member) {
    Place place = places.get(member);
    if (place == null) {
      throw new IllegalArgumentException(member + " is no member of " + tree);
    }
    return place;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof CommittedView that
            && round.equals(that.round)
            && causes.equals(that.causes)
            && tree.equals(that.tree));
  }

  @Override
  public int hashCode() {
    return round.hashCode() * 31 + tree.hashCode();
  }

  /** The tree, and the search that committed it. */
  @Override
  public String toString() {
    return tree + " by " + round;
  }
}
