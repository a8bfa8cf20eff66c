package io.treecast.cli.query;

import io.treecast.ghs.LinkWeight;
import io.treecast.mst.CommittedTree;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Trees in the JSON of commands: ids are strings, times are milliseconds. */
public final class TreeJson {
  private TreeJson() {}

  public static ObjectNode object() {
    return JsonMapper.shared().createObjectNode();
  }

  /** Returns an agent's report of its tree, with the keys of the page {@code /tree.json}. */
  public static ObjectNode of(AgentReport report, MetricText metric) {
    ObjectNode json =
        object()
            .put("node", report.id().toString())
            .put("ready", report.ready())
            .put("reason", report.notReadyReason());
    CommittedTree tree = report.tree();
    if (tree != null) {
      json.put("version", tree.version()).put("root", tree.root().toString());
      if (metric == MetricText.LATENCY) {
        json.put("weightMillis", millis(tree.weightMicros()));
      }
      addEdges(json.putArray("tree"), tree.edges(), metric);
    }
    return json;
  }

  public static void addEdges(ArrayNode edges, Collection<LinkWeight> weights) {
    addEdges(edges, weights, MetricText.LATENCY);
  }

  public static void addEdges(ArrayNode edges, Collection<LinkWeight> weights, MetricText metric) {
    for (LinkWeight edge : weights) {
      ObjectNode json =
          edges.addObject().put("a", edge.low().toString()).put("b", edge.high().toString());
      metric.put(json, edge.cost());
    }
  }

  public static double millis(long micros) {
    return micros / 1e3;
  }

  /** Returns milliseconds as {@link #millis}; null for 0, which means not measured. */
  public static @Nullable Double measuredMillis(long micros) {
    return micros == 0 ? null : (Double) millis(micros);
  }
}
