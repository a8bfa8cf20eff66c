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
import io.treecast.monitor.SignificantWeight;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What both ends of a link take it to weigh: the owner tells the other end, at once or with its
 * next probe, and each end tells its tree when it has sent or heard that. So both trees learn of it
 * at the same place among their messages, and hold the same.
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
   * At the owner: tells a weight at once. In this order: what this end's tree says on account of it
   * must come after it.
   */
  void tell(Link link, long rttMicros, long nowNanos) {
    link.control.send(new WeightUpdate(++link.weightVersion, rttMicros));
    agree(link, rttMicros, nowNanos);
  }

  /** At the owner: a weight that cannot change the tree is told with the next probe. */
  void tellWithProbe(Link link, long rttMicros) {
    link.ridingMicros = rttMicros;
  }

  /**
   * At the owner: the weight that a probe takes along; to be followed by {@link #rode} when the
   * probe is sent.
   *
   * @return null if there is none
   */
  @Nullable WeightUpdate rider(Link link) {
    return link.ridingMicros > 0 && stillRides(link)
        ? new WeightUpdate(++link.weightVersion, link.ridingMicros)
        : null;
  }

  /**
   * Whether the weight that was to ride, since it could not change the tree, still cannot. While
   * the tree is changed it waits: a search may count on the link. When the link has become an edge,
   * the cost of a change would cut it again: then it is not told, and the next measurement decides
   * anew.
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

  /** At the owner: a probe has taken the weight along. */
  void rode(Link link, long nowNanos) {
    agree(link, link.ridingMicros, nowNanos);
  }

  /**
   * The owner tells a weight.
   *
   * @return whether it may say that now
   */
  boolean told(Link link, WeightUpdate update, long nowNanos) {
    if (link.isOwnedBy(self) || update.version() <= link.weightVersion) {
      return false;
    }
    link.weightVersion = update.version();
    agree(link, update.rttMicros(), nowNanos);
    return true;
  }

  /** The session is over, and with it what both agreed on. */
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
