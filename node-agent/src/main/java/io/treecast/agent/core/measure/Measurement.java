package io.treecast.agent.core.measure;

import io.treecast.agent.core.contract.MeasurementTotals;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.link.Lateness;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Heartbeat;
import io.treecast.agent.core.message.PeerMessage.HeartbeatReply;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import io.treecast.agent.core.message.PeerMessage.ThroughputUpdate;
import io.treecast.agent.core.message.PeerMessage.WeightUpdate;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.tree.TreeDriver;
import io.treecast.agent.core.tree.WidestTree;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ClockDifference;
import io.treecast.monitor.probe.LinkProbe;
import io.treecast.monitor.probe.LinkQuality;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.RoundTripForecast;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.monitor.weight.Expectation;
import io.treecast.monitor.weight.LinkRole;
import io.treecast.monitor.weight.SignificantWeight;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Measures the links and determines their weights. The owner of a link probes it and announces the
 * weight to the other end, so that both ends {@linkplain AgreedWeights agree}. It announces the
 * {@linkplain FirstWeights first weights} of all its links together. Later it forecasts each link
 * from the measurements so far, and announces significant changes: at once if they may change the
 * tree, otherwise with the next probe. {@link Pace} decides how often links are probed.
 */
public final class Measurement {
  /** Receives measurements. */
  public interface Samples {
    void measured(NodeId peer, SeriesResource resource, long value);
  }

  /** The number of groups of links whose probes are sent at different times. */
  private static final int PHASES = 16;

  private final CoreConfig config;
  private final NodeId self;
  private final Links links;
  private final TreeDriver tree;
  private final WidestTree widestTree;
  private final Lateness lateness;
  private final Samples samples;
  private final Pace pace;
  private final Heartbeats heartbeats;
  private final LinkForecasts forecasts;
  private final AgreedWeights weights;
  private final FirstWeights firstWeights;
  private long probesSent;

  /**
   * Whether an edge of the tree is suspected to be dead, so that neighbours must call the roll as
   * well.
   */
  private boolean suspects;

  /** No probe of any link is due before this time, so most calls need not visit the links. */
  private long noProbeBeforeNanos = Long.MAX_VALUE;

  public Measurement(
      CoreConfig config,
      Links links,
      TreeDriver tree,
      WidestTree widestTree,
      Lateness lateness,
      Consumer<Notice> notices,
      Samples samples) {
    this.config = config;
    this.self = config.self();
    this.links = links;
    this.tree = tree;
    this.widestTree = widestTree;
    this.lateness = lateness;
    this.samples = samples;
    this.forecasts = new LinkForecasts(config.probes(), links.neighbourhood());
    this.pace = new Pace(config, links, tree);
    this.heartbeats = new Heartbeats(self, links, pace, lateness);
    this.weights = new AgreedWeights(self, tree, notices);
    this.firstWeights =
        new FirstWeights(
            config, links, tree, pace, lateness, forecasts, weights, this::noteDeadline);
  }

  public MeasurementTotals totals() {
    return new MeasurementTotals(probesSent + heartbeats.sent(), forecasts.errors());
  }

  /**
   * Starts to measure a link whose session has just begun. On a trial, the end that dialed the link
   * spends the probes: if it is not the owner, it sends heartbeats, and the owner sends a single
   * probe, which announces the time of the next one.
   */
  public void opened(Link link, long nowNanos) {
    boolean isDialed = link.dialedAddress != null;
    ProbePolicy usual = config.probes();
    int window = usual.windowSamples();
    if (link.isOwnedBy(self)) {
      boolean isTrial = pace.isOneMore(link, nowNanos);
      ProbePolicy policy = isTrial ? usual.brief(isDialed ? window : 1) : usual;
      int phases = links.open().size() % PHASES;
      Duration phase = policy.initialInterval().multipliedBy(phases).dividedBy(PHASES);
      if (link.probe != null) {
        link.probesBefore += link.probe.probesSent();
      }
      link.probe = new LinkProbe(policy, phase, nowNanos);
      link.closeLookUntil = 0;
      link.watchedUntil = 0;
      noteDeadline(link.probe);
    } else if (isDialed && pace.isBeside(link)) {
      heartbeats.beginTrial(link, window, nowNanos);
    }
  }

