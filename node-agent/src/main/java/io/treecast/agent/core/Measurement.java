package io.treecast.agent.core;

import io.treecast.agent.core.LinkExplanation.AgreedWeight;
import io.treecast.agent.core.LinkExplanation.Decision;
import io.treecast.agent.core.Notice.Kind;
import io.treecast.agent.core.Notice.Severity;
import io.treecast.agent.core.PeerMessage.Probe;
import io.treecast.agent.core.PeerMessage.ProbeReply;
import io.treecast.agent.core.PeerMessage.ThroughputUpdate;
import io.treecast.agent.core.PeerMessage.WeightUpdate;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.Expectation;
import io.treecast.monitor.LinkProbe;
import io.treecast.monitor.LinkQuality;
import io.treecast.monitor.RoundTripForecast;
import io.treecast.monitor.SignificantWeight;
import io.treecast.monitor.TreeStake;
import io.treecast.monitor.forecast.ForecasterBank;
import io.treecast.monitor.forecast.SharedExperience;
import io.treecast.monitor.series.SeriesResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the links weigh. The owner of a link probes it and tells the other end the weight, so both
 * hold the same. It tells the first weights when all its links are measured and their round trips
 * settled, or the first has waited for long: until then more probes make them better. Later it
 * forecasts each link from the measurements so far, and tells significant changes: at once what may
 * change the tree, the rest with the next probe.
 *
 * <p>Owned by the agent's thread.
 */
final class Measurement {
  /** Told of what is measured. */
  interface Samples {
    void measured(NodeId peer, SeriesResource resource, long value);
  }

  /** Links whose probes do not leave at the same time. */
  private static final int PHASES = 16;

  /** Further probes of a measured link while it is not settled, or others are not measured yet. */
  private static final int EXTENDED_PROBES = 80;

  /**
   * How long a measured link may take to settle. While a process starts, everything in it is slow,
   * and a tree of such weights would be changed as soon as it is there.
   */
  private static final long SETTLING_NANOS = 6_000_000_000L;

  /** How long an agent of a large cluster takes to find its neighbours. */
  private static final long FINDING_NANOS = 120_000_000_000L;

  private final CoreConfig config;
  private final NodeId self;
  private final Links links;
  private final TreeDriver tree;
  private final WidestTree widestTree;
  private final Consumer<Notice> notices;
  private final Samples samples;
  private final SharedExperience experience = new SharedExperience();

  /** Whether measured links wait to be announced. */
  private boolean announcing;

  /** Until when they wait for others to be measured. */
  private long measuredDeadlineNanos;

  /** Until when they wait to settle. */
  private long settledDeadlineNanos;

  private long nowNanos;
  private long probesSent;

  /** No probe is due before, on any link; so most events need no look at all of them. */
  private long noProbeBeforeNanos = Long.MAX_VALUE;

  Measurement(
      CoreConfig config,
      Links links,
      TreeDriver tree,
      WidestTree widestTree,
      Consumer<Notice> notices,
      Samples samples) {
    this.config = config;
    this.self = config.self();
    this.links = links;
    this.tree = tree;
    this.widestTree = widestTree;
    this.notices = notices;
    this.samples = samples;
  }

  LinkExplanation explain(Link link, long nowNanos) {
    boolean isEdge = tree.isEdge(link.peer);
    LinkWeight heaviest = tree.heaviestOnPathTo(link.peer);
    return new LinkExplanation(
        AgentSnapshot.view(link, isEdge, widestTree.weight(link.peer)),
        heaviest,
        decision(link, isEdge, heaviestMicros(heaviest), nowNanos),
        link.weights.stream()
            .map(agreed -> new AgreedWeight(agreed.rttMicros(), nowNanos - agreed.sinceNanos()))
            .toList());
  }

  /** 0 where there is none. */
  private static long heaviestMicros(@Nullable LinkWeight heaviest) {
    return heaviest == null ? 0 : heaviest.rttMicros();
  }

  private @Nullable Decision decision(
      Link link, boolean isEdge, long heaviestMicros, long nowNanos) {
    RoundTripForecast forecast = link.forecast;
    SignificantWeight significant = link.significant;
    if (forecast == null || significant == null) {
      return null;
    }
    long forecastMicros = forecast.expectation().forecastMicros();
    long errorMicros = forecast.expectation().errorMicros();
    return new Decision(
        isEdge
            ? significant.mostMicros(errorMicros)
            : config.significance().joinsBelowMicros(heaviestMicros, errorMicros),
        isEdge
            ? OptionalLong.empty()
            : significant.measurementsToGo(forecastMicros, errorMicros, heaviestMicros),
        significant.penalty(nowNanos),
        significant.damped(nowNanos));
  }

  MeasurementTotals totals() {
    return new MeasurementTotals(probesSent, experience.totals());
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
    widestTree.lost(link);
    link.weight = null;
    link.significant = null;
    link.ridingMicros = 0;
    announceIfDue(nowNanos);
  }

  /** When {@link #tick} may have something to do, and no later than it has. */
  long nextDeadlineNanos() {
    long next = Math.min(announceDeadlineNanos(), widestTree.nextDeadlineNanos());
    return Math.min(next, noProbeBeforeNanos);
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
    widestTree.tick(nowNanos);
  }

