package io.treecast.ghs;

import io.treecast.ghs.GhsMessage.Cancel;
import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Decline;
import io.treecast.ghs.GhsMessage.Hello;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.GhsMessage.Nack;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The answers of a node to the Connect of another fragment. The node absorbs the fragment or merges
 * with it, each by an offer; it refuses with Nack; or it lets the Connect wait. {@link Connecting}
 * is the side that sends Connect.
 */
final class Admission {
  private final Fragment fragment;
  private final GhsNode node;

  /**
   * The Connects without an answer, in order of arrival. Each link has at most one: a newer Connect
   * replaces an older one.
   */
  private final Map<NodeId, Connect> waiting = new LinkedHashMap<>();

  Admission(Fragment fragment, GhsNode node) {
    this.fragment = fragment;
    this.node = node;
  }

  /** The peers whose Connects have no answer yet. */
  List<NodeId> waitingPeers() {
    return List.copyOf(waiting.keySet());
  }

  boolean isWaiting(NodeId peer) {
    return waiting.containsKey(peer);
  }

  /**
   * Notifies the keeper if the peer's fragment has no lower rank. When two fragments meet, the one
   * of lower rank connects, and the other one need not search.
   */
  void onHello(NodeId peer, Hello message) {
    if (!message.fragment().equals(fragment.id())
        && !message.fragment().rank().isLowerThan(fragment.rank())) {
      fragment.keeper.nonMemberConnects(peer);
    }
  }

  /** A Connect counts as waiting while it is answered, because the answer may start a search. */
  void onConnect(NodeId peer, Connect message) {
    waiting.remove(peer);
    waiting.put(peer, message);
    answer(peer, message);
  }

  /**
   * Looks at the waiting Connects again. Must be called after every event until nothing changes,
   * because any event may decide one of them, if only by making its weight outdated.
   *
   * @return whether it answered one; that answer may decide others
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

  /** Answers if possible, and returns whether the Connect is settled. */
  private boolean isDecided(NodeId peer, Connect message) {
    if (fragment.isParent(peer)) {
      return true; // The peer has since become the parent; the Connect is void.
    }
    if (fragment.children.containsKey(peer)) {
      // An offer to an older Connect is under way and will be declined: keep the newer one.
      return fragment.isChildEdge(peer, message.id());
    }
    if (isVoid(peer, message)) {
      fragment.send(peer, new Nack(message.id()));
      return true;
    }
    Rank itsRank = message.fragment().rank();
    if (itsRank.isLowerThan(fragment.rank())) {
      return absorb(peer, message);
    }
    if (fragment.isRoot() && node.connecting.isMutualWith(peer, itsRank)) {
      if (fragment.self.compareTo(peer) > 0) {
        merge(peer, message);
      }
      return true; // The higher end merges; its offer answers the lower end's Connect.
    }
    fragment.keeper.nonMemberConnects(peer);
    return false;
  }

  /** A Connect inside the fragment, or for a weight that the link no longer has. */
  private boolean isVoid(NodeId peer, Connect message) {
    return message.fragment().equals(fragment.id())
        || message.weight().compareTo(fragment.links.weight(peer)) < 0;
  }

  /**
   * A fragment of lower rank is absorbed at once if this fragment is searching, or if its own
   * Connect is pending over the same link. Otherwise it waits for the next search: an extra search
   * now would cost as much.
   */
  private boolean absorb(NodeId peer, Connect message) {
    if (node.search.isUnderWay()) {
      offer(peer, message);
      return true;
    }
    if (fragment.isRoot() && node.connecting.isPendingWith(peer)) {
      join(peer, message);
      return true;
    }
    fragment.keeper.nonMemberConnects(peer);
    return false;
  }

  /** Two fragments of equal rank chose the same link: they become one of the next level. */
  private void merge(NodeId peer, Connect message) {
    fragment.found(fragment.rank().nextLevel());
    join(peer, message);
  }

  /**
   * The roots of both fragments are the two ends of the link, and each has sent Connect to the
   * other. If all links that leave one fragment lead to the other, nothing leaves both together.
   * Then no search is needed, and the offer is the commit.
   */
  private void join(NodeId peer, Connect message) {
    node.connecting.forget();
    fragment.children.put(peer, message.id());
    fragment.map = fragment.map.joinedWith(message.map(), message.weight());
    boolean noOutgoingEdge =
        node.search.crossing() == message.crossing()
            && !node.search.isUnderWay()
            && !fragment.searchRequested;
    if (noOutgoingEdge && fragment.map.isSpanningTree()) {
      fragment.enter(fragment.round().next());
      fragment.keeper.noOutgoingEdge(fragment.round(), fragment.map, true);
    } else {
      node.search.start();
    }
  }

  /** At the beginning of a search, absorbs all waiting fragments that it may absorb. */
  void offerToWaiting() {
    for (NodeId peer : waitingPeers()) {
      Connect message = waiting.get(peer);
      if (message != null
          && !fragment.isTreeLink(peer)
          && !isVoid(peer, message)
          && message.fragment().rank().isLowerThan(fragment.rank())) {
        waiting.remove(peer);
        offer(peer, message);
      }
    }
  }

  private void offer(NodeId peer, Connect message) {
    if (node.connecting.isPendingWith(peer)) {
      node.connecting.forget();
    }
    MemberList itsMembers = message.map().members();
    fragment.children.put(peer, message.id());
    node.search.include(peer, itsMembers);
    fragment.send(
        peer,
        new Initiate(
            message.id(),
            fragment.round(),
            node.search.members().union(itsMembers),
            fragment.suspects));
  }

  /** Cancels a waiting Connect. Otherwise the offer or the Nack is already under way. */
  void onCancel(NodeId peer, Cancel message) {
    Connect request = waiting.get(peer);
    if (request != null && request.id().equals(message.id())) {
      waiting.remove(peer);
      fragment.send(peer, new Nack(message.id()));
    }
  }

  /** The peer declined the offer, so its tree edge does not exist. */
  void onDecline(NodeId peer, Decline message) {
    if (!fragment.isChildEdge(peer, message.id())) {
      return;
    }
    fragment.children.remove(peer);
    node.search.exclude(peer);
    if (node.search.isUnderWay()) {
      node.search.reportIfComplete();
    } else if (fragment.keeper.hasCommittedRound()) {
      fragment.keeper.lost(Edge.between(fragment.self, peer)); // The committed tree contains it.
    } else {
      node.search.wake();
    }
  }

  /**
   * Drops the waiting Connect of a peer that offers to take this node in. That Connect is void: the
   * peer has stopped waiting for its answer, even if this node declines the offer.
   */
  void withdraw(NodeId peer) {
    waiting.remove(peer);
  }

  void linkDown(NodeId peer) {
    waiting.remove(peer);
  }
}
