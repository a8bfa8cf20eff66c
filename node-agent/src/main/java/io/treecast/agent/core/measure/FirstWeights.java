package io.treecast.agent.core.measure;

import io.treecast.agent.core.link.Lateness;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.tree.TreeDriver;
import io.treecast.monitor.probe.LinkProbe;
import io.treecast.monitor.weight.LinkRole;
import io.treecast.monitor.weight.SignificantWeight;
import java.util.List;
import java.util.function.Consumer;

/**
 * Announces the first weights of the links that this agent owns, in each session. The announcement
 * comes when all links are measured and their round trips have settled, or at a deadline. Until
 * then, additional probes improve the weights.
 */
final class FirstWeights {
  /** The maximum number of additional probes of a measured link until the announcement. */
  private static final int EXTENDED_PROBES = 80;

  /**
   * How long a measured link may take to settle. A starting process measures long round trips, and
   * a tree with such weights would change soon after its commit.
   */
  private static final long SETTLING_NANOS = 6_000_000_000L;

  private final CoreConfig config;
  private final Links links;
  private final TreeDriver tree;
  private final Pace pace;
  private final Lateness lateness;
  private final LinkForecasts forecasts;
  private final AgreedWeights weights;
  private final Consumer<LinkProbe> rescheduled;

  /** Whether measured links wait for the announcement. */
  private boolean waiting;

  /** Until when measured links wait for others to be measured. */
  private long measuredDeadlineNanos;

  /**
   * Until when measured links wait to settle. The deadline moves on while this agent is busy, at
   * most to {@link #busyDeadlineNanos}.
   */
  private long settledDeadlineNanos;

  /** The latest time until which measured links wait. */
  private long busyDeadlineNanos;

  /** Whether this agent was overloaded during the wait, so that bursts were not extended. */
  private boolean overloaded;

  private long nowNanos;

  /**
   * Creates an instance without measured links.
   *
   * @param rescheduled notified when probes are rescheduled
   */
  FirstWeights(
      CoreConfig config,
      Links links,
      TreeDriver tree,
      Pace pace,
      Lateness lateness,
      LinkForecasts forecasts,
      AgreedWeights weights,
      Consumer<LinkProbe> rescheduled) {
    this.config = config;
    this.links = links;
    this.tree = tree;
    this.pace = pace;
    this.lateness = lateness;
    this.forecasts = forecasts;
    this.weights = weights;
    this.rescheduled = rescheduled;
  }

  /** Adds a measured link. Ignores a link on probation, which is added after its probation. */
  void measured(Link link, LinkProbe probe, long nowNanos) {
    if (link.onProbation) {
      return;
    }
    if (lateness.isOverloaded(nowNanos)) {
      overloaded = true; // More probes would take scarce processor time.
    } else {
      extendBurst(link, probe, nowNanos);
    }
    if (!waiting) {
      waiting = true;
      busyDeadlineNanos = nowNanos + Lateness.MAX_MEASURING_NANOS;
      measuredDeadlineNanos = nowNanos + config.links().batchNanos();
      settledDeadlineNanos = nowNanos + SETTLING_NANOS;
    }
  }

  /** Returns when {@link #announceIfDue} may become due without an event. */
  long nextDeadlineNanos() {
    if (!waiting) {
      return Long.MAX_VALUE;
    }
    return nowNanos < measuredDeadlineNanos
        ? Math.min(measuredDeadlineNanos, settledDeadlineNanos)
        : settledDeadlineNanos;
  }

  private void extendBurst(Link link, LinkProbe probe, long nowNanos) {
    if (!pace.isOneMore(link, nowNanos)) {
      probe.extendBurst(EXTENDED_PROBES, nowNanos);
      rescheduled.accept(probe);
    }
  }

  /**
   * Extends the deadline while this agent is busy. After an overload, repeats the measurements made
   * during it.
   */
  private void awaitProcessor() {
    if (lateness.isBusy(nowNanos)) {
      settledDeadlineNanos = Math.min(busyDeadlineNanos, nowNanos + SETTLING_NANOS);
    }
    if (lateness.isOverloaded(nowNanos)) {
      overloaded = true;
    } else if (overloaded) {
      overloaded = false;
      for (Link link : links.open()) {
        LinkProbe probe = link.probe;
        if (probe != null && probe.measured() && isUnannounced(link)) {
          extendBurst(link, probe, nowNanos);
        }
      }
    }
  }

  private static boolean isUnannounced(Link link) {
    return link.significant == null && !link.suspended && !link.onProbation;
  }

  /**
   * Announces the first weights if all links of this owner are measured and settled, or at the
   * deadline.
   */
  void announceIfDue(long nowNanos) {
    this.nowNanos = nowNanos;
    if (!waiting) {
      return;
    }
    awaitProcessor();
    if (nowNanos < settledDeadlineNanos && !isAllSettled()) {
      return;
    }
    waiting = false;
    for (Link link : List.copyOf(links.open())) {
      LinkProbe probe = link.probe;
      if (probe != null && probe.measured() && isUnannounced(link)) {
        probe.endBurst(nowNanos);
        rescheduled.accept(probe);
        link.significant = new SignificantWeight(config.significance(), probe.rttMinMicros());
        if (!isAsForecast(link, probe)) {
          link.forecast = forecasts.begin(link.peer, probe.rttMinMicros(), nowNanos);
        }
        weights.announce(link, firstMicros(link, link.significant, probe), nowNanos);
      }
    }
  }

  /**
   * Returns whether the measured round trip matches the forecast of earlier sessions. If it does
   * not, the forecast starts again, since its history would outweigh the next measurements.
   */
  private boolean isAsForecast(Link link, LinkProbe probe) {
    return link.forecast != null
        && link.forecast.deviationMicros(probe.rttMinMicros(), config.significance()) == 0;
  }

  private long firstMicros(Link link, SignificantWeight significant, LinkProbe probe) {
    long announcedMicros = significant.announcedMicros();
    if (!pace.isOneMore(link, nowNanos)) {
      significant.announcedWithoutSurcharge();
      return announcedMicros;
    }
    return significant
        .update(
            probe.rttMinMicros(),
            0,
            LinkRole.BESIDE,
            tree.heaviestMicrosOnPathTo(link.peer),
            nowNanos)
        .orElse(announcedMicros);
  }

  private boolean isAllSettled() {
    for (Link link : links.open()) {
      LinkProbe probe = link.probe;
      if (probe == null || !isUnannounced(link)) {
        continue;
      }
      boolean holdsUp = probe.measured() ? !probe.settled() : nowNanos < measuredDeadlineNanos;
      if (holdsUp) {
        return false;
      }
    }
    return true;
  }
}
