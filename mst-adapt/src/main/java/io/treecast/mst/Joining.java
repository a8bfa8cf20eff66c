package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.RankedMessage.Cancel;
import io.treecast.mst.RankedMessage.ChangeRoot;
import io.treecast.mst.RankedMessage.Connect;
import io.treecast.mst.RankedMessage.Decline;
import io.treecast.mst.RankedMessage.Nack;
import io.treecast.mst.RankedMessage.OutgoingEdge;
import org.jspecify.annotations.Nullable;

/**
 * What the root does with the result of a search: commits, searches again, or goes to the minimum
 * outgoing edge and asks to join the fragment behind it. The other side is {@link Admission}. Used
 * in the node's thread only.
 */
final class Joining {
  private final NodeState state;
  private final RankedTree node;
  private long requests;
  private @Nullable Request pending;

  /**
   * A Connect that has no answer yet.
   *
   * @param rank the rank when it was sent
   * @param weight the weight of the link when it was sent
   * @param isCancelled whether it was taken back
   */
  private record Request(
      NodeId peer, ConnectId id, Rank rank, LinkWeight weight, boolean isCancelled) {
    Request cancelled() {
      return new Request(peer, id, rank, weight, true);
    }
  }

  Joining(NodeState state, RankedTree node) {
    this.state = state;
    this.node = node;
  }

  boolean isPending() {
    return pending != null;
  }

  /** Who has been asked and has not answered; null if nobody. */
  @Nullable NodeId pendingPeer() {
    return pending == null ? null : pending.peer();
  }

  boolean isPendingWith(NodeId peer) {
    return pending != null && pending.peer().equals(peer);
  }

  /** Whether both fragments have asked each other as equals, and have not changed since. */
  boolean isMutualWith(NodeId peer, Rank itsRank) {
    return pending != null
        && pending.peer().equals(peer)
        && itsRank.equals(state.rank())
        && itsRank.equals(pending.rank());
  }

  /** The request has become pointless: the peer's fragment joins this one. */
  void forget() {
    pending = null;
  }

  /** The root has the result of its round, and now knows the fragment exactly. */
  void decide(FragmentMap answered) {
    state.map = answered;
    MemberList members = answered.members();
    OutgoingEdge best = node.search.best();
    boolean bestIsInside = best != null && members.contains(best.farEnd());
    if (pending != null) {
      cancel();
    } else if (state.roundRequested) {
      node.search.start();
    } else if (!answered.isSpanningTree()) {
      node.search.start(); // Somebody answered in two lives; the loss of the first is on its way.
    } else if (node.search.crossing() == 0 && (best == null || bestIsInside)) {
      commit(); // Nothing leaves those who answered, whatever list they were given.
    } else if (node.search.listWasWrong() || !members.containsAll(node.search.members())) {
      node.search.start(); // Somebody on a list is gone, and a link to him was left out.
    } else if (bestIsInside) {
      node.search.start(); // Its far end joined during the wave.
    } else if (best == null) {
      commit();
    } else {
      approach();
    }
  }

  private void commit() {
    node.commitment.commit(
        CommittedView.of(state.round(), state.self, state.incarnation, state.map), false);
  }

  /** Moves the root one node nearer to the minimum outgoing edge; at its end, connects. */
  private void approach() {
    OutgoingEdge best = node.search.best();
    NodeId child = node.search.bestBehind();
    if (best == null) {
      node.search.start();
    } else if (child == null) {
      connect(best);
    } else {
      ConnectId edge = state.children.get(child);
      if (edge == null) {
        node.search.start(); // The way there is gone.
        return;
      }
      state.attachTo(child, edge);
      state.send(child, new ChangeRoot(state.round(), state.map, node.search.crossing()));
    }
  }

