package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedView.PathEdge;
import io.treecast.mst.RankedMessage.CutOrder;
import io.treecast.mst.RankedMessage.Refuse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the committed tree proven minimal. A spanning tree is minimal exactly when no other link is
 * lighter than the heaviest edge on the tree path between its ends. The lower end of each link
 * checks that after every commit and change of weight, which costs no message; where it does not
 * hold, it orders the cut of that edge. Used in the node's thread only.
 */
final class Certification {
  private final NodeState state;
  private final RankedTree node;

  /** By lower end of a committed edge, the present weight that a refusal told. */
  private final Map<NodeId, LinkWeight> learned = new HashMap<>();

  /**
   * By lower end of a committed edge, the lightest link for which its cut was ordered and not
   * refused. While the answer is awaited, no order is sent for a heavier link: if the edge is cut,
   * a new tree comes, and if not, all links are checked again.
   */
  private final Map<NodeId, LinkWeight> ordered = new HashMap<>();

  /** The lowest weight of the parent edge that anybody was told since the commit. */
  private @Nullable LinkWeight toldParentWeight;

  Certification(NodeState state, RankedTree node) {
    this.state = state;
    this.node = node;
  }

  /** A new tree: what was learned about the old one is void. */
  void reset(CommittedView committed) {
    learned.clear();
    ordered.clear();
    toldParentWeight = committed.parentEdge(state.self);
  }

  /**
   * Whether the parent edge is heavier than somebody believes it to be. The committed weight is not
   * the measure: who was refused an order has certified his link by the weight that he was told.
   */
  boolean parentEdgeWorsened() {
    LinkWeight present = state.parentWeight();
    return present != null
        && toldParentWeight != null
        && present.rttMicros() > toldParentWeight.rttMicros();
  }

  /** Checks all links of this node, lightest first, unless one of them ends the commitment. */
  void certifyAll(CommittedView committed) {
    List<Link> links = new ArrayList<>(state.links.all());
    links.sort(Comparator.comparing(Link::weight));
    for (Link link : links) {
      if (!committed.equals(node.commitment.view()) || !node.commitment.isCommitted()) {
        return;
      }
      certify(link.peer());
    }
  }

  /** Checks one link to a member, if it is no tree edge and this is its lower end. */
  void certify(NodeId peer) {
    CommittedView committed = node.commitment.view();
    Link link = state.links.find(peer);
    if (committed == null
        || link == null
        || state.self.compareTo(peer) > 0
        || state.isTreeLink(peer)
        || !committed.hasMember(peer)) {
      return;
    }
    PathEdge heaviest = committed.heaviestBetween(state.self, peer, learned);
    if (heaviest != null
        && link.weight().compareTo(heaviest.weight()) < 0
        && isLightestFor(heaviest.lowerEnd(), link.weight())) {
      ordered.put(heaviest.lowerEnd(), link.weight());
      route(new CutOrder(committed.round(), heaviest.lowerEnd(), link.weight()), committed);
    }
  }

  /** The heaviest edge of the committed path, as far as this node knows its present weight. */
  @Nullable LinkWeight heaviestOnPathTo(NodeId peer) {
    CommittedView committed = node.commitment.view();
    if (committed == null || !committed.hasMember(peer)) {
      return null;
    }
    PathEdge heaviest = committed.heaviestBetween(state.self, peer, learned);
    return heaviest == null ? null : heaviest.weight();
  }

  private boolean isLightestFor(NodeId lowerEnd, LinkWeight link) {
    LinkWeight lightest = ordered.get(lowerEnd);
    return lightest == null || link.compareTo(lightest) < 0;
  }

  /**
   * An order on its way, or for this node. One that was judged by another tree, or at a node that
   * merges, is dropped: a commit is coming, and certifies again.
   */
  void onCutOrder(CutOrder message) {
    CommittedView committed = currentView(message.version());
    if (committed != null
        && committed.hasMember(message.lowerEnd())
        && committed.hasMember(message.lighterLink().low())) {
      route(message, committed);
    }
  }

  private void route(CutOrder order, CommittedView committed) {
    if (order.lowerEnd().equals(state.self)) {
      obeyOrRefuse(order, committed);
    } else {
      forward(committed.nextHop(state.self, order.lowerEnd()), order);
    }
  }

  /** Judged by the present weight, which only the ends of the edge know. */
  private void obeyOrRefuse(CutOrder order, CommittedView committed) {
    LinkWeight present = state.parentWeight();
    if (present == null) {
      return;
    }
    if (present.compareTo(order.lighterLink()) > 0) {
      node.repair.cutParent(ChangeCause.LIGHTER_LINK);
      return;
    }
    if (toldParentWeight == null || present.compareTo(toldParentWeight) < 0) {
      toldParentWeight = present;
    }
    route(new Refuse(order.version(), state.self, present, order.lighterLink()), committed);
  }

  /** The answer on its way, or for this node, which then looks for the next heaviest edge. */
  void onRefuse(Refuse message) {
    CommittedView committed = currentView(message.version());
    if (committed != null
        && committed.hasMember(message.lowerEnd())
        && committed.hasMember(message.lighterLink().low())) {
      route(message, committed);
    }
  }

  private void route(Refuse refusal, CommittedView committed) {
    NodeId addressee = refusal.lighterLink().low();
    if (addressee.equals(state.self)) {
      learned.put(refusal.lowerEnd(), refusal.present());
      ordered.remove(refusal.lowerEnd());
      certifyAll(committed);
    } else {
      forward(committed.nextHop(state.self, addressee), refusal);
    }
  }

  private @Nullable CommittedView currentView(Round version) {
    CommittedView committed = node.commitment.view();
    boolean isCurrent =
        committed != null && committed.round().equals(version) && node.commitment.isCommitted();
    return isCurrent ? committed : null;
  }

  /** Over a link that is gone nothing is sent: that makes a new tree anyway. */
  private void forward(NodeId next, RankedMessage message) {
    if (state.links.has(next)) {
      state.send(next, message);
    }
  }
}
