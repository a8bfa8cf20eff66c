package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where one node stands: its links, its fragment, its tree edges. The parts of the node share it;
 * it decides nothing. Used in the node's thread only.
 */
final class NodeState {
  /**
   * One end of a tree edge.
   *
   * @param peer the other end
   * @param edge the Connect that made the edge
   */
  record Attachment(NodeId peer, ConnectId edge) {}

  final NodeId self;
  final long incarnation;
  final RankedTree.Effects effects;
  final LinkTable links;
  final CauseLog causes = new CauseLog();

  /** By neighbour, the Connect that made the edge. */
  final TreeMap<NodeId, ConnectId> children = new TreeMap<>();

  /**
   * Tree edges that the node has reported as lost to its parent since the last search or commit
   * that reached it. A search that is under way does not know of them.
   */
  final LinkedHashSet<Edge> lostEdges = new LinkedHashSet<>();

  /**
   * Who is probably dead. A link to him that is still up here is left out of searches, until
   * something is heard of him or the fragment commits: the other ends of a dead node's links notice
   * its death one after the other, and a search that meets a link before would have to be repeated.
   */
  final TreeSet<NodeId> suspects = new TreeSet<>();

  /** What is known of the fragment. Up to date at its root only. */
  FragmentMap map;

  /** Whether the root is to search again when it has the result of what it does now. */
  boolean roundRequested;

  private Round round;
  private @Nullable Attachment parent;
  private long fragmentsFounded;

  NodeState(NodeId self, long incarnation, RankedTree.Effects effects) {
    this.self = self;
    this.incarnation = incarnation;
    this.effects = effects;
    this.links = new LinkTable(self);
    this.map = FragmentMap.alone(self);
    this.round = new Round(found(Rank.LOWEST), 0);
  }

  Round round() {
    return round;
  }

  FragmentId fragment() {
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

  /** Founds a fragment with this node as its root, in a round before its first search. */
  void foundFragment(Rank rank) {
    enter(new Round(found(rank), 0));
  }

  private FragmentId found(Rank rank) {
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

  /** Whether the parent edge is the one that this Connect made. */
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

  /** Whether the edge to that child is the one that this Connect made. */
  boolean isChildEdge(NodeId peer, ConnectId edge) {
    return edge.equals(children.get(peer));
  }

  /** The present weight of the edge to the parent; null at a root. */
  @Nullable LinkWeight parentWeight() {
    return parent == null ? null : links.weight(parent.peer());
  }

  /** The fragment as far as it is still connected with this node without the lost edges. */
  FragmentMap without(FragmentMap known, Set<Edge> lost) {
    return lost.isEmpty() ? known : known.componentOf(self, lost);
  }

  void send(NodeId peer, RankedMessage message) {
    links.get(peer);
    effects.send(peer, message);
  }
}
