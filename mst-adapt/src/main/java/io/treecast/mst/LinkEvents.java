package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.RankedMessage.Hello;

/**
 * What changes of its links mean to a node. A committed node acts at once. One that merges leaves
 * most to the commit, which compares, so that a link that flaps can not keep a fragment from
 * committing. Used in the node's thread only.
 */
final class LinkEvents {
  private final NodeState state;
  private final RankedTree node;

  LinkEvents(NodeState state, RankedTree node) {
    this.state = state;
    this.node = node;
  }

  /** Inside the tree the link is certified; out of it, it is looked at by a search. */
  void up(NodeId peer, long session, LinkWeight weight) {
    state.links.add(peer, session, weight);
    state.suspects.remove(peer);
    state.send(peer, new Hello(state.fragment()));
    if (node.commitment.isCommitted()) {
      if (node.commitment.isInTree(peer)) {
        node.certification.certify(peer);
      }
    } else if (beatsWhatWasReported(peer)) {
      node.repair.wake();
    }
  }

  /**
   * The other end is alive. If it was suspected, the fragment may have asked somebody else to join,
   * and two fragments that ask over different links could wait for each other for ever.
   */
  void heard(NodeId peer) {
    boolean wasSuspected = state.suspects.remove(peer);
    if (wasSuspected && !node.commitment.isCommitted() && beatsWhatWasReported(peer)) {
      node.repair.wake();
    }
  }

  /** Of two committed fragments that meet the lower one connects, so the other one need not. */
  void onHello(NodeId peer, Hello message) {
    boolean isOutside =
        node.commitment.isCommitted()
            && !message.fragment().equals(state.fragment())
            && !node.commitment.isInTree(peer);
    if (isOutside && !message.fragment().rank().isLowerThan(state.rank())) {
      state.causes.note(ChangeCause.LINK_TO_NON_MEMBER);
      node.repair.wake();
    }
  }

  /** A lost link outside the tree means nothing. */
  void down(NodeId peer, boolean hasDied) {
    boolean wasParent = state.isParent(peer);
    boolean wasChild = state.children.containsKey(peer);
    state.links.remove(peer);
    node.admission.linkDown(peer);
    node.search.exclude(peer);
    if (wasParent || wasChild) {
      state.causes.note(ChangeCause.TREE_LINK_LOST);
      if (hasDied) {
        state.suspects.add(peer);
      }
      if (node.joining.isPendingWith(peer)) {
        node.joining.forget();
      }
    }
    if (wasParent) {
      node.repair.parentLost();
    } else if (wasChild) {
      node.repair.childLost(peer);
    } else {
      node.joining.linkDown(peer);
    }
  }

  /** Both ends may cut a tree edge: whoever hears of its weight first. */
  void reweigh(NodeId peer, LinkWeight weight) {
    boolean isLighter = weight.compareTo(state.links.weight(peer)) < 0;
    heard(peer);
    state.links.reweigh(peer, weight);
    if (!node.commitment.isCommitted()) {
      if (isLighter && !node.joining.isPendingWith(peer) && beatsWhatWasReported(peer)) {
        node.repair.wake();
      }
    } else if (state.isParent(peer)) {
      if (node.certification.parentEdgeWorsened()) {
        node.repair.cutParent(ChangeCause.TREE_EDGE_WORSENED);
      }
    } else if (state.children.containsKey(peer)) {
      if (node.commitment.childEdgeWorsened(peer)) {
        node.repair.cutChild(peer);
      }
    } else if (isLighter) {
      node.certification.certify(peer);
    }
  }

  /**
   * The node has given its answer to the search, and this link is better than that. A link that is
   * no better can wait for the next search or the commit: it is not the minimum outgoing edge.
   */
  private boolean beatsWhatWasReported(NodeId peer) {
    return !node.search.isUnderWay()
        && !node.search.isMember(peer)
        && !state.isTreeLink(peer)
        && node.search.isBetter(state.links.weight(peer));
  }
}
