package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.RankedMessage.Commit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The committed tree at one node: learns it, passes it on, and compares it with what the node sees
 * now. Used in the node's thread only.
 */
final class Commitment {
  private final NodeState state;
  private final RankedTree node;
  private @Nullable CommittedView view;
  private boolean auditDue;

  Commitment(NodeState state, RankedTree node) {
    this.state = state;
    this.node = node;
  }

  /** The last committed tree, whatever happened since; null before the first. */
  @Nullable CommittedView view() {
    return view;
  }

  boolean isInTree(NodeId peer) {
    return view != null && view.hasMember(peer);
  }

  /** Whether the present round of the present fragment has committed. */
  boolean isOfThisRound() {
    return view != null && view.round().equals(state.round());
  }

  /** Whether the committed tree is that of the fragment, as far as this node knows. */
  boolean isCommitted() {
    return isOfThisRound() && !node.search.isUnderWay() && state.lostEdges.isEmpty();
  }

  /**
   * The end of merging, from the parent; or, if two fragments merge right now, an offer too. One of
   * a round that is over is void.
   */
  void onCommit(NodeId peer, Commit message) throws TreeViolation {
    CommittedView announced = message.view();
    boolean isFromParent = state.isParent(peer);
    if (!message.isOffer() && (!isFromParent || !announced.round().equals(state.round()))) {
      return;
    }
    Rank rank = announced.round().rank();
    if (node.joining.isToBeFollowed(peer, message.edge(), rank)) {
      check(peer, announced);
    }
    if (!node.joining.follow(peer, message.edge(), rank)) {
      return;
    }
    if (!message.isOffer() && !state.lostEdges.isEmpty()) {
      passOn(announced, false); // The tree has lost an edge, and the root is going to know.
      return;
    }
    state.roundRequested = false;
    state.enter(announced.round());
    commit(announced, message.isOffer());
  }

  private void check(NodeId peer, CommittedView announced) throws TreeViolation {
    if (!announced.tree().neighbours(state.self).contains(peer)) {
      throw new TreeViolation(
          peer + " committed a tree in which it is no neighbour of " + state.self);
    }
    if (view != null && announced.tree().version() <= view.tree().version()) {
      throw new TreeViolation(
          peer + " committed " + announced + " after " + view + "; versions only grow");
    }
  }

  /** Keeps the tree and passes it on. What it means for this node is due after the event. */
  void commit(CommittedView committed, boolean isOffer) {
    CommittedTree tree = committed.tree();
    view = committed;
    state.lostEdges.clear();
    state.suspects.clear();
    state.causes.committed();
    node.search.end(committed.members());
    node.certification.reset(committed);
    passOn(committed, isOffer);
    auditDue = true;
    state.effects.committed(tree, committed.causes());
  }

  /**
   * To the children that the tree knows. One that joined while an older request of this fragment
   * was answered is not in the tree: the next search, which the audit asks for, takes it along.
   */
  private void passOn(CommittedView committed, boolean isOffer) {
    for (NodeId child : committed.children(state.self)) {
      ConnectId edge = state.children.get(child);
      if (edge != null) {
        state.send(child, new Commit(edge, committed, isOffer));
      }
    }
  }

  /**
   * Compares a tree that was just committed with what this node sees now: whatever changed while
   * the fragment merged was left for this moment.
   *
   * @return whether that was due
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
    List<NodeId> children = committed.children(state.self);
    for (NodeId child : children) {
      if (!state.children.containsKey(child)) {
        node.repair.lost(Edge.between(state.self, child));
        return;
      }
    }
    if (state.children.size() != children.size()) {
      node.repair.wake();
    }
    if (cutsWorsenedEdge(committed)) {
      return;
    }
    if (state.links.all().stream().anyMatch(link -> !committed.hasMember(link.peer()))) {
      state.causes.note(ChangeCause.LINK_TO_NON_MEMBER);
      node.repair.wake();
    }
    node.certification.certifyAll(committed);
  }

  /** Either end cuts an edge that is heavier than anybody was told: one more cut never harms. */
  private boolean cutsWorsenedEdge(CommittedView committed) {
    if (node.certification.parentEdgeWorsened()) {
      node.repair.cutParent(ChangeCause.TREE_EDGE_WORSENED);
      return true;
    }
    for (NodeId child : state.children.keySet()) {
      if (isHeavierThanCommitted(child, committed)) {
        node.repair.cutChild(child);
        return true;
      }
    }
    return false;
  }

  private boolean isHeavierThanCommitted(NodeId child, CommittedView committed) {
    LinkWeight weight = committed.hasMember(child) ? committed.parentEdge(child) : null;
    return weight != null && state.links.weight(child).rttMicros() > weight.rttMicros();
  }

  /** Whether the edge to that child is heavier than its weight in the committed tree. */
  boolean childEdgeWorsened(NodeId child) {
    return view != null && isHeavierThanCommitted(child, view);
  }
}
