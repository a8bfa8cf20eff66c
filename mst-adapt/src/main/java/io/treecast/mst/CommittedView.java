package io.treecast.mst;

import io.treecast.ghs.Edge;
import io.treecast.ghs.FragmentMap;
import io.treecast.ghs.History;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.MemberList;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Round;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A committed tree, indexed for certification: the parent, depth and parent edge of each member.
 * Immutable; nodes in one address space may share it.
 *
 * <p>Parents lead to the root of the fragment. It differs from the root of the tree if the fragment
 * was cut and has rejoined to the same tree, which then stays committed.
 *
 * <p>Members are numbered in preorder: each before those below it, children in their order. So a
 * member and all members below it are a range of numbers.
 *
 * <p>The weights are those that the members reported. They may be higher than the present weights,
 * because an edge that became lighter is not announced. They are lower than the present weights
 * only until an end of the edge notices.
 */
public final class CommittedView {
  private final Round round;
  private final NodeId root;
  private final CommittedTree tree;
  private final Set<ChangeCause> causes;

  /** The places by number. */
  private final List<Place> preorder = new ArrayList<>();

  /** The places by member, in the order of their numbers. */
  private final Map<NodeId, Place> places = new LinkedHashMap<>();

  private final MemberList members;

  /** The place of a member in the tree. The places of its children refer to it. */
  private static final class Place {
    /** The number in preorder, from 0. */
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

  /** A member to visit, from the place of its parent; null for the root. */
  private record Step(NodeId node, @Nullable Place from) {}

  /**
   * An edge on a path.
   *
   * @param lowerEnd the end that is further from the root
   */
  record PathEdge(NodeId lowerEnd, LinkWeight weight) {}

  /** The view of a tree that its root commits. */
  public CommittedView(Round round, CommittedTree tree, Set<ChangeCause> causes) {
    this(round, tree.root(), tree, causes);
  }

  /**
   * The view of a tree.
   *
   * @param round the search that committed it
   * @param root the root of the fragment
   * @param tree the tree
   * @param causes why the tree changed, or was searched for again
   * @throws IllegalArgumentException if the root is not a member of the tree
   */
  public CommittedView(Round round, NodeId root, CommittedTree tree, Set<ChangeCause> causes) {
    if (!tree.hasMember(root)) {
      throw new IllegalArgumentException("the root " + root + " is not a member of " + tree);
    }
    this.round = round;
    this.root = root;
    this.tree = tree;
    this.causes = causes;
    Map<Edge, LinkWeight> edges = new HashMap<>();
    tree.edges().forEach(edge -> edges.put(Edge.of(edge), edge));
    Deque<Step> open = new ArrayDeque<>();
    open.push(new Step(root, null));
    while (!open.isEmpty()) {
      Step step = open.pop();
      NodeId node = step.node;
      LinkWeight parentEdge =
          step.from == null ? null : edges.get(Edge.between(node, step.from.member));
      Place place = new Place(preorder.size(), node, step.from, parentEdge);
      places.put(node, place);
      preorder.add(place);
      List<NodeId> neighbours = tree.neighbours(node);
      for (int i = neighbours.size() - 1; i >= 0; i--) {
        NodeId next = neighbours.get(i);
        if (step.from == null || !next.equals(step.from.member)) {
          open.push(new Step(next, place));
        }
      }
    }
    this.members = MemberList.backedBy(places.keySet());
  }

  /**
   * The view of the tree in the root's map. If it is the tree that all members have, it keeps its
   * version, so references to it stay valid.
   *
   * @param last the last view at the root; null before the first
   */
  static CommittedView of(
      Round round,
      NodeId root,
      long rootIncarnation,
      FragmentMap map,
      @Nullable CommittedView last) {
    ChangeHistory history = ChangeHistory.of(map.history());
    if (last != null && last.tree.name().equals(history.common()) && last.consistsOf(map.edges())) {
      return new CommittedView(round, root, last.tree, history.causes());
    }
    return new CommittedView(
        round,
        new CommittedTree(history.version() + 1, root, rootIncarnation, map.edges()),
        history.causes());
  }

  /** The search that committed it. The protocol identifies the tree by it. */
  public Round round() {
    return round;
  }

  /** The root of the fragment, to which parents lead. */
  public NodeId root() {
    return root;
  }

  public CommittedTree tree() {
    return tree;
  }

  /** Why the tree changed. */
  public Set<ChangeCause> causes() {
    return causes;
  }

  /** All members, in the order of their numbers. */
  public MemberList members() {
    return members;
  }

  /** The number of members. */
  public int size() {
    return preorder.size();
  }

  /** The member of that number; the root is 0. */
  public NodeId member(int number) {
    return preorder.get(number).member;
  }

  /** The number of a node; -1 if it is not a member. */
  public int number(NodeId node) {
    Place place = places.get(node);
    return place == null ? -1 : place.number;
  }

  public boolean hasMember(NodeId node) {
    return places.containsKey(node);
  }

  /** Whether the tree has this edge with this weight. */
  public boolean hasEdge(LinkWeight edge) {
    return lowerEnd(edge) != null;
  }

  private @Nullable Place lowerEnd(LinkWeight edge) {
    Place low = places.get(edge.low());
    if (low != null && edge.equals(low.parentEdge)) {
      return low;
    }
    Place high = places.get(edge.high());
    return high != null && edge.equals(high.parentEdge) ? high : null;
  }

  /** Whether these are exactly the edges of the tree with their weights, in any order. */
  public boolean consistsOf(Collection<LinkWeight> edges) {
    BitSet found = new BitSet(size());
    for (LinkWeight edge : edges) {
      Place lowerEnd = lowerEnd(edge);
      if (lowerEnd == null) {
        return false;
      }
      found.set(lowerEnd.number);
    }
    return edges.size() == size() - 1 && found.cardinality() == edges.size();
  }

  /** The number of the next member towards the root; -1 at the root. */
  public int parentNumber(int number) {
    Place parent = preorder.get(number).parent;
    return parent == null ? -1 : parent.number;
  }

  /** The committed weight of a member's edge towards the root; null at the root. */
  public @Nullable LinkWeight parentEdge(int number) {
    return preorder.get(number).parentEdge;
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
   * @param learned weights that are newer than the committed ones, by the lower end of the edge
   */
  @Nullable PathEdge heaviestBetween(NodeId one, NodeId other, Map<NodeId, LinkWeight> learned) {
    LinkWeight heaviest = null;
    NodeId lowerEnd = null;
    Place a = place(one);
    Place b = place(other);
    while (a != b) {
      Place lower = a.depth < b.depth ? b : a;
      if (lower.parent == null || lower.parentEdge == null) {
        throw new IllegalStateException(
            lower.member + " is below another member, but has no parent");
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
      throw new IllegalArgumentException(member + " is not a member of " + tree);
    }
    return place;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof CommittedView that
            && round.equals(that.round)
            && root.equals(that.root)
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
