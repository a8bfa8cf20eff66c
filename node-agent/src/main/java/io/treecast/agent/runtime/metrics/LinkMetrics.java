package io.treecast.agent.runtime.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The meters of an agent's links: one set for each peer with which the agent has or wants a link.
 * Values that are not known yet are NaN. Values that only the other end measures have no meter
 * here, so that sums and averages over agents are correct. One thread at a time calls {@link
 * #update} and {@link #close}; any thread reads the meters.
 */
final class LinkMetrics implements AutoCloseable {
  private final MeterRegistry registry;
  private final NodeId self;
  private final Tags node;
  private final Map<NodeId, List<Meter>> meters = new LinkedHashMap<>();
  private final Supplier<AgentSnapshot> latest;

  LinkMetrics(MeterRegistry registry, NodeId self, Supplier<AgentSnapshot> latest) {
    this.registry = registry;
    this.self = self;
    this.node = Tags.of("node", self.toString());
    this.latest = latest;
  }

  void update(AgentSnapshot snapshot) {
    Set<NodeId> linked =
        snapshot.links().stream()
            .filter(link -> link.state() != LinkState.UNLINKED)
            .map(link -> link.peer().id())
            .collect(Collectors.toSet());
    Set.copyOf(meters.keySet()).stream().filter(p -> !linked.contains(p)).forEach(this::remove);
    linked.forEach(peer -> meters.computeIfAbsent(peer, this::metersOf));
  }

  private List<Meter> metersOf(NodeId peer) {
    Gauges of = new Gauges(peer);
    of.gauge(
        "treecast.link.tree",
        "1 if the link is an edge of the committed tree",
        null,
        link -> link.treeEdge() ? 1 : 0);
    of.gauge(
        "treecast.link.weight",
        "Weight of the link in the tree, as both ends have agreed",
        "seconds",
        link -> link.weight() == null ? Double.NaN : link.weight().cost() / 1e6);
    if (self.compareTo(peer) < 0) {
      addMeasured(of);
    }
    return of.built;
  }

  /** Adds the meters that only the end with the lower id has, because it measures. */
  private static void addMeasured(Gauges of) {
    of.gauge(
        "treecast.link.rtt",
        "Last measured round trip",
        "seconds",
        link ->
            link.expectation() == null ? Double.NaN : link.expectation().measuredMicros() / 1e6);
    of.gauge(
        "treecast.link.rtt.forecast",
        "Forecast of the next round trip",
        "seconds",
        link ->
            link.expectation() == null ? Double.NaN : link.expectation().forecastMicros() / 1e6);
    of.gauge(
        "treecast.link.jitter",
        "Average difference between consecutive round trips",
        "seconds",
        link -> link.quality() == null ? Double.NaN : link.quality().jitterMicros() / 1e6);
    of.gauge(
        "treecast.link.loss.ratio",
        "Fraction of the probes delayed by a retransmission",
        null,
        link -> link.quality() == null ? Double.NaN : link.quality().lossPercent() / 100.0);
    of.gauge(
        "treecast.link.discarded.ratio",
        "Fraction of the round trips discarded because an end was late",
        null,
        link -> link.quality() == null ? Double.NaN : link.quality().discardedPercent() / 100.0);
    of.gauge(
        "treecast.link.throughput.forecast",
        "Forecast of the next measured throughput",
        "bytes_per_second",
        link -> link.throughput() == null ? Double.NaN : link.throughput().forecastKbps() * 125.0);
  }

  private final class Gauges {
    private final NodeId peer;
    private final List<Meter> built = new ArrayList<>();

    Gauges(NodeId peer) {
      this.peer = peer;
    }

    void gauge(
        String name, String description, @Nullable String unit, ToDoubleFunction<LinkView> value) {
      built.add(
          Gauge.builder(name, LinkMetrics.this, all -> all.read(peer, value))
              .description(description)
              .baseUnit(unit)
              .tags(node.and("peer", peer.toString()))
              .register(registry));
    }
  }

  private double read(NodeId peer, ToDoubleFunction<LinkView> value) {
    return latest.get().links().stream()
        .filter(link -> link.peer().id().equals(peer))
        .mapToDouble(value)
        .findFirst()
        .orElse(Double.NaN);
  }

  private void remove(NodeId peer) {
    List<Meter> gone = meters.remove(peer);
    if (gone != null) {
      gone.forEach(registry::remove);
    }
  }

  /** Removes the meters from the registry. Idempotent. */
  @Override
  public void close() {
    Set.copyOf(meters.keySet()).forEach(this::remove);
  }
}
