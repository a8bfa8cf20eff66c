package io.treecast.cli.query;

import io.treecast.agent.runtime.status.WidestLinkReason;
import io.treecast.cli.console.RttText;
import io.treecast.ghs.LinkWeight;
import io.treecast.monitor.throughput.BandwidthWeight;
import io.treecast.proto.v1.TreeMetric;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** The metric of a tree on the command line, and the text of its weights. */
public enum MetricText {
  LATENCY("weightMillis", "ms"),
  BANDWIDTH("throughputMbps", "Mbit/s");

  /** Throughput above which links are not distinguished: {@link BandwidthWeight#MAX_STEP}. */
  private static final long FASTEST_KBPS = 1_000_000;

  private static final String AT_LEAST = "atLeast";

  private final String key;
  private final String unit;

  MetricText(String key, String unit) {
    this.key = key;
    this.unit = unit;
  }

  /** Returns the metric in the wire format. */
  TreeMetric onTheWire() {
    return this == LATENCY ? TreeMetric.TREE_METRIC_UNSPECIFIED : TreeMetric.TREE_METRIC_BANDWIDTH;
  }

  public String unit() {
    return unit;
  }

  /** Returns a weight, for people. */
  public String text(LinkWeight weight) {
    return text(weight.cost());
  }

  /** Returns the value of a weight, for people. */
  public String text(long weight) {
    return this == LATENCY ? RttText.millis(weight) : WidestLinkReason.throughputText(weight);
  }

  /** Summarises the weights of edges, lightest first, for people: their sum, or the slowest. */
  public String summary(List<LinkWeight> edges) {
    if (this == LATENCY) {
      long sum = edges.stream().mapToLong(LinkWeight::cost).sum();
      return "total weight " + RttText.millis(sum) + " ms";
    }
    return edges.isEmpty()
        ? "no slowest edge"
        : "slowest edge " + text(edges.get(edges.size() - 1)) + " Mbit/s";
  }

  /**
   * Puts the weight of an edge under the metric's key; null if not known. For throughput, also
   * whether it is a lower bound, since faster links are not distinguished.
   */
  public void put(ObjectNode edge, long weight) {
    if (this == LATENCY) {
      edge.put(key, TreeJson.millis(weight));
      return;
    }
    long kbps = BandwidthWeight.kbps(weight);
    edge.put(key, TreeJson.measuredMillis(Math.min(kbps, FASTEST_KBPS)))
        .put(AT_LEAST, kbps >= FASTEST_KBPS);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
