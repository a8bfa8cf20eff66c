package io.treecast.agent.core;

import io.treecast.agent.core.Notice.Kind;
import io.treecast.agent.core.Notice.Severity;
import io.treecast.agent.core.PeerMessage.Probe;
import io.treecast.agent.core.PeerMessage.ProbeReply;
import io.treecast.agent.core.PeerMessage.WeightUpdate;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.LinkProbe;
import io.treecast.monitor.SignificantWeight;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;

/**
 * What the links weigh. The owner of a link probes it and tells the other end the weight, so both
 * hold the same. It tells the first weights when all its links are measured and their round trips
 * settled, or the first has waited for long: until then more probes make them better. Later it
 * tells significant changes.
 *
 * <p>Owned by the agent's thread.
 */
final class Measurement {
  /** Links whose probes do not leave at the same time. */
  private static final int PHASES = 16;

  /** Further probes of a measured link while it is not settled, or others are not measured yet. */
  private static final int EXTENDED_PROBES = 80;

  /**
   * How long a measured link may take to settle. While a process starts, everything in it is slow,
   * and a tree of such weights would be changed as soon as it is there.
   */
  private static final long SETTLING_NANOS = 6_000_000_000L;

  private final CoreConfig config;
  private final NodeId self;
  private final Links links;
  private final TreeDriver tree;
  private final Consumer<Notice> notices;
  private final ObjLongConsumer<NodeId> samples;

  /** Whether measured links wait to be announced. */
  private boolean announcing;

  /** Until when they wait for others to be measured. */
  private long measuredDeadlineNanos;

  /** Until when they wait to settle. */
  private long settledDeadlineNanos;

  private long nowNanos;

  /** No probe is due before, on any link; so most events need no look at all of them. */
  private long noProbeBeforeNanos = Long.MAX_VALUE;

  Measurement(
      CoreConfig config,
      Links links,
      TreeDriver tree,
      Consumer<Notice> notices,
      ObjLongConsumer<NodeId> samples) {
    this.config = config;
    this.self = config.self();
    this.links = links;
    this.tree = tree;
    this.notices = notices;
    this.samples = samples;
  }

  /** Starts to measure a link that this end owns, for a session that has just begun. */
  void opened(Link link, long nowNanos) {
    if (link.isOwnedBy(self)) {
      Duration phase =
          config
              .probes()
              .initialInterval()
              .multipliedBy(links.open().size() % PHASES)
              .dividedBy(PHASES);
      if (link.probe != null) {
        link.probesBefore += link.probe.probesSent();
      }
      link.probe = new LinkProbe(config.probes(), phase, nowNanos);
      noteDeadline(link.probe);
    }
  }

  private void noteDeadline(LinkProbe probe) {
    noProbeBeforeNanos = Math.min(noProbeBeforeNanos, probe.nextDeadlineNanos());
  }

  /** The session is over: what was measured in it does not count in the next. */
  void lost(Link link, long nowNanos) {
    link.weight = null;
    link.significant = null;
    announceIfDue(nowNanos);
  }

  /** When {@link #tick} may have something to do, and no later than it has. */
  long nextDeadlineNanos() {
    return Math.min(announceDeadlineNanos(), noProbeBeforeNanos);
  }

  private long announceDeadlineNanos() {
    if (!announcing) {
      return Long.MAX_VALUE;
    }
    return nowNanos < measuredDeadlineNanos
        ? Math.min(measuredDeadlineNanos, settledDeadlineNanos)
        : settledDeadlineNanos;
  }

  void tick(long nowNanos) {
    if (nowNanos >= noProbeBeforeNanos) {
      probe(nowNanos);
    }
    announceIfDue(nowNanos);
  }

