package io.treecast.agent.core;

import io.treecast.agent.core.LinkExplanation.AgreedWeight;
import io.treecast.agent.core.LinkExplanation.Decision;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.tree.TreeDriver;
import io.treecast.agent.core.tree.WidestTree;
import io.treecast.ghs.LinkWeight;
import io.treecast.monitor.probe.RoundTripForecast;
import io.treecast.monitor.throughput.BandwidthWeight;
import io.treecast.monitor.weight.SignificantWeight;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Explains whether and why links are in a tree. */
final class LinkExplainer {
  private final CoreConfig config;
  private final TreeDriver tree;
  private final WidestTree widestTree;

  LinkExplainer(CoreConfig config, TreeDriver tree, WidestTree widestTree) {
    this.config = config;
    this.tree = tree;
    this.widestTree = widestTree;
  }

  /** Explains whether and why the link is in the tree of this metric. */
  LinkExplanation explain(Link link, TreeMetric metric, long nowNanos) {
    return metric == TreeMetric.LATENCY ? byLatency(link, nowNanos) : byBandwidth(link, nowNanos);
  }

  private LinkExplanation byLatency(Link link, long nowNanos) {
    boolean isEdge = tree.isEdge(link.peer);
    LinkWeight heaviest = tree.heaviestOnPathTo(link.peer);
    return new LinkExplanation(
        AgentSnapshot.view(link, isEdge, widestTree.weight(link.peer), nowNanos),
        heaviest,
        decision(link, isEdge, nowNanos),
        0,
        agreed(link.weights, nowNanos));
  }

  private static List<AgreedWeight> agreed(Collection<Link.Agreed> weights, long nowNanos) {
    return weights.stream()
        .map(agreed -> new AgreedWeight(agreed.weight(), nowNanos - agreed.sinceNanos()))
        .toList();
  }

  private LinkExplanation byBandwidth(Link link, long nowNanos) {
    boolean isEdge = widestTree.isEdge(link.peer);
    LinkWeight weight = widestTree.weight(link.peer);
    LinkWeight heaviest = widestTree.heaviestOnPathTo(link.peer);
    return new LinkExplanation(
        AgentSnapshot.view(link, isEdge, weight, nowNanos),
        heaviest,
        null,
        link.isOwnedBy(config.self()) ? turningPointKbps(isEdge, weight, heaviest) : 0,
        agreed(link.bandwidthWeights, nowNanos));
  }

  private static long turningPointKbps(
      boolean isEdge, @Nullable LinkWeight weight, @Nullable LinkWeight heaviest) {
    if (weight == null) {
      return 0;
    }
    if (isEdge) {
      return BandwidthWeight.heavierBelowKbps(BandwidthWeight.stepOf(weight.cost()));
    }
    return heaviest == null || weight.compareTo(heaviest) < 0
        ? 0
        : BandwidthWeight.lighterFromKbps(weight.cost(), heaviest.cost());
  }

  private @Nullable Decision decision(Link link, boolean isEdge, long nowNanos) {
    long heaviestMicros = tree.heaviestMicrosOnPathTo(link.peer);
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
        significant.damped(nowNanos),
        significant.dampedForNanos(nowNanos));
  }
}
