package io.treecast.ghs;

import io.treecast.ghs.GhsMessage.Cancel;
import io.treecast.ghs.GhsMessage.ChangeRoot;
import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Decline;
import io.treecast.ghs.GhsMessage.Nack;
import io.treecast.ghs.GhsMessage.OutgoingEdge;
import org.jspecify.annotations.Nullable;

/**
 * The root's reaction to the result of a search: it declares the tree complete, searches again, or
 * moves to the minimum outgoing edge and sends Connect to the fragment at its other end. {@link
 * Admission} is the other side.
 */
final class Connecting {
  private final Fragment fragment;
  private final GhsNode node;
  private long requests;
  private @Nullable Request pending;

  /**
   * A Connect that has no answer yet.
   *
   * @param rank the rank when it was sent
   * @param weight the weight of the link when it was sent
   * @param isCancelled whether Cancel has followed it
   */
  private record Request(
      NodeId peer, ConnectId id, Rank rank, LinkWeight weight, boolean isCancelled) {
    Request cancelled() {
      return new Request(peer, id, rank, weight, true);
    }
  }

  Connecting(Fragment fragment, GhsNode node) {
    this.fragment = fragment;
    this.node = node;
  }

  boolean isPending() {
    return pending != null;
  }

  /** The addressee of the Connect that has no answer yet; null if there is none. */
  @Nullable NodeId pendingPeer() {
    return pending == null ? null : pending.peer();
  }

  boolean isPendingWith(NodeId peer) {
    return pending != null && pending.peer().equals(peer);
  }

  /** Whether two fragments of equal rank sent each other Connect, and have not changed since. */
  boolean isMutualWith(NodeId peer, Rank itsRank) {
    return pending != null
        && pending.peer().equals(peer)
        && itsRank.equals(fragment.rank())
        && itsRank.equals(pending.rank());
  }

  /** Drops the pending Connect: the peer's fragment joins this one. */
  void forget() {
    pending = null;
  }

  /** Decides the next step after a search. Its answers show the members and edges exactly. */
  void decide(FragmentMap answered) {
    fragment.map = answered;
    MemberList members = answered.members();
    OutgoingEdge best = node.search.best();
    boolean bestIsInside = best != null && members.contains(best.farEnd());
    if (pending != null) {
      cancel();
    } else if (fragment.searchRequested) {
      node.search.start();
    } else if (!answered.isSpanningTree()) {
      node.search
          .start(); // A node answered in two incarnations; the loss of the first will be reported.
    } else if (node.search.crossing() == 0 && (best == null || bestIsInside)) {
      complete(); // Nothing leaves the nodes that answered, whatever list they were given.
    } else if (node.search.listWasWrong() || !members.containsAll(node.search.members())) {
      node.search.start(); // A node on a list has left, and a link to it was skipped.
    } else if (bestIsInside) {
      node.search.start(); // Its far end joined during the search.
    } else if (best == null) {
      complete();
    } else {
      approach();
    }
  }

  private void complete() {
    fragment.keeper.noOutgoingEdge(fragment.round(), fragment.map, false);
  }

  /** Moves the root one node nearer to the minimum outgoing edge, or connects over it. */
  private void approach() {
    OutgoingEdge best = node.search.best();
    NodeId child = node.search.bestBehind();
    if (best == null) {
      node.search.start();
    } else if (child == null) {
      connect(best);
    } else {
      ConnectId edge = fragment.children.get(child);
      if (edge == null) {
        node.search.start(); // The edge towards it is gone.
        return;
      }
      fragment.attachTo(child, edge);
      fragment.send(child, new ChangeRoot(fragment.round(), fragment.map, node.search.crossing()));
    }
  }

  private void connect(OutgoingEdge best) {
    NodeId peer = best.farEnd();
    Link link = fragment.links.find(peer);
    if (link == null || fragment.isTreeLink(peer) || !link.weight().equals(best.weight())) {
      node.search.start(); // The link has changed since the search found it.
      return;
    }
    requests++;
    ConnectId id = new ConnectId(fragment.self, fragment.incarnation, requests);
    pending = new Request(peer, id, fragment.rank(), link.weight(), false);
    fragment.send(
        peer, new Connect(id, fragment.id(), link.weight(), fragment.map, node.search.crossing()));
    if (fragment.searchRequested) {
      cancel();
    }
  }

