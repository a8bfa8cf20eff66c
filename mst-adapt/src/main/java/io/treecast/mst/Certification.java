package io.treecast.mst;

import io.treecast.ghs.GhsNode;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Round;
import io.treecast.mst.CommittedView.PathEdge;
import io.treecast.mst.MstMessage.CutOrder;
import io.treecast.mst.MstMessage.Refuse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the committed tree proven minimal. A spanning tree is minimal exactly when no other link is
 * lighter than the heaviest edge on the tree path between its ends. The lower end of each link
 * checks this after every commit and change of weight, which costs no message. Where it does not
 * hold, the lower end orders the cut of that edge.
 */
final class Certification {
  private final GhsNode ghs;
  private final AdaptiveTree node;

  /** The present weight of a committed edge, as a refusal stated it, by the edge's lower end. */
  private final Map<NodeId, LinkWeight> learned = new HashMap<>();

  /**
   * The lightest link for which the cut of a committed edge was ordered and not refused, by the
   * edge's lower end. Until the answer arrives, no order for a heavier link is sent: if the edge is
   * cut, a new tree follows, and if not, all links are checked again.
   */
  private final Map<NodeId, LinkWeight> ordered = new HashMap<>();

  /** The lowest weight of the parent edge in the commit and in this node's refusals since then. */
  private @Nullable LinkWeight toldParentWeight;

  Certification(GhsNode ghs, AdaptiveTree node) {
    this.ghs = ghs;
    this.node = node;
  }

  /** A new tree: everything learned about the old one is void. */
  void reset(CommittedView committed) {
    learned.clear();
    ordered.clear();
    toldParentWeight = committed.parentEdge(ghs.self());
  }

  /**
   * Whether the parent edge is heavier than some member believes. The committed weight alone does
   * not decide: a member whose order was refused has certified its link against the weight in the
   * refusal.
   */
  boolean parentEdgeWorsened() {
    LinkWeight present = ghs.parentWeight();
    return present != null && toldParentWeight != null && present.cost() > toldParentWeight.cost();
  }

  /** Checks all links of this node, lightest first, unless one of them ends the commitment. */
  void certifyAll(CommittedView committed) {
    List<LinkWeight> links =
        ghs.neighbours().stream().map(ghs::weight).filter(Objects::nonNull).sorted().toList();
    for (LinkWeight link : links) {
      if (!committed.equals(node.commitment.view()) || !node.commitment.isCommitted()) {
        return;
      }
      certify(link.opposite(ghs.self()));
    }
  }

  /** Checks one link to a member, if it is not a tree edge and this is its lower end. */
  void certify(NodeId peer) {
    CommittedView committed = node.commitment.view();
    LinkWeight link = ghs.weight(peer);
    if (committed == null
        || link == null
        || ghs.self().compareTo(peer) > 0
        || ghs.isTreeLink(peer)
        || !committed.hasMember(peer)) {
      return;
    }
    PathEdge heaviest = committed.heaviestBetween(ghs.self(), peer, learned);
    if (heaviest != null
        && link.compareTo(heaviest.weight()) < 0
        && isLightestFor(heaviest.lowerEnd(), link)) {
      ordered.put(heaviest.lowerEnd(), link);
      route(new CutOrder(committed.round(), heaviest.lowerEnd(), link), committed);
    }
  }

  /** The heaviest edge of the committed path, as far as this node knows its present weight. */
  @Nullable LinkWeight heaviestOnPathTo(NodeId peer) {
    CommittedView committed = node.commitment.view();
    if (committed == null || !committed.hasMember(peer)) {
      return null;
    }
    PathEdge heaviest = committed.heaviestBetween(ghs.self(), peer, learned);
    return heaviest == null ? null : heaviest.weight();
  }

  private boolean isLightestFor(NodeId lowerEnd, LinkWeight link) {
    LinkWeight lightest = ordered.get(lowerEnd);
    return lightest == null || link.compareTo(lightest) < 0;
  }

  /**
   * Forwards an order, or obeys or refuses it. An order for another tree is dropped, and so is any
   * order at a node whose fragment merges: the coming commit certifies again.
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
    if (order.lowerEnd().equals(ghs.self())) {
      obeyOrRefuse(order, committed);
    } else {
      forward(committed.nextHop(ghs.self(), order.lowerEnd()), order);
    }
  }

  /** Decides by the present weight, which only the ends of the edge know. */
  private void obeyOrRefuse(CutOrder order, CommittedView committed) {
    LinkWeight present = ghs.parentWeight();
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
    route(new Refuse(order.version(), ghs.self(), present, order.lighterLink()), committed);
  }

  /** Forwards the answer, or certifies again, now against the next heaviest edge. */
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
    if (addressee.equals(ghs.self())) {
      learned.put(refusal.lowerEnd(), refusal.present());
      ordered.remove(refusal.lowerEnd());
      certifyAll(committed);
    } else {
      forward(committed.nextHop(ghs.self(), addressee), refusal);
    }
  }

  private @Nullable CommittedView currentView(Round version) {
    CommittedView committed = node.commitment.view();
    boolean isCurrent =
        committed != null && committed.round().equals(version) && node.commitment.isCommitted();
    return isCurrent ? committed : null;
  }

  /** Sends nothing over a link that is down: its loss leads to a new tree anyway. */
  private void forward(NodeId next, MstMessage message) {
    if (ghs.hasLink(next)) {
      node.send(next, message);
    }
  }
}
