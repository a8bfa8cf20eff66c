package io.treecast.agent.core.measure;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.contract.Notice.Severity;
import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.message.PeerMessage.WeightUpdate;
import io.treecast.agent.core.tree.TreeDriver;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.weight.SignificantWeight;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the weight of a link the same at both ends. The owner announces a weight to the other end,
 * at once or with its next probe. Each end applies it to its tree automaton when it has sent or
 * received the announcement. So both automata apply the weight at the same place among their
 * messages.
 */
final class AgreedWeights {
  private final NodeId self;
  private final TreeDriver tree;
  private final Consumer<Notice> notices;

  AgreedWeights(NodeId self, TreeDriver tree, Consumer<Notice> notices) {
    this.self = self;
    this.tree = tree;
    this.notices = notices;
  }

  /**
   * Announces a weight at once. Called at the owner. The announcement must precede the messages
   * that this end's automaton sends because of it.
   */
  void announce(Link link, long rttMicros, long nowNanos) {
    link.control.send(new WeightUpdate(++link.weightVersion, rttMicros));
    agree(link, rttMicros, nowNanos);
  }

  /** Announces a weight that cannot change the tree with the next probe. Called at the owner. */
  void announceWithProbe(Link link, long rttMicros) {
    link.piggybackMicros = rttMicros;
  }

  /**
   * Returns the weight that the next probe carries. Called at the owner, which must call {@link
   * #carried} when the probe is sent.
   *
   * @return the announcement; null if there is none
   */
  @Nullable WeightUpdate piggybacked(Link link) {
    return link.piggybackMicros > 0 && canPiggyback(link)
        ? new WeightUpdate(++link.weightVersion, link.piggybackMicros)
        : null;
  }

  /**
   * Returns whether the next probe may carry the waiting weight, because it still cannot change the
   * tree. While the tree is changing, the weight waits, since a search may rely on the link. If the
   * link has become an edge, the weight is dropped, and the next measurement decides: the cost of a
   * change that the weight includes would cut the edge again.
   */
  private boolean canPiggyback(Link link) {
    SignificantWeight significant = link.significant;
    LinkWeight announced = link.weight;
    if (tree.phase() != TreePhase.COMMITTED || significant == null || announced == null) {
      return false;
    }
    if (!tree.linkRole(link.peer).isAffectedBy(announced.cost(), link.piggybackMicros)) {
      return true;
    }
    significant.withdrawn(announced.cost());
    link.piggybackMicros = 0;
    return false;
  }

  /** Notes that a probe has carried the waiting weight. Called at the owner. */
  void carried(Link link, long nowNanos) {
    agree(link, link.piggybackMicros, nowNanos);
  }

  /**
   * Handles the owner's announcement of a weight.
   *
   * @return false if the announcement violates the protocol
   */
  boolean received(Link link, WeightUpdate update, long nowNanos) {
    if (link.isOwnedBy(self) || update.version() <= link.weightVersion) {
      return false;
    }
    link.weightVersion = update.version();
    agree(link, update.rttMicros(), nowNanos);
    return true;
  }

  /** Ends the session of a link, and with it the agreed weight. */
  static void lost(Link link) {
    link.weight = null;
    link.significant = null;
    link.piggybackMicros = 0;
  }

  private void agree(Link link, long rttMicros, long nowNanos) {
    link.piggybackMicros = 0;
    LinkWeight weight = LinkWeight.between(self, link.peer, rttMicros);
    boolean isFirst = link.weight == null;
    link.agreed(weight, nowNanos);
    notices.accept(
        new Notice(
            Severity.DETAIL,
            Kind.LINK_MEASURED,
            weight.low() + "-" + weight.high() + " weighs " + rttMicros / 1e3 + " ms now"));
    if (isFirst) {
      tree.measured(link, weight, nowNanos);
    } else {
      tree.reweighed(link, weight, nowNanos);
    }
  }
}
