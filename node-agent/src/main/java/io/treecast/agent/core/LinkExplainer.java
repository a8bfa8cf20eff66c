package io.treecast.agent.core;

import io.treecast.agent.core.LinkExplanation.AgreedWeight;
import io.treecast.agent.core.LinkExplanation.Decision;
import io.treecast.ghs.LinkWeight;
import io.treecast.monitor.RoundTripForecast;
import io.treecast.monitor.SignificantWeight;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Explains links to people.
 *
 * <p>Owned by the agent's thread.
 */
final class LinkExplainer {
  private final CoreConfig config;
  private final TreeDriver tree;
  private final WidestTree widestTree;

  LinkExplainer(CoreConfig config, TreeDriver tree, WidestTree widestTree) {
    this.config = config;
    this.tree = tree;
    this.widestTree = widestTree;
  }

  /** Why the link is in the tree, or is not. */
  LinkExplanation explain(Link link, long nowNanos) {
    boolean isEdge = tree.isEdge(link.peer);
    LinkWeight heaviest = tree.heaviestOnPathTo(link.peer);
    return new LinkExplanation(
        AgentSnapshot.view(link, isEdge, widestTree.weight(link.peer)),
        heaviest,
        decision(link, isEdge, nowNanos),
        link.weights.stream()
            .map(agreed -> new AgreedWeight(agreed.rttMicros(), nowNanos - agreed.sinceNanos()))
            .toList());
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
        significant.damped(nowNanos));
  }
}