  private void probe(long nowNanos) {
    noProbeBeforeNanos = Long.MAX_VALUE;
    for (Link link : links.open()) {
      LinkProbe probe = link.probe;
      if (probe != null && probe.nextDeadlineNanos() <= nowNanos) {
        boolean wasMeasured = probe.measured();
        OptionalLong number = probe.tick(nowNanos);
        if (number.isPresent()) {
          link.control.send(new Probe(link.probesBefore + number.getAsLong()));
        }
        if (!wasMeasured && probe.measured()) {
          measured(probe, nowNanos);
        }
      }
      if (probe != null) {
        noteDeadline(probe);
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
      link.control.send(new ProbeReply(probe.number(), nowNanos));
    } else if (message instanceof ProbeReply reply && link.probe != null) {
      replied(link, link.probe, reply, nowNanos);
    } else if (message instanceof WeightUpdate update
        && link.probe == null
        && update.version() > link.weightVersion) {
      link.weightVersion = update.version();
      setWeight(link, update.rttMicros(), nowNanos);
    } else {
      return false;
    }
    return true;
  }

  private void replied(Link link, LinkProbe probe, ProbeReply reply, long nowNanos) {
    boolean wasMeasured = probe.measured();
    if (probe.replied(reply.number() - link.probesBefore, nowNanos)) {
      link.clock.sampled(reply.clockNanos(), probe.rttLastNanos(), nowNanos);
      samples.accept(link.peer, TimeUnit.NANOSECONDS.toMicros(probe.rttLastNanos()));
    }
    noteDeadline(probe);
    SignificantWeight significant = link.significant;
    if (significant != null) {
      OptionalLong changed = significant.update(probe.rttMicros(), nowNanos);
      if (changed.isPresent() && !link.suspended) {
        tree.countSent("WeightUpdate");
        announce(link, changed.getAsLong(), nowNanos);
      }
    } else {
      if (!wasMeasured && probe.measured()) {
        measured(probe, nowNanos);
      }
      announceIfDue(nowNanos);
    }
  }

  private void measured(LinkProbe probe, long nowNanos) {
    probe.extendBurst(EXTENDED_PROBES, nowNanos);
    noteDeadline(probe);
    if (!announcing) {
      announcing = true;
      measuredDeadlineNanos = nowNanos + config.links().batchNanos();
      settledDeadlineNanos = nowNanos + SETTLING_NANOS;
    }
  }

  /** Tells the first weights, once no link of this end is still to be measured or to settle. */
  private void announceIfDue(long nowNanos) {
    this.nowNanos = nowNanos;
    if (!announcing || (nowNanos < settledDeadlineNanos && !isReadyToAnnounce())) {
      return;
    }
    announcing = false;
    for (Link link : List.copyOf(links.open())) {
      LinkProbe probe = link.probe;
      if (probe != null && probe.measured() && link.significant == null && !link.suspended) {
        probe.endBurst(nowNanos);
        noteDeadline(probe);
        link.significant = new SignificantWeight(config.significance(), probe.rttMinMicros());
        announce(link, link.significant.announcedMicros(), nowNanos);
      }
    }
  }

  private boolean isReadyToAnnounce() {
    for (Link link : links.open()) {
      LinkProbe probe = link.probe;
      if (probe == null || link.suspended || link.significant != null) {
        continue;
      }
      boolean holdsUp = probe.measured() ? !probe.settled() : nowNanos < measuredDeadlineNanos;
      if (holdsUp) {
        return false;
      }
    }
    return true;
  }

  /** In this order: what this end's tree says on account of it must come after it. */
  private void announce(Link link, long rttMicros, long nowNanos) {
    link.control.send(new WeightUpdate(++link.weightVersion, rttMicros));
    setWeight(link, rttMicros, nowNanos);
  }

  private void setWeight(Link link, long rttMicros, long nowNanos) {
    LinkWeight weight = LinkWeight.between(self, link.peer, rttMicros);
    boolean isFirst = link.weight == null;
    link.weight = weight;
    notices.accept(new Notice(Severity.INFO, Kind.LINK_MEASURED, "measured " + weight));
    if (isFirst) {
      tree.measured(link, weight, nowNanos);
    } else {
      tree.reweighed(link, weight, nowNanos);
    }
  }
}
