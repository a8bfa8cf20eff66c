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
 * The weights of links on which both ends agree: the owner announces a weight to the other end, at
 * once or with its next probe, and each end informs its tree when it has sent or received that. So
 * both trees learn of it at the same place among their messages, and hold the same.
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
   * At the owner: announces a weight at once. The order matters: messages that this end's tree
   * sends because of it must come after it.
   */
  void tell(Link link, long rttMicros, long nowNanos) {
    link.control.send(new WeightUpdate(++link.weightVersion, rttMicros));
    agree(link, rttMicros, nowNanos);
  }

  /** At the owner: lets the next probe carry a weight that cannot change the tree. */
  void tellWithProbe(Link link, long rttMicros) {
    link.ridingMicros = rttMicros;
  }

  /**
   * At the owner: returns the weight for a probe to carry; to be followed by {@link #carried} when
   * the probe is sent.
   *
   * @return null if there is none
   */
  @Nullable WeightUpdate rider(Link link) {
    return link.ridingMicros > 0 && stillRides(link)
        ? new WeightUpdate(++link.weightVersion, link.ridingMicros)
        : null;
  }

  /**
   * Returns whether the weight for the next probe still cannot change the tree. While the tree is
   * changing it waits: a search may rely on the link. If the link has become an edge, the cost of a
   * change would cut it again: then the weight is dropped, and the next measurement decides.
   */
  private boolean stillRides(Link link) {
    SignificantWeight significant = link.significant;
    LinkWeight told = link.weight;
    if (tree.phase() != TreePhase.COMMITTED || significant == null || told == null) {
      return false;
    }
    if (!tree.stake(link.peer).isTouchedBy(told.cost(), link.ridingMicros)) {
      return true;
    }
    significant.withdrawn(told.cost());
    link.ridingMicros = 0;
    return false;
  }

  /** At the owner: notes that a probe has carried the weight. */
  void carried(Link link, long nowNanos) {
    agree(link, link.ridingMicros, nowNanos);
  }

  /**
   * Handles the owner's announcement of a weight.
   *
   * @return whether the owner may announce one now
   */
  boolean told(Link link, WeightUpdate update, long nowNanos) {
    if (link.isOwnedBy(self) || update.version() <= link.weightVersion) {
      return false;
    }
    link.weightVersion = update.version();
    agree(link, update.rttMicros(), nowNanos);
    return true;
  }

  /** Ends the session, and with it the agreement. */
  static void lost(Link link) {
    link.weight = null;
    link.significant = null;
    link.ridingMicros = 0;
  }

  private void agree(Link link, long rttMicros, long nowNanos) {
    link.ridingMicros = 0;
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
