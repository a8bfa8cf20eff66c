package io.treecast.ghs;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A fragment as one of its nodes knows it: the node's links, its tree edges, and the fragment's
 * name and round. {@link Search}, {@link Connecting} and {@link Admission} share it; it decides
 * nothing.
 */
final class Fragment {
  /**
   * One end of a tree edge.
   *
   * @param peer the other end
   * @param edge the Connect that made the edge
   */
  record Attachment(NodeId peer, ConnectId edge) {}

  final NodeId self;
  final long incarnation;
  final TreeKeeper keeper;
  final LinkTable links;

  /** The Connect that made each edge, by child. */
  final TreeMap<NodeId, ConnectId> children = new TreeMap<>();

  /**
   * The tree edges that this node has reported as lost to its parent since the last search or
   * commit that reached it. A search under way does not know of them.
   */
  final LinkedHashSet<Edge> lostEdges = new LinkedHashSet<>();

  /**
   * Nodes suspected dead. Searches skip links to them that are still up here, until this node
   * receives a message from them or the fragment commits. The neighbours of a dead node detect its
   * death one after the other, and a search that used such a link would have to be repeated.
   */
  final TreeSet<NodeId> suspects = new TreeSet<>();

  /** The members and edges of the fragment. Up to date only at its root. */
  FragmentMap map;

  /** Whether the root must search again once its pending search or Connect has a result. */
  boolean searchRequested;

  private Round round;
  private @Nullable Attachment parent;
  private long fragmentsFounded;

  Fragment(NodeId self, long incarnation, TreeKeeper keeper) {
    this.self = self;
    this.incarnation = incarnation;
    this.keeper = keeper;
    this.links = new LinkTable(self);
    this.map = FragmentMap.alone(self);
    this.round = new Round(newId(Rank.LOWEST), 0);
  }

  Round round() {
    return round;
  }

  FragmentId id() {
    return round.fragment();
  }

  Rank rank() {
    return round.rank();
  }

  /**
   * Moves on to a round, of this or of another fragment.
   *
   * @throws IllegalStateException if the rank would fall
   */
  void enter(Round next) {
    if (next.rank().isLowerThan(rank())) {
      throw new IllegalStateException(
          "the rank of " + self + " would fall from " + round + " to " + next);
    }
    round = next;
  }

  /** Founds a fragment with this node as its root, in the round before its first search. */
  void found(Rank rank) {
    enter(new Round(newId(rank), 0));
  }

  private FragmentId newId(Rank rank) {
    fragmentsFounded++;
    return new FragmentId(rank, self, incarnation, fragmentsFounded);
  }

  boolean isRoot() {
    return parent == null;
  }

  @Nullable Attachment parent() {
    return parent;
  }

  boolean isParent(NodeId peer) {
    return parent != null && parent.peer().equals(peer);
  }

  /** Whether this Connect made the edge to the parent. */
  boolean isParentEdge(ConnectId edge) {
    return parent != null && parent.edge().equals(edge);
  }

  void attachTo(NodeId peer, ConnectId edge) {
    children.remove(peer);
    parent = new Attachment(peer, edge);
  }

  void detach() {
    parent = null;
  }

  boolean isTreeLink(NodeId peer) {
    return isParent(peer) || children.containsKey(peer);
  }

  /** Whether this Connect made the edge to that child. */
  boolean isChildEdge(NodeId peer, ConnectId edge) {
    return edge.equals(children.get(peer));
  }

  /** The present weight of the edge to the parent; null at a root. */
  @Nullable LinkWeight parentWeight() {
    return parent == null ? null : links.weight(parent.peer());
  }

  /** The part of a map that is still connected with this node without the lost edges. */
  FragmentMap without(FragmentMap known, Set<Edge> lost) {
    return lost.isEmpty() ? known : known.componentOf(self, lost);
  }

  void send(NodeId peer, GhsMessage message) {
    links.get(peer);
    keeper.send(peer, message);
  }
}
