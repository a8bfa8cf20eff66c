package io.treecast.agent.core;

import io.treecast.agent.core.Notice.Kind;
import io.treecast.agent.core.Notice.Severity;
import io.treecast.agent.core.PeerMessage.LinksMeasured;
import io.treecast.agent.core.PeerMessage.Probe;
import io.treecast.agent.core.PeerMessage.ProbeReply;
import io.treecast.agent.core.PeerMessage.WeightUpdate;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.LinkProbe;
import io.treecast.monitor.ProbePolicy;
import io.treecast.mst.FixedMembershipTree;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * What the links weigh. The owner of a link probes it and tells the other end the weight, so both
 * hold the same. Once all links of this node are measured, the owner may lower its weights a last
 * time; then it says so, and they are final.
 *
 * <p>Owned by the agent's thread.
 */
final class Measurement {
  /** Links whose probes do not leave at the same time. */
  private static final int PHASES = 16;

  /** Further probes of a measured link while others are not measured yet. */
  private static final int EXTENDED_PROBES = 40;

  private final NodeId self;
  private final ProbePolicy policy;
  private final Links links;
  private final FixedMembershipTree tree;
  private final Consumer<Notice> notices;

  Measurement(
      NodeId self,
      ProbePolicy policy,
      Links links,
      FixedMembershipTree tree,
      Consumer<Notice> notices) {
    this.self = self;
    this.policy = policy;
    this.links = links;
    this.tree = tree;
    this.notices = notices;
  }

  /** Starts to probe a link that this end owns. */
  void opened(Link link, long nowNanos) {
    if (self.compareTo(link.peer) < 0) {
      Duration phase =
          policy.initialInterval().multipliedBy(links.open().size() % PHASES).dividedBy(PHASES);
      link.probe = new LinkProbe(policy, phase, nowNanos);
    }
  }

  long nextDeadlineNanos() {
    long next = Long.MAX_VALUE;
    for (Link link : links.open()) {
      if (link.probe != null) {
        next = Math.min(next, link.probe.nextDeadlineNanos());
      }
    }
    return next;
  }

  void tick(long nowNanos) {
    for (Link link : links.open()) {
      LinkProbe probe = link.probe;
      if (probe != null && probe.nextDeadlineNanos() <= nowNanos) {
        OptionalLong number = probe.tick(nowNanos);
        if (number.isPresent()) {
          link.control.send(new Probe(number.getAsLong()));
        }
      }
    }
  }

  /**
   * Deals with a message if it is about measurement and in turn.
   *
   * @return whether it was
   */
  boolean received(Link link, PeerMessage message, long nowNanos) {
    if (message instanceof Probe probe) {
      link.control.send(new ProbeReply(probe.number()));
    } else if (message instanceof ProbeReply reply && link.probe != null) {
      replied(link, link.probe, reply, nowNanos);
    } else if (message instanceof WeightUpdate update
        && link.probe == null
        && !link.weightFinal
        && update.version() > link.weightVersion) {
      link.weightVersion = update.version();
      setWeight(link, update.rttMicros());
      finish(nowNanos);
    } else if (message instanceof LinksMeasured && link.weight != null) {
      // From the owner it settles the weight as well.
      link.weightFinal |= link.probe == null;
      tree.neighbourMeasured(link.peer);
    } else {
      return false;
    }
    return true;
  }

  private void replied(Link link, LinkProbe probe, ProbeReply reply, long nowNanos) {
    probe.replied(reply.number(), nowNanos);
    if (link.weight == null && probe.measured()) {
      announceWeight(link, probe.rttMicros());
      probe.extendBurst(EXTENDED_PROBES, nowNanos);
      finish(nowNanos);
    }
  }

  private void announceWeight(Link link, long rttMicros) {
    link.control.send(new WeightUpdate(++link.weightVersion, rttMicros));
    setWeight(link, rttMicros);
  }

  private void setWeight(Link link, long rttMicros) {
    LinkWeight weight = LinkWeight.between(self, link.peer, rttMicros);
    link.weight = weight;
    notices.accept(new Notice(Severity.INFO, Kind.LINK_MEASURED, "measured " + weight));
    tree.linkMeasured(weight);
  }

  /**
   * Once all links are measured: what the last probes showed still counts, then the weights stay as
   * they are, and the neighbours are told.
   */
  private void finish(long nowNanos) {
    if (!tree.allLinksMeasured()) {
      return;
    }
    for (Link link : links.open()) {
      LinkProbe probe = link.probe;
      LinkWeight weight = link.weight;
      if (probe != null && weight != null && !link.weightFinal) {
        link.weightFinal = true;
        probe.endBurst(nowNanos);
        if (probe.rttMicros() < weight.rttMicros()) {
          announceWeight(link, probe.rttMicros());
        }
      }
    }
    // In this order: a neighbour that has heard of it may wake, and send, before this node does.
    for (Link link : links.open()) {
      link.control.send(new LinksMeasured());
    }
    tree.weightsFinal();
  }
}