  /** Handles the end of a link's probation, after which its weight may be announced. */
  public void probationPassed(Link link, long nowNanos) {
    LinkProbe probe = link.probe;
    if (probe != null && probe.measured() && link.significant == null) {
      firstWeights.measured(link, probe, nowNanos);
      firstWeights.announceIfDue(nowNanos);
    }
  }

  private void noteDeadline(LinkProbe probe) {
    noProbeBeforeNanos = Math.min(noProbeBeforeNanos, probe.nextDeadlineNanos());
  }

  /** Ends the session of a link. Its measurements do not count in the next session. */
  public void lost(Link link, long nowNanos) {
    widestTree.lost(link);
    AgreedWeights.lost(link);
    Heartbeats.lost(link);
    firstWeights.announceIfDue(nowNanos);
  }

  /** Returns a time no later than the next deadline of {@link #tick}. */
  public long nextDeadlineNanos() {
    long next = Math.min(firstWeights.nextDeadlineNanos(), widestTree.nextDeadlineNanos());
    next = Math.min(next, Math.min(heartbeats.nextDeadlineNanos(), pace.nextDeadlineNanos()));
    return Math.min(next, noProbeBeforeNanos);
  }

  public void tick(long nowNanos) {
    if (nowNanos >= noProbeBeforeNanos) {
      probe(false, nowNanos);
    }
    heartbeats.tick(nowNanos);
    firstWeights.announceIfDue(nowNanos);
    widestTree.tick(nowNanos);
  }

  /** Returns whether the probe budget allows trials of other links. */
  public boolean mayTry(long nowNanos) {
    return pace.mayTry(nowNanos);
  }

  /**
   * Notes that a link is suspected to be dead. If it is an edge of the tree, this agent calls the
   * roll, and its neighbours do so as well.
   */
  public void suspected(Link link) {
    if (tree.isEdge(link.peer)) {
      suspects = true;
      pace.probeAllLinks();
    }
  }

  /**
   * Notes that data of an upload crosses a link. The end that watches the link probes it more
   * often.
   */
  public void uploading(Link link, long nowNanos) {
    boolean isMeasured = !link.suspended && link.weight != null;
    if (isMeasured && widestTree.isWatchedHere(link.peer) && pace.watch(link)) {
      askNow(link, nowNanos);
    }
  }

  /**
   * Follows the state of the tree, and calls the roll if that is due.
   *
   * @return whether it called the roll, so that live neighbours answer soon
   */
  public boolean follow(long nowNanos) {
    boolean hasOtherTree = pace.follow();
    boolean probesAllLinks = pace.probesAllLinks(nowNanos);
    if (hasOtherTree || probesAllLinks) {
      for (Link link : links.open()) {
        if (probesAllLinks || pace.isBrisk(link)) {
          askNow(link, nowNanos);
        }
      }
    }
    if (probesAllLinks) {
      probe(suspects, nowNanos);
      heartbeats.tick(suspects, nowNanos);
    }
    suspects = false;
    return probesAllLinks;
  }

  /** Checks whether the other end is alive, unless a probe or heartbeat is due soon. */
  public void askNow(Link link, long nowNanos) {
    heartbeats.begin(link, nowNanos);
    LinkProbe probe = link.probe;
    if (probe != null
        && probe.isSteady()
        && probe.nextProbeNanos() > nowNanos + pace.steadyNanos()) {
      probe.nextAt(nowNanos);
      noteDeadline(probe);
    }
  }

