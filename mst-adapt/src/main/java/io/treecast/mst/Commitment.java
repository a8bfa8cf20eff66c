package io.treecast.mst;

import io.treecast.ghs.ConnectId;
import io.treecast.ghs.Edge;
import io.treecast.ghs.GhsNode;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.TreeViolation;
import io.treecast.mst.MstMessage.Commit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The committed tree at one node: the node learns it, passes it on, and compares it with its links
 * as they are now.
 */
final class Commitment {
  private final GhsNode ghs;
  private final CauseLog causes;
  private final AdaptiveTree node;
  private @Nullable CommittedView view;
  private boolean auditDue;

  Commitment(GhsNode ghs, CauseLog causes, AdaptiveTree node) {
    this.ghs = ghs;
    this.causes = causes;
    this.node = node;
  }

  /** The last committed tree, whatever has happened since; null before the first. */
  @Nullable CommittedView view() {
    return view;
  }

  boolean isInTree(NodeId peer) {
    return view != null && view.hasMember(peer);
  }

  /** Whether the present round of the present fragment has committed. */
  boolean hasCommittedRound() {
    return view != null && view.round().equals(ghs.round());
  }

  /** Whether the committed tree is the tree of the fragment, as far as this node knows. */
  boolean isCommitted() {
    return hasCommittedRound() && !ghs.isSearching() && !ghs.hasLostEdges();
  }

  /**
   * Handles the announcement of a complete tree by the parent, or the offer of a fragment that
   * merges with this one. Ignores an announcement of another round.
   */
  void onCommit(NodeId peer, Commit message) throws TreeViolation {
    CommittedView announced = message.view();
    boolean isFromParent = ghs.isParent(peer);
    if (!message.isOffer() && (!isFromParent || !announced.round().equals(ghs.round()))) {
      return;
    }
    Rank rank = announced.round().rank();
    if (ghs.isToBeFollowed(peer, message.edge(), rank)) {
      check(peer, announced);
    }
    if (!ghs.follow(peer, message.edge(), rank)) {
      return;
    }
    if (!message.isOffer() && ghs.hasLostEdges()) {
      passOn(announced, false); // The tree has lost an edge, and the root will learn of it.
      return;
    }
    ghs.enter(announced.round());
    commit(announced, message.isOffer());
  }

  private void check(NodeId peer, CommittedView announced) throws TreeViolation {
    if (!announced.tree().neighbours(ghs.self()).contains(peer)) {
      throw new TreeViolation(
          peer + " committed a tree in which it is not a neighbour of " + ghs.self());
    }
    if (view != null
        && announced.tree().version() <= view.tree().version()
        && !announced.tree().equals(view.tree())) {
      throw new TreeViolation(
          peer + " committed " + announced + " after " + view + "; versions of new trees grow");
    }
  }

  /** Stores the tree and passes it on. The audit is due after the event. */
  void commit(CommittedView committed, boolean isOffer) {
    boolean isKept = view != null && view.tree().equals(committed.tree());
    view = committed;
    causes.committed();
    ghs.completed(committed.members());
    node.certification.reset(committed);
    passOn(committed, isOffer);
    auditDue = true;
    if (!isKept) {
      node.effects.committed(committed.tree(), committed.causes());
    }
  }

  /**
   * Passes the tree on to the children in it. A child that joined while the fragment answered an
   * older Connect is not in the tree; the audit requests a search, which includes it.
   */
  private void passOn(CommittedView committed, boolean isOffer) {
    for (NodeId child : committed.children(ghs.self())) {
      ConnectId edge = ghs.children().get(child);
      if (edge != null) {
        node.send(child, new Commit(edge, committed, isOffer));
      }
    }
  }

  /**
   * Compares a tree that was just committed with the links as they are now. Changes during the
   * merge were left for this moment.
   *
   * @return whether an audit was due
   */
  boolean auditIfDue() {
    if (!auditDue) {
      return false;
    }
    auditDue = false;
    CommittedView committed = view;
    if (committed != null) {
      audit(committed);
    }
    return true;
  }

  private void audit(CommittedView committed) {
    List<NodeId> children = committed.children(ghs.self());
    for (NodeId child : children) {
      if (!ghs.children().containsKey(child)) {
        node.repair.lost(Edge.between(ghs.self(), child));
        return;
      }
    }
    if (ghs.children().size() != children.size()) {
      ghs.wake();
    }
    if (cutsWorsenedEdge(committed)) {
      return;
    }
    if (ghs.neighbours().stream().anyMatch(peer -> !committed.hasMember(peer))) {
      causes.note(ChangeCause.LINK_TO_NON_MEMBER);
      ghs.wake();
    }
    node.certification.certifyAll(committed);
  }

  /** Cuts an edge that is heavier than announced, at either end: an extra cut does no harm. */
  private boolean cutsWorsenedEdge(CommittedView committed) {
    if (node.certification.parentEdgeWorsened()) {
      node.repair.cutParent(ChangeCause.TREE_EDGE_WORSENED);
      return true;
    }
    for (NodeId child : ghs.children().keySet()) {
      if (isHeavierThanCommitted(child, committed)) {
        node.repair.cutChild(child);
        return true;
      }
    }
    return false;
  }

  private boolean isHeavierThanCommitted(NodeId child, CommittedView committed) {
    LinkWeight weight = committed.hasMember(child) ? committed.parentEdge(child) : null;
    LinkWeight present = ghs.weight(child);
    return weight != null && present != null && present.cost() > weight.cost();
  }

  /** Whether the edge to that child is heavier than its weight in the committed tree. */
  boolean childEdgeWorsened(NodeId child) {
    return view != null && isHeavierThanCommitted(child, view);
  }
}