  /**
   * Makes this node the root, at the command of the old root. The node accepts even if it knows of
   * a later change, because a fragment must not be left without a root.
   */
  void onChangeRoot(NodeId peer, ChangeRoot message) {
    Fragment.Attachment parent = fragment.parent();
    if (parent == null || !parent.peer().equals(peer)) {
      return;
    }
    fragment.detach();
    fragment.children.put(peer, parent.edge());
    fragment.map = message.map();
    node.search.inheritCrossing(message.crossing());
    Round round = message.round();
    if (!fragment.lostEdges.isEmpty() || !round.fragment().equals(fragment.id())) {
      boolean isKnown = fragment.map.members().contains(fragment.self);
      node.search.startAsRoot(
          isKnown
              ? fragment.without(fragment.map, fragment.lostEdges)
              : FragmentMap.alone(fragment.self));
    } else if (!round.equals(fragment.round())
        || node.search.isUnderWay()
        || fragment.searchRequested) {
      node.search.start();
    } else {
      approach();
    }
  }

  /**
   * Cancels the Connect because the fragment has changed. Otherwise two fragments of equal rank
   * that chose different links to each other would wait for each other for ever.
   */
  void cancel() {
    Request request = pending;
    if (request != null && !request.isCancelled()) {
      pending = request.cancelled();
      fragment.send(request.peer(), new Cancel(request.id()));
    }
  }

  void onNack(NodeId peer, Nack message) {
    if (isAnswer(peer, message.id())) {
      resume();
    }
  }

  /** Searches for the best link again, at a root whose Connect was refused or lost. */
  private void resume() {
    pending = null;
    if (fragment.isRoot() && !node.search.isUnderWay()) {
      node.search.start();
    }
  }

  /**
   * Handles the loss of a link outside the tree: searches again if a Connect was pending over it.
   */
  void linkDown(NodeId peer) {
    if (isPendingWith(peer)) {
      resume();
    }
  }

  private boolean isAnswer(NodeId peer, ConnectId id) {
    return pending != null && pending.peer().equals(peer) && pending.id().equals(id);
  }

  /**
   * Whether the node must follow a message: its parent sent it, or it offers to take the node in.
   *
   * <p>Only a root accepts an offer, and only into a higher rank. Then the sender cannot be below
   * this node, and no cycle closes.
   */
  boolean isToBeFollowed(NodeId peer, ConnectId edge, Rank rank) {
    if (fragment.isParent(peer)) {
      return fragment.isParentEdge(edge);
    }
    Request request = pending;
    return request != null
        && isAnswer(peer, edge)
        && fragment.isRoot()
        && rank.isHigherThan(fragment.rank())
        && fragment.links.weight(peer).compareTo(request.weight()) <= 0;
  }

  /**
   * Accepts an offer and makes its sender the parent, or answers it with Decline.
   *
   * @return whether the node must follow the message
   * @throws TreeViolation if the parent's rank is lower than this node's
   */
  boolean follow(NodeId peer, ConnectId edge, Rank rank) throws TreeViolation {
    boolean isToBeFollowed = isToBeFollowed(peer, edge, rank);
    if (fragment.isParent(peer)) {
      if (isToBeFollowed && rank.isLowerThan(fragment.rank())) {
        throw new TreeViolation(
            "the parent %s is of rank %s, lower than %s; ranks never fall"
                .formatted(peer, rank, fragment.rank()));
      }
      return isToBeFollowed; // If not, it is an offer that answers an older Connect.
    }
    node.admission.withdraw(peer);
    if (isToBeFollowed) {
      pending = null;
      fragment.attachTo(peer, edge);
      return true;
    }
    fragment.send(peer, new Decline(edge));
    if (isAnswer(peer, edge)) {
      resume();
    }
    return false;
  }
}