  private void probe(boolean probesAllLinks, long nowNanos) {
    noProbeBeforeNanos = Long.MAX_VALUE;
    List<Link> reweighed = new ArrayList<>();
    for (Link link : links.open()) {
      LinkProbe probe = link.probe;
      if (probe != null && probe.nextDeadlineNanos() <= nowNanos) {
        boolean wasMeasured = probe.measured();
        OptionalLong number = probe.tick(nowNanos);
        if (number.isPresent()) {
          probesSent++;
          pace.probed(link, probe, nowNanos);
          WeightUpdate piggybacked = weights.piggybacked(link);
          link.control.send(
              new Probe(
                  link.probesBefore + number.getAsLong(),
                  ceilMillis(probe.nextProbeNanos() - nowNanos),
                  probe.rttMinMicros(),
                  probesAllLinks,
                  piggybacked,
                  link.dataAck(),
                  lateness.isBusy(nowNanos),
                  0));
          if (piggybacked != null) {
            reweighed.add(link);
          }
        }
        if (!wasMeasured && probe.measured()) {
          firstWeights.measured(link, probe, nowNanos);
        }
      }
      if (probe != null) {
        noteDeadline(probe);
      }
    }
    reweighed.forEach(link -> weights.carried(link, nowNanos));
  }

  private static long ceilMillis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
  }

  /**
   * Handles a message if it is about measurement and permitted now.
   *
   * @return whether the message was handled
   */
  public boolean received(Link link, PeerMessage message, long nowNanos) {
    if (message instanceof Probe probe) {
      link.control.send(
          new ProbeReply(
              probe.number(),
              nowNanos,
              nowNanos - lateness.arrivedNanos(nowNanos) + probe.delayedNanos(),
              lateness.mostNanos(nowNanos),
              link.dataAck()));
      link.reportedRttMicros = probe.rttMicros();
      link.ownerIsBusy = probe.isBusy();
      if (probe.probesAllLinks()) {
        pace.probeAllLinks();
      }
      WeightUpdate piggybacked = probe.weight();
      // On a suspended link the weight belongs to the session that has ended.
      return piggybacked == null || link.suspended || weights.received(link, piggybacked, nowNanos);
    } else if (message instanceof ProbeReply reply && link.probe != null) {
      replied(link, link.probe, reply, nowNanos);
    } else if (message instanceof Heartbeat heartbeat && link.probe != null) {
      asked(link, link.probe, heartbeat, nowNanos);
    } else if (message instanceof HeartbeatReply reply && link.probe == null) {
      heartbeats.replied(link, reply, nowNanos);
    } else if (message instanceof WeightUpdate update) {
      return weights.received(link, update, nowNanos);
    } else {
      return message instanceof ThroughputUpdate update
          && widestTree.received(link, update, nowNanos);
    }
    return true;
  }

  private void replied(Link link, LinkProbe probe, ProbeReply reply, long nowNanos) {
    boolean wasMeasured = probe.measured();
    long arrivedNanos = lateness.arrivedNanos(nowNanos);
    long discardedBefore = probe.discarded();
    boolean isSample =
        probe.replied(
            reply.number() - link.probesBefore,
            arrivedNanos,
            reply.heldNanos(),
            lateAtBothEndsNanos(reply.lateNanos(), nowNanos));
    if (isSample) {
      sensed(link, probe, reply.clockNanos(), reply.heldNanos(), arrivedNanos, nowNanos);
    } else if (probe.discarded() > discardedBefore) {
      link.quality.discarded(nowNanos);
    }
    noteDeadline(probe);
    if (link.significant == null) {
      measuredAtFirst(link, probe, wasMeasured, nowNanos);
    } else if (isSample) {
      lookCloserIfNews(link, probe, reply.number() - link.probesBefore, nowNanos);
      sampled(link, probe, nowNanos);
    }
  }

  private long lateAtBothEndsNanos(long lateThereNanos, long nowNanos) {
    return lateThereNanos + lateness.mostNanos(nowNanos);
  }

  private void measuredAtFirst(Link link, LinkProbe probe, boolean wasMeasured, long nowNanos) {
    if (!wasMeasured && probe.measured()) {
      firstWeights.measured(link, probe, nowNanos);
    }
    firstWeights.announceIfDue(nowNanos);
  }

  /** Handles the other end's heartbeat. Its echo of the last reply is a sample. */
  private void asked(Link link, LinkProbe probe, Heartbeat heartbeat, long nowNanos) {
    link.control.send(new HeartbeatReply(heartbeat.nextMillis(), nowNanos));
    if (heartbeat.probesAllLinks()) {
      pace.probeAllLinks();
    }
    PeerMessage.ClockEcho echo = heartbeat.echo();
    long arrivedNanos = lateness.arrivedNanos(nowNanos);
    if (echo == null || link.suspended) {
      return;
    }
    long rttNanos = arrivedNanos - echo.clockNanos() - echo.heldNanos();
    if (rttNanos < 0) {
      return;
    }
    boolean wasMeasured = probe.measured();
    long lateNanos = lateAtBothEndsNanos(heartbeat.lateNanos(), nowNanos);
    boolean isSample = probe.sampled(rttNanos, lateNanos, arrivedNanos);
    if (isSample) {
      sensed(link, probe, heartbeat.clockNanos(), echo.heldNanos(), arrivedNanos, nowNanos);
    } else {
      link.quality.discarded(nowNanos);
    }
    if (link.significant == null) {
      measuredAtFirst(link, probe, wasMeasured, nowNanos);
    } else if (isSample) {
      sampled(link, probe, nowNanos);
    }
  }

  private void sensed(
      Link link,
      LinkProbe probe,
      long otherClockNanos,
      long heldNanos,
      long arrivedNanos,
      long nowNanos) {
    long rttNanos = probe.rttLastNanos();
    // The other end's clock measured the holding time, and may be fast.
    long mostNanos = rttNanos + heldNanos / ClockDifference.DRIFT_DIVISOR;
    link.clock.sampled(otherClockNanos, mostNanos, arrivedNanos);
    long leastNanos = TimeUnit.MICROSECONDS.toNanos(probe.rttMinMicros());
    link.quality.replied(rttNanos, leastNanos, nowNanos);
    samples.measured(link.peer, SeriesResource.RTT, TimeUnit.NANOSECONDS.toMicros(rttNanos));
  }

  private void lookCloserIfNews(Link link, LinkProbe probe, long number, long nowNanos) {
    RoundTripForecast forecast = link.forecast;
    if (forecast == null) {
      return;
    }
    long deviationMicros = forecast.deviationMicros(probe.rttLastMicros(), config.significance());
    boolean isNews = deviationMicros < 0 || deviationMicros > link.mostOwnDelayMicros(nowNanos);
    if (isNews && pace.startCloseLook(link, probe, number)) {
      probe.nextAt(Math.min(probe.nextProbeNanos(), nowNanos + pace.steadyNanos()));
      noteDeadline(probe);
    }
  }

  /**
   * Applies a sample to the forecast and the weight. Ignores a reply after the timeout, which would
   * show a stall and not the link's round trip.
   */
  private void sampled(Link link, LinkProbe probe, long nowNanos) {
    RoundTripForecast forecast = link.forecast;
    SignificantWeight significant = link.significant;
    LinkWeight weight = link.weight;
    if (forecast == null
        || significant == null
        || weight == null
        || probe.rttLastNanos() > config.probes().replyTimeout().toNanos()) {
      return;
    }
    long rttMicros = probe.rttMicros();
    boolean isExplained =
        forecast.isExplained(rttMicros, link.mostOwnDelayMicros(nowNanos), nowNanos);
    if (!forecast.sampled(rttMicros, isExplained, nowNanos)) {
      return;
    }
    LinkQuality quality = link.quality.quality(nowNanos);
    samples.measured(link.peer, SeriesResource.JITTER, quality.jitterMicros());
    samples.measured(link.peer, SeriesResource.LOSS, quality.lossPercent());
    if (link.suspended || isExplained) {
      return;
    }
    LinkRole linkRole = tree.linkRole(link.peer);
    Expectation expectation = forecast.expectation();
    OptionalLong changed =
        significant.update(
            expectation.forecastMicros(),
            expectation.errorMicros(),
            linkRole,
            tree.heaviestMicrosOnPathTo(link.peer),
            nowNanos);
    if (changed.isEmpty()) {
      return;
    }
    if (linkRole.isAffectedBy(weight.cost(), changed.getAsLong())) {
      tree.countSent("WeightUpdate");
      weights.announce(link, changed.getAsLong(), nowNanos);
    } else {
      weights.announceWithProbe(link, changed.getAsLong());
    }
  }
}
