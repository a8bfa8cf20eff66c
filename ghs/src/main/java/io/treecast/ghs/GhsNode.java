package io.treecast.ghs;

import io.treecast.ghs.GhsMessage.Cancel;
import io.treecast.ghs.GhsMessage.ChangeRoot;
import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Decline;
import io.treecast.ghs.GhsMessage.Hello;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.GhsMessage.Nack;
import io.treecast.ghs.GhsMessage.Report;
import io.treecast.ghs.GhsMessage.Wake;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * One node of distributed GHS, for the layer that keeps the tree.
 *
 * <p>The root of a fragment starts a search: Initiate goes down the tree, and Report brings up the
 * members and the minimum outgoing edge. If there is one, ChangeRoot moves the root to it, and the
 * new root sends Connect. A fragment of higher rank absorbs this one; two of equal rank that chose
 * the same edge merge into one of the next level. If no edge leaves the fragment, its tree is
 * complete, and the {@link TreeKeeper} learns of it.
 *
 * <p>The keeper notifies the node of its links, passes on the messages of neighbours, and commands
 * it when the tree loses an edge. After each event, when all calls for it are done, the keeper
 * calls {@link #answerOneWaiting} until it returns false, and {@link #checkInvariants}.
 */
public final class GhsNode {
  /** The role of a lost link in the tree, as seen from this node. */
  public enum LostLink {
    /** The edge to its parent. */
    PARENT,
    /** The edge to a child. */
    CHILD,
    /** A link outside the tree. */
    NO_TREE_EDGE
  }

  final Search search;
  final Connecting connecting;
  final Admission admission;

  private final Fragment fragment;
  private boolean started;

  /**
   * A node that has not started, without links.
   *
   * @param self its name
   * @param incarnation the incarnation of the node: higher than at any earlier start, at least 0
   * @param keeper receives the upcalls
   */
  public GhsNode(NodeId self, long incarnation, TreeKeeper keeper) {
    if (incarnation < 0) {
      throw new IllegalArgumentException("incarnation is " + incarnation + "; the least is 0");
    }
    fragment = new Fragment(self, incarnation, keeper);
    search = new Search(fragment, this);
    connecting = new Connecting(fragment, this);
    admission = new Admission(fragment, this);
  }

  // Events.

  /**
   * Starts as a fragment of one node.
   *
   * @throws IllegalStateException if it has started
   */
  public void start() {
    if (started) {
      throw new IllegalStateException(fragment.self + " was started twice");
    }
    started = true;
    search.start();
  }

  /**
   * A link is up. Before the start the node only remembers it.
   *
   * @throws IllegalArgumentException if the weight belongs to other ends
   * @throws IllegalStateException if the link is up already
   */
  public void linkUp(NodeId peer, long session, LinkWeight weight) {
    fragment.links.add(peer, session, weight);
    if (started) {
      fragment.suspects.remove(peer);
      fragment.send(peer, new Hello(fragment.id()));
    }
  }

  /**
   * A link is down, and messages in flight on it are lost. If it was a tree edge, the caller
   * decides what follows: see {@link #becomeRoot} and {@link #removeChild}.
   *
   * @param hasDied whether the peer is probably dead
   * @throws IllegalStateException if the link is not up
   */
  public LostLink linkDown(NodeId peer, boolean hasDied) {
    boolean wasParent = fragment.isParent(peer);
    boolean wasChild = fragment.children.containsKey(peer);
    fragment.links.remove(peer);
    admission.linkDown(peer);
    search.exclude(peer);
    if (!wasParent && !wasChild) {
      connecting.linkDown(peer);
      return LostLink.NO_TREE_EDGE;
    }
    if (hasDied) {
      fragment.suspects.add(peer);
    }
    if (connecting.isPendingWith(peer)) {
      connecting.forget();
    }
    return wasParent ? LostLink.PARENT : LostLink.CHILD;
  }

  /**
   * A link has another weight. The caller decides what follows.
   *
   * @throws IllegalArgumentException if the weight belongs to other ends
   * @throws IllegalStateException if the link is not up
   */
  public void reweigh(NodeId peer, LinkWeight weight) {
    fragment.links.reweigh(peer, weight);
  }

  /**
   * Clears the suspicion of a peer, which is alive.
   *
   * @return whether it was suspected; then the fragment may have sent Connect over another link,
   *     and two fragments that connect over different links could wait for each other for ever
   */
  public boolean clearSuspicion(NodeId peer) {
    return fragment.suspects.remove(peer);
  }

  /**
   * A message has arrived over a link that is up.
   *
   * @throws TreeViolation if no correct neighbour sends it
   */
  public void receive(NodeId peer, GhsMessage message) throws TreeViolation {
    message.visit(new Dispatch(peer));
  }

  // Commands.

  /** Requests another search: an edge may leave the fragment that the last one did not see. */
  public void wake() {
    search.wake();
  }

  /** Makes this node the root of a new fragment, which is the part of the old one below it. */
  public void becomeRoot() {
    search.startAsRoot(search.ownSubtree());
  }

  /** Makes this root the root of a new fragment, which is the old one without an edge. */
  public void becomeRootWithout(Edge edge) {
    Set<Edge> lost = new LinkedHashSet<>(fragment.lostEdges);
    lost.add(edge);
    search.startAsRoot(fragment.map.componentOf(fragment.self, lost));
  }

  /** Remembers a lost edge that this node reports to its parent. */
  public void noteLost(Edge edge) {
    fragment.lostEdges.add(edge);
  }

  /** Removes a child whose edge is gone. */
  public void removeChild(NodeId child) {
    fragment.children.remove(child);
    search.exclude(child);
  }

  /** Makes searches skip links to a node that is probably dead. */
  public void suspect(NodeId suspected) {
    search.suspect(suspected);
  }

  /** Whether the node must follow a message over this edge: its parent's, or an offer to it. */
  public boolean isToBeFollowed(NodeId peer, ConnectId edge, Rank rank) {
    return connecting.isToBeFollowed(peer, edge, rank);
  }

  /**
   * Follows the parent, or accepts or declines the offer that answers this node's Connect.
   *
   * @return whether the node must follow the message
   * @throws TreeViolation if the parent's rank is lower than this node's
   */
  public boolean follow(NodeId peer, ConnectId edge, Rank rank) throws TreeViolation {
    return connecting.follow(peer, edge, rank);
  }

  /** Enters the round that a parent's message names, and drops a request for another search. */
  public void enter(Round round) {
    fragment.searchRequested = false;
    fragment.enter(round);
  }

  /** The tree is complete, with these members. */
  public void completed(MemberList members) {
    fragment.lostEdges.clear();
    fragment.suspects.clear();
    search.end(members);
  }

  /**
   * Answers a waiting Connect that can now be decided.
   *
   * @return whether it answered one; that answer may decide others
   */
  public boolean answerOneWaiting() {
    return admission.answerOneWaiting();
  }

  // Queries.

  /** This node. */
  public NodeId self() {
    return fragment.self;
  }

  public long incarnation() {
    return fragment.incarnation;
  }

  /** Whether it has started. */
  public boolean hasStarted() {
    return started;
  }

  /** The present round of its fragment, as far as it knows. */
  public Round round() {
    return fragment.round();
  }

  /** The rank of its fragment, as far as it knows. Never falls. */
  public Rank rank() {
    return fragment.rank();
  }

  /** The next node towards the root of its fragment; null at the root. */
  public @Nullable NodeId parent() {
    Fragment.Attachment parent = fragment.parent();
    return parent == null ? null : parent.peer();
  }

  /** The Connect that made the edge to the parent; null at the root. */
  public @Nullable ConnectId parentEdge() {
    Fragment.Attachment parent = fragment.parent();
    return parent == null ? null : parent.edge();
  }

  public boolean isParent(NodeId peer) {
    return fragment.isParent(peer);
  }

  /** The present weight of the edge to the parent; null at the root. */
  public @Nullable LinkWeight parentWeight() {
    return fragment.parentWeight();
  }

  /** Its children, and the Connect that made the edge to each. A view. */
  public SortedMap<NodeId, ConnectId> children() {
    return Collections.unmodifiableSortedMap(fragment.children);
  }

  /** Whether the peer is the parent or a child. */
  public boolean isTreeLink(NodeId peer) {
    return fragment.isTreeLink(peer);
  }

  /** Whether the link to that peer is up. */
  public boolean hasLink(NodeId peer) {
    return fragment.links.has(peer);
  }

  /** The present weight of the link to that peer; null if it is not up. */
  public @Nullable LinkWeight weight(NodeId peer) {
    Link link = fragment.links.find(peer);
    return link == null ? null : link.weight();
  }

  /** The nodes to which a link is up, in their order. A view. */
  public SortedSet<NodeId> neighbours() {
    return fragment.links.peers();
  }

  /** Whether the fragment has lost an edge that no search or commit has covered yet. */
  public boolean hasLostEdges() {
    return !fragment.lostEdges.isEmpty();
  }

  /** Whether the node is suspected dead. */
  public boolean isSuspect(NodeId node) {
    return fragment.suspects.contains(node);
  }

  /** Whether it takes part in a search and has not reported. */
  public boolean isSearching() {
    return search.isUnderWay();
  }

  /** Whether it has reported, and its link to the peer is better than what it reported. */
  public boolean isBetterThanReported(NodeId peer) {
    return search.isBetterThanReported(peer);
  }

  /** The peer whose answer to this node's Connect is pending; null if there is none. */
  public @Nullable NodeId connectingTo() {
    return connecting.pendingPeer();
  }

  /** The neighbours whose Connects have no answer yet. */
  public List<NodeId> waitingToJoin() {
    return admission.waitingPeers();
  }

  /**
   * Checks what must hold after each event.
   *
   * @throws IllegalStateException if it does not
   */
  public void checkInvariants() {
    for (NodeId child : fragment.children.keySet()) {
      check(fragment.links.has(child), "the child %s has no link", child);
      check(!fragment.isParent(child), "the child %s is also the parent", child);
    }
    NodeId parent = parent();
    check(parent == null || fragment.links.has(parent), "the parent %s has no link", parent);
    check(
        fragment.children.keySet().containsAll(search.awaited()),
        "the search awaits %s, and not all of them are children",
        search.awaited());
    NodeId asked = connecting.pendingPeer();
    check(asked == null || fragment.links.has(asked), "no link to %s, which has a Connect", asked);
    check(asked == null || parent == null, "%s has a Connect of a node that is not a root", asked);
    check(
        fragment.links.all().size() >= admission.waitingPeers().size(),
        "more Connects wait than there are links, from %s",
        admission.waitingPeers());
  }

  private void check(boolean holds, String breach, @Nullable Object subject) {
    if (!holds) {
      throw new IllegalStateException(
          "invariant broken at " + fragment.self + ": " + breach.replace("%s", "" + subject));
    }
  }

  /** For example {@code round 3.1/12#0.4 round 2, parent 12, children [5, 6]}. */
  @Override
  public String toString() {
    return fragment.round()
        + (parent() == null ? ", root" : ", parent " + parent())
        + (", children " + fragment.children.keySet())
        + (connecting.isPending() ? ", asked " + connectingTo() : "")
        + (waitingToJoin().isEmpty() ? "" : ", asked by " + waitingToJoin());
  }

  /** Hands each message to the part that owns its rule. */
  private final class Dispatch implements GhsMessage.Visitor<TreeViolation> {
    private final NodeId peer;

    Dispatch(NodeId peer) {
      this.peer = peer;
    }

    @Override
    public void hello(Hello message) {
      admission.onHello(peer, message);
    }

    @Override
    public void initiate(Initiate message) throws TreeViolation {
      search.onInitiate(peer, message);
    }

    @Override
    public void report(Report message) throws TreeViolation {
      search.onReport(peer, message);
    }

    @Override
    public void changeRoot(ChangeRoot message) {
      connecting.onChangeRoot(peer, message);
    }

    @Override
    public void connect(Connect message) {
      admission.onConnect(peer, message);
    }

    @Override
    public void nack(Nack message) {
      connecting.onNack(peer, message);
    }

    @Override
    public void cancel(Cancel message) {
      admission.onCancel(peer, message);
    }

    @Override
    public void decline(Decline message) {
      admission.onDecline(peer, message);
    }

    @Override
    public void wake(Wake message) {
      search.onWake(message);
    }
  }
}
