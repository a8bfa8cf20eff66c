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

  /**
   * Where a member is in the tree.
   *
   * @param parent the next node towards the root, and the edge to it; null at the root
   */
  private record Place(int depth, @Nullable NodeId parent, @Nullable LinkWeight parentEdge) {}

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
    places.put(tree.root(), new Place(0, null, null));
    List<NodeId> reached = new ArrayList<>(List.of(tree.root()));
    for (int i = 0; i < reached.size(); i++) {
      NodeId node = reached.get(i);
      for (LinkWeight edge : incident.getOrDefault(node, List.of())) {
        NodeId next = edge.opposite(node);
        if (places.putIfAbsent(next, new Place(place(node).depth + 1, node, edge)) == null) {
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
    return place(member).parent;
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
    PathEdge heaviest = null;
    NodeId a = one;
    NodeId b = other;
    while (!a.equals(b)) {
      NodeId lower = place(a).depth < place(b).depth ? b : a;
      Place place = place(lower);
      if (place.parent == null || place.parentEdge == null) {
        throw new IllegalStateException(lower + " is below another member and has no parent");
      }
      LinkWeight weight = learned.getOrDefault(lower, place.parentEdge);
      if (heaviest == null || weight.compareTo(heaviest.weight) > 0) {
        heaviest = new PathEdge(lower, weight);
      }
      if (lower.equals(a)) {
        a = place.parent;
      } else {
        b = place.parent;
      }
    }
    return heaviest;
  }

  /** The neighbour of a member that is next on the path to another member. */
  NodeId nextHop(NodeId here, NodeId target) {
    int below = place(here).depth + 1;
    NodeId step = target;
    while (place(step).depth > below) {
      step = parentOf(step);
    }
    boolean isBelow = place(step).depth == below && Objects.equals(place(step).parent, here);
    return isBelow ? step : parentOf(here);
  }

  private NodeId parentOf(NodeId member) {
    NodeId parent = place(member).parent;
    if (parent == null) {
      throw new IllegalArgumentException("no path leads from the root " + member + " upwards");
    }
    return parent;
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
