package io.treecast.ghs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The root's knowledge of its fragment: members, tree edges with their weights, and history. The
 * map moves with the root, and Connect hands it to the other fragment.
 *
 * <p>After a search, the map contains the members' answers. After a cut it is a guess: the last
 * answers without the part that was cut off. A wrong guess costs another search, but never
 * correctness. Immutable.
 */
public final class FragmentMap {
  private final MemberList members;
  private final Map<Edge, LinkWeight> edges;
  private final History history;

  private FragmentMap(MemberList members, Map<Edge, LinkWeight> edges, History history) {
    this.members = members;
    this.edges = edges;
    this.history = history;
  }

  /**
   * The map with these members and edges.
   *
   * @throws IllegalArgumentException if there are too many members, or more edges than members
   */
  public static FragmentMap of(MemberList members, Collection<LinkWeight> edges, History history) {
    if (edges.size() > members.size()) {
      throw new IllegalArgumentException(
          edges.size() + " tree edges between " + members.size() + " members");
    }
    LinkedHashMap<Edge, LinkWeight> byName = new LinkedHashMap<>();
    edges.forEach(edge -> byName.put(Edge.of(edge), edge));
    return new FragmentMap(members, byName, history);
  }

  /** The fragment of one node. */
  public static FragmentMap alone(NodeId node) {
    return new FragmentMap(MemberList.of(node), Map.of(), History.NONE);
  }

  /** The map of the nodes that answered a search. The edge that leads out of them is not in it. */
  static FragmentMap of(Subtree subtree, History history) {
    List<NodeId> nodes = new ArrayList<>(List.of(subtree.node()));
    LinkedHashMap<Edge, LinkWeight> edges = new LinkedHashMap<>();
    List<Subtree> all = subtree.flat();
    for (Subtree part : all.subList(1, all.size())) {
      nodes.add(part.node());
      LinkWeight edge = part.parentEdge();
      if (edge != null) {
        edges.put(Edge.of(edge), edge);
      }
    }
    return new FragmentMap(MemberList.of(nodes), edges, history);
  }

  public MemberList members() {
    return members;
  }

  /** The tree edges of the fragment. */
  public Collection<LinkWeight> edges() {
    return Collections.unmodifiableCollection(edges.values());
  }

  /** The contribution of its members to the next commit. */
  public History history() {
    return history;
  }

  /** The part that is still connected with the node without these edges: at least the node. */
  FragmentMap componentOf(NodeId node, Set<Edge> lostEdges) {
    Map<NodeId, List<LinkWeight>> incident = new HashMap<>();
    edges.forEach(
        (name, edge) -> {
          if (!lostEdges.contains(name)) {
            incident.computeIfAbsent(edge.low(), id -> new ArrayList<>()).add(edge);
            incident.computeIfAbsent(edge.high(), id -> new ArrayList<>()).add(edge);
          }
        });
    LinkedHashSet<NodeId> reached = new LinkedHashSet<>(List.of(node));
    LinkedHashMap<Edge, LinkWeight> kept = new LinkedHashMap<>();
    Deque<NodeId> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      NodeId next = open.remove();
      for (LinkWeight edge : incident.getOrDefault(next, List.of())) {
        kept.put(Edge.of(edge), edge);
        if (reached.add(edge.opposite(next))) {
          open.add(edge.opposite(next));
        }
      }
    }
    return new FragmentMap(MemberList.of(reached), kept, history);
  }

  /** This fragment and another one, joined by a link. */
  FragmentMap joinedWith(FragmentMap other, LinkWeight link) {
    LinkedHashMap<Edge, LinkWeight> union = new LinkedHashMap<>(edges);
    union.putAll(other.edges);
    union.put(Edge.of(link), link);
    return new FragmentMap(members.union(other.members), union, history.joinedWith(other.history));
  }

  /** Whether the edges connect exactly the members without a cycle. */
  boolean isSpanningTree() {
    if (edges.size() != members.size() - 1) {
      return false;
    }
    MemberList reached = componentOf(members.iterator().next(), Set.of()).members;
    return reached.size() == members.size() && reached.containsAll(members);
  }

  /** Equal if members, edges and history are equal, in any order. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof FragmentMap that
            && members.equals(that.members)
            && edges.equals(that.edges)
            && history.equals(that.history));
  }

  @Override
  public int hashCode() {
    return Objects.hash(members, edges, history);
  }

  /** The number of members and edges. */
  @Override
  public String toString() {
    return members.size() + " members, " + edges.size() + " edges";
  }
}