  private void connect(OutgoingEdge best) {
    NodeId peer = best.farEnd();
    Link link = state.links.find(peer);
    if (link == null || state.isTreeLink(peer) || !link.weight().equals(best.weight())) {
      node.search.start(); // It is not what the search found any more.
      return;
    }
    requests++;
    ConnectId id = new ConnectId(state.self, state.incarnation, requests);
    pending = new Request(peer, id, state.rank(), link.weight(), false);
    state.send(
        peer, new Connect(id, state.fragment(), link.weight(), state.map, node.search.crossing()));
    if (state.roundRequested) {
      cancel();
    }
  }

  /**
   * The old root hands over. Whoever gets this becomes root even if it knows better by now, for a
   * fragment must not be left without one.
   */
  void onChangeRoot(NodeId peer, ChangeRoot message) {
    NodeState.Attachment parent = state.parent();
    if (parent == null || !parent.peer().equals(peer)) {
      return;
    }
    state.detach();
    state.children.put(peer, parent.edge());
    state.map = message.map();
    node.search.inheritCrossing(message.crossing());
    Round round = message.round();
    if (!state.lostEdges.isEmpty() || !round.fragment().equals(state.fragment())) {
      boolean isKnown = state.map.members().contains(state.self);
      node.repair.newRoot(
          isKnown ? state.without(state.map, state.lostEdges) : FragmentMap.alone(state.self));
    } else if (!round.equals(state.round()) || node.search.isUnderWay() || state.roundRequested) {
      node.search.start();
    } else {
      approach();
    }
  }

  /**
   * Takes the Connect back because the fragment has changed. Without this two fragments of equal
   * rank that chose different links to each other would wait for each other for ever.
   */
  void cancel() {
    Request request = pending;
    if (request != null && !request.isCancelled()) {
      pending = request.cancelled();
      state.send(request.peer(), new Cancel(request.id()));
    }
  }

  void onNack(NodeId peer, Nack message) {
    if (isAnswer(peer, message.id())) {
      resume();
    }
  }

  /** The Connect led to nothing: what is the best link now? */
  private void resume() {
    pending = null;
    if (state.isRoot() && !node.search.isUnderWay()) {
      node.search.start();
    }
  }

  /** The link of the Connect is down, and nothing else: the search must be repeated. */
  void linkDown(NodeId peer) {
    if (isPendingWith(peer)) {
      resume();
    }
  }

  private boolean isAnswer(NodeId peer, ConnectId id) {
    return pending != null && pending.peer().equals(peer) && pending.id().equals(id);
  }

  /**
   * Whether what came over this link is for the node to follow: it is from its parent, or offers to
   * take it in.
   *
   * <p>An offer is taken only by a root and only into a higher rank: then the sender can not be
   * below this node, and no cycle closes.
   */
  boolean isToBeFollowed(NodeId peer, ConnectId edge, Rank rank) {
    if (state.isParent(peer)) {
      return state.isParentEdge(edge);
    }
    Request request = pending;
    return request != null
        && isAnswer(peer, edge)
        && state.isRoot()
        && rank.isHigherThan(state.rank())
        && state.links.weight(peer).compareTo(request.weight()) <= 0;
  }

  /**
   * Makes who takes this node in its parent, or answers an offer that is not taken with Decline.
   *
   * @return whether the message is to be followed
   * @throws TreeViolation if the parent's rank is lower than this node's
   */
  boolean follow(NodeId peer, ConnectId edge, Rank rank) throws TreeViolation {
    boolean isToBeFollowed = isToBeFollowed(peer, edge, rank);
    if (state.isParent(peer)) {
      if (isToBeFollowed && rank.isLowerThan(state.rank())) {
        throw new TreeViolation(
            "the parent "
                + peer
                + " is of rank "
                + rank
                + ", lower than "
                + state.rank()
                + "; ranks never fall");
      }
      return isToBeFollowed; // If not, it is an offer that answers an older Connect.
    }
    node.admission.withdraw(peer);
    if (isToBeFollowed) {
      pending = null;
      state.attachTo(peer, edge);
      return true;
    }
    state.send(peer, new Decline(edge));
    if (isAnswer(peer, edge)) {
      resume();
    }
    return false;
  }
}