  private void probe(long nowNanos) {
    noProbeBeforeNanos = Long.MAX_VALUE;
    List<Link> reweighed = new ArrayList<>();
    for (Link link : links.open()) {
      LinkProbe probe = link.probe;
      if (probe != null && probe.nextDeadlineNanos() <= nowNanos) {
        boolean wasMeasured = probe.measured();
        OptionalLong number = probe.tick(nowNanos);
        if (number.isPresent()) {
          probesSent++;
          boolean rides = link.ridingMicros > 0;
          WeightUpdate rider =
              rides ? new WeightUpdate(++link.weightVersion, link.ridingMicros) : null;
          link.control.send(new Probe(link.probesBefore + number.getAsLong(), rider));
          if (rides) {
            reweighed.add(link);
          }
        }
        if (!wasMeasured && probe.measured()) {
          measured(probe, nowNanos);
        }
      }
      if (probe != null) {
        noteDeadline(probe);
      }
    }
    for (Link link : reweighed) {
      setWeight(link, link.ridingMicros, nowNanos);
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
      WeightUpdate rider = probe.weight();
      return rider == null || received(link, rider, nowNanos);
    } else if (message instanceof ProbeReply reply && link.probe != null) {
      replied(link, link.probe, reply, nowNanos);
    } else if (message instanceof WeightUpdate update
        && link.probe == null
        && update.version() > link.weightVersion) {
      link.weightVersion = update.version();
      setWeight(link, update.rttMicros(), nowNanos);
    } else {
      return message instanceof ThroughputUpdate update && widestTree.received(link, update);
    }
    return true;
  }

  private void replied(Link link, LinkProbe probe, ProbeReply reply, long nowNanos) {
    boolean wasMeasured = probe.measured();
    boolean isSample = probe.replied(reply.number() - link.probesBefore, nowNanos);
    if (isSample) {
      link.clock.sampled(reply.clockNanos(), probe.rttLastNanos(), nowNanos);
      link.quality.replied(
          probe.rttLastNanos(), TimeUnit.MICROSECONDS.toNanos(probe.rttMinMicros()));
      samples.measured(
          link.peer, SeriesResource.RTT, TimeUnit.NANOSECONDS.toMicros(probe.rttLastNanos()));
    }
    noteDeadline(probe);
    if (link.significant == null) {
      if (!wasMeasured && probe.measured()) {
        measured(probe, nowNanos);
      }
      announceIfDue(nowNanos);
    } else if (isSample && probe.rttLastNanos() <= config.probes().replyTimeout().toNanos()) {
      sampled(link, probe, nowNanos);
    }
  }

  /** A reply in time; one that came later tells of a stall, and nothing of the link. */
  private void sampled(Link link, LinkProbe probe, long nowNanos) {
    RoundTripForecast forecast = link.forecast;
    SignificantWeight significant = link.significant;
    LinkWeight weight = link.weight;
    if (forecast == null
        || significant == null
        || weight == null
        || !forecast.sampled(probe.rttMicros(), nowNanos)) {
      return;
    }
    LinkQuality quality = link.quality.quality();
    samples.measured(link.peer, SeriesResource.JITTER, quality.jitterMicros());
    samples.measured(link.peer, SeriesResource.LOSS, quality.lossPercent());
    if (link.suspended) {
      return;
    }
    TreeStake stake = tree.stake(link.peer);
    Expectation expectation = forecast.expectation();
    OptionalLong changed =
        significant.update(
            expectation.forecastMicros(),
            expectation.errorMicros(),
            stake,
            heaviestMicros(tree.heaviestOnPathTo(link.peer)),
            nowNanos);
    if (changed.isEmpty()) {
      return;
    }
    if (stake.isTouchedBy(weight.rttMicros(), changed.getAsLong())) {
      tree.countSent("WeightUpdate");
      announce(link, changed.getAsLong(), nowNanos);
    } else {
      link.ridingMicros = changed.getAsLong();
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
        if (link.forecast == null) {
          link.forecast =
              new RoundTripForecast(
                  config.probes(), new ForecasterBank(experience), probe.rttMinMicros(), nowNanos);
        }
        announce(link, firstMicros(link, link.significant, probe, nowNanos), nowNanos);
      }
    }
  }

  /**
   * In a large cluster a link between two members of a tree is but one more that is tried: one that
   * was lucky when it was measured is not to change the tree. But until the agent has found its
   * neighbours that is what makes the tree better.
   */
  private long firstMicros(
      Link link, SignificantWeight significant, LinkProbe probe, long nowNanos) {
    TreeStake stake = tree.stake(link.peer);
    boolean isOneMore =
        !links.isMesh()
            && stake == TreeStake.BESIDE
            && nowNanos - tree.startedNanos() >= FINDING_NANOS;
    return isOneMore
        ? significant
            .update(
                probe.rttMinMicros(),
                0,
                stake,
                heaviestMicros(tree.heaviestOnPathTo(link.peer)),
                nowNanos)
            .orElse(significant.announcedMicros())
        : significant.announcedMicros();
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
    link.ridingMicros = 0;
    LinkWeight weight = LinkWeight.between(self, link.peer, rttMicros);
    boolean isFirst = link.weight == null;
    link.agreed(weight, nowNanos);
    notices.accept(new Notice(Severity.INFO, Kind.LINK_MEASURED, "measured " + weight));
    if (isFirst) {
      tree.measured(link, weight, nowNanos);
    } else {
      tree.reweighed(link, weight, nowNanos);
    }
  }
}
