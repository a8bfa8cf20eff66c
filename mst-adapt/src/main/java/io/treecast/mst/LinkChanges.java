package io.treecast.mst;

import io.treecast.ghs.GhsNode;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;

/**
 * The effect of a link's change on its node. A committed node acts at once. A node whose fragment
 * merges leaves most changes to the commit, which compares the tree with the links, so that a link
 * that flaps cannot keep a fragment from committing.
 */
final class LinkChanges {
  private final GhsNode ghs;
  private final CauseLog causes;
  private final AdaptiveTree node;

  LinkChanges(GhsNode ghs, CauseLog causes, AdaptiveTree node) {
    this.ghs = ghs;
    this.causes = causes;
    this.node = node;
  }

  /** A new link inside the committed tree is certified; a search looks at any other link. */
  void up(NodeId peer) {
    if (node.commitment.isCommitted()) {
      if (node.commitment.isInTree(peer)) {
        node.certification.certify(peer);
      }
    } else if (ghs.isBetterThanReported(peer)) {
      ghs.wake();
    }
  }

  /** The peer is alive. If it was suspected, the last search may have missed its link. */
  void signOfLife(NodeId peer) {
    boolean wasSuspected = ghs.clearSuspicion(peer);
    if (wasSuspected && !node.commitment.isCommitted() && ghs.isBetterThanReported(peer)) {
      ghs.wake();
    }
  }

  /** A link is down. Outside the tree, this changes nothing that is committed. */
  void down(NodeId peer, boolean hasDied) {
    switch (ghs.linkDown(peer, hasDied)) {
      case PARENT -> {
        causes.note(ChangeCause.TREE_LINK_LOST);
        ghs.becomeRoot();
      }
      case CHILD -> {
        causes.note(ChangeCause.TREE_LINK_LOST);
        node.repair.childLost(peer);
      }
      case NO_TREE_EDGE -> {}
    }
  }

  /** Either end may cut a tree edge; the end that learns of the new weight first does so. */
  void reweigh(NodeId peer, LinkWeight weight) {
    LinkWeight before = ghs.weight(peer);
    boolean isLighter = before != null && weight.compareTo(before) < 0;
    signOfLife(peer);
    ghs.reweigh(peer, weight);
    if (!node.commitment.isCommitted()) {
      if (isLighter && !peer.equals(ghs.connectingTo()) && ghs.isBetterThanReported(peer)) {
        ghs.wake();
      }
    } else if (ghs.isParent(peer)) {
      if (node.certification.parentEdgeWorsened()) {
        node.repair.cutParent(ChangeCause.TREE_EDGE_WORSENED);
      }
    } else if (ghs.isTreeLink(peer)) {
      if (node.commitment.childEdgeWorsened(peer)) {
        node.repair.cutChild(peer);
      }
    } else if (isLighter) {
      node.certification.certify(peer);
    }
  }
}
