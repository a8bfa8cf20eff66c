package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
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
 * <p>Its weights are those that the members answered. They may be higher than the present ones, for
 * an edge that became lighter tells nobody, but not lower for longer than it takes an end to
 * notice.
 */
public final class CommittedView {
  private final Round round;
  private final CommittedTree tree;
  private final Set<ChangeCause> causes;
  private final MemberList members;
  private final Map<NodeId, Place> places = new HashMap<>();

  /** Where a member is in the tree: one object for each member, which its children refer to. */
  private static final class Place {
    private final NodeId member;
    private final int depth;

    /** The place of the next node towards the root, and the edge to it; null at the root. */
    private final @Nullable Place parent;

    private final @Nullable LinkWeight parentEdge;

    Place(NodeId member, int depth, @Nullable Place parent, @Nullable LinkWeight parentEdge) {
      this.member = member;
      this.depth = depth;
      this.parent = parent;
      this.parentEdge = parentEdge;
    }
  }

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
    places.put(tree.root(), new Place(tree.root(), 0, null, null));
    List<NodeId> reached = new ArrayList<>(List.of(tree.root()));
    for (int i = 0; i < reached.size(); i++) {
      Place place = place(reached.get(i));
      for (LinkWeight edge : incident.getOrDefault(place.member, List.of())) {
        NodeId next = edge.opposite(place.member);
        if (places.putIfAbsent(next, new Place(next, place.depth + 1, place, edge)) == null) {
          reached.add(next);
        }
      }
    }
    this.members = MemberList.of(reached);
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

  boolean hasMember(NodeId node) {
    return places.containsKey(node);
  }

  /** The committed weight of a member's edge towards the root; null at the root. */
  @Nullable LinkWeight parentEdge(NodeId member) {
    return place(member).parentEdge;
  }

  /** The next node towards the root; null at the root. */
  @Nullable NodeId parent(NodeId member) {
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

  /** The tree, and the search that committed it. */
  @Override
  public String toString() {
    return tree + " by " + round;
  }
}
