package io.treecast.mst;

import io.treecast.ghs.NodeId;
import io.treecast.mst.RankedMessage.Cancel;
import io.treecast.mst.RankedMessage.Connect;
import io.treecast.mst.RankedMessage.Decline;
import io.treecast.mst.RankedMessage.Initiate;
import io.treecast.mst.RankedMessage.Nack;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a node answers other fragments that ask to join over one of its links: with an offer, with a
 * refusal, or later. The other side is {@link Joining}. Used in the node's thread only.
 */
final class Admission {
  private final NodeState state;
  private final RankedTree node;

  /** In order of arrival, one for each link at most: a newer one replaces an older one. */
  private final Map<NodeId, Connect> waiting = new LinkedHashMap<>();

  Admission(NodeState state, RankedTree node) {
    this.state = state;
    this.node = node;
  }

  /** Those whose Connects have no answer yet. */
  List<NodeId> waitingPeers() {
    return List.copyOf(waiting.keySet());
  }

  boolean isWaiting(NodeId peer) {
    return waiting.containsKey(peer);
  }

  /** It counts as waiting while it is answered, for the answer may start a search. */
  void onConnect(NodeId peer, Connect message) {
    waiting.remove(peer);
    waiting.put(peer, message);
    answer(peer, message);
  }

  /**
   * Looks at what waits again. To be called after every event until nothing changes, as any event
   * may decide a question, even if it only makes the weight in it outdated.
   *
   * @return whether a question was answered; others may have become due by that
   */
  boolean answerOneWaiting() {
    for (NodeId peer : waitingPeers()) {
      Connect message = waiting.get(peer);
      if (message != null && answer(peer, message)) {
        return true;
      }
    }
    return false;
  }

  private boolean answer(NodeId peer, Connect message) {
    if (!isDecided(peer, message)) {
      return false;
    }
    Connect still = waiting.get(peer);
    if (still != null && still.id().equals(message.id())) {
      waiting.remove(peer);
    }
    return true;
  }

  /** Answers if it can, and says whether that settles the request. */
  private boolean isDecided(NodeId peer, Connect message) {
    if (state.isParent(peer)) {
      return true; // It has become the parent since; the request is void.
    }
    if (state.children.containsKey(peer)) {
      // An offer to an older Connect is under way and will be declined: keep the newer one.
      return state.isChildEdge(peer, message.id());
    }
    if (isVoid(peer, message)) {
      state.send(peer, new Nack(message.id()));
      return true;
    }
    Rank itsRank = message.fragment().rank();
    if (itsRank.isLowerThan(state.rank())) {
      return absorb(peer, message);
    }
    if (state.isRoot() && node.joining.isMutualWith(peer, itsRank)) {
      if (state.self.compareTo(peer) > 0) {
        merge(peer, message);
      }
      return true; // The higher end merges; its offer answers the lower end's Connect.
    }
    wakeForStranger(peer);
    return false;
  }

  /** Inside the fragment, or for a weight that the link does not have any more. */
  private boolean isVoid(NodeId peer, Connect message) {
    return message.fragment().equals(state.fragment())
        || message.weight().compareTo(state.links.weight(peer)) < 0;
  }

  /**
   * A fragment of lower rank joins at once if this one is searching, or connects over the same link
   * itself. Else it waits for the next search: a search for its sake alone would cost as much.
   */
  private boolean absorb(NodeId peer, Connect message) {
    if (node.search.isUnderWay()) {
      offer(peer, message);
      return true;
    }
    if (state.isRoot() && node.joining.isPendingWith(peer)) {
      join(peer, message);
      return true;
    }
    wakeForStranger(peer);
    return false;
  }

  /** Two fragments of equal rank chose the same link: they become one of the next level. */
  private void merge(NodeId peer, Connect message) {
    state.foundFragment(state.rank().nextLevel());
    join(peer, message);
  }

  /**
   * Both roots stand at the two ends of the link and ask each other. If all links that leave the
   * one fragment lead to the other one, nothing leaves both together: then there is nothing to
   * search for, and the offer is the commit.
   */
  private void join(NodeId peer, Connect message) {
    node.joining.forget();
    state.children.put(peer, message.id());
    state.map = state.map.joinedWith(message.map(), message.weight());
    boolean nothingLeaves =
        node.search.crossing() == message.crossing()
            && !node.search.isUnderWay()
            && !state.roundRequested;
    if (nothingLeaves && state.map.isSpanningTree()) {
      state.enter(state.round().next());
      node.commitment.commit(
          CommittedView.of(state.round(), state.self, state.incarnation, state.map), true);
    } else {
      node.search.start();
    }
  }

  /**
   * A committed fragment searches again for somebody who is not in its tree. For a member it does
   * not: he was cut off, and the failure that says so is on its way to the root.
   */
  private void wakeForStranger(NodeId peer) {
    if (node.commitment.isCommitted() && !node.commitment.isInTree(peer)) {
      state.causes.note(ChangeCause.LINK_TO_NON_MEMBER);
      node.repair.wake();
    }
  }

  /** At the beginning of a search, everyone waiting who may join does so. */
  void offerToWaiting() {
    for (NodeId peer : waitingPeers()) {
      Connect message = waiting.get(peer);
      if (message != null
          && !state.isTreeLink(peer)
          && !isVoid(peer, message)
          && message.fragment().rank().isLowerThan(state.rank())) {
        waiting.remove(peer);
        offer(peer, message);
      }
    }
  }

  private void offer(NodeId peer, Connect message) {
    if (node.joining.isPendingWith(peer)) {
      node.joining.forget();
    }
    MemberList itsMembers = message.map().members();
    state.children.put(peer, message.id());
    node.search.include(peer, itsMembers);
    state.send(
        peer,
        new Initiate(
            message.id(), state.round(), node.search.members().union(itsMembers), state.suspects));
  }

  /** Only what still waits is taken back; else the offer or the refusal is under way. */
  void onCancel(NodeId peer, Cancel message) {
    Connect request = waiting.get(peer);
    if (request != null && request.id().equals(message.id())) {
      waiting.remove(peer);
      state.send(peer, new Nack(message.id()));
    }
  }

  /** The offer was not taken: as if the tree edge had never been. */
  void onDecline(NodeId peer, Decline message) {
    if (!state.isChildEdge(peer, message.id())) {
      return;
    }
    state.children.remove(peer);
    node.search.exclude(peer);
    if (node.search.isUnderWay()) {
      node.search.reportIfComplete();
    } else if (node.commitment.isOfThisRound()) {
      node.repair.lost(Edge.between(state.self, peer)); // The committed tree contains it.
    } else {
      node.repair.wake();
    }
  }

  /**
   * The peer offers to take this node in. Whatever it asked before that is void: it has stopped
   * waiting for an answer, even if its offer is not taken.
   */
  void withdraw(NodeId peer) {
    waiting.remove(peer);
  }

  void linkDown(NodeId peer) {
    waiting.remove(peer);
  }
}
