package io.treecast.cli.tree;

import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.MetricText;
import io.treecast.cli.query.TreeJson;
import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * The changes of a tree's edges. An edge with only a changed weight counts as the same edge.
 *
 * @param removed edges of only the old tree
 * @param added edges of only the new tree
 * @param reweighed edges of both trees with changed weights, with the new weights
 */
record EdgeChanges(List<LinkWeight> removed, List<LinkWeight> added, List<LinkWeight> reweighed) {

  static EdgeChanges between(List<LinkWeight> before, List<LinkWeight> now) {
    List<LinkWeight> added = without(now, before);
    List<LinkWeight> reweighed = new ArrayList<>(now);
    reweighed.removeAll(before);
    reweighed.removeAll(added);
    return new EdgeChanges(without(before, now), added, reweighed);
  }

  private static List<LinkWeight> without(List<LinkWeight> edges, List<LinkWeight> others) {
    Set<Edge> ends = new HashSet<>();
    others.forEach(edge -> ends.add(Edge.between(edge.low(), edge.high())));
    return edges.stream()
        .filter(edge -> !ends.contains(Edge.between(edge.low(), edge.high())))
        .toList();
  }

  void print(OutputOption output, MetricText metric) {
    print(output, "-", removed, metric);
    print(output, "+", added, metric);
    print(output, "~", reweighed, metric);
  }

  private static void print(
      OutputOption output, String sign, List<LinkWeight> edges, MetricText metric) {
    for (LinkWeight edge : edges) {
      output.println(
          "  %s %s - %s  %s %s"
              .formatted(sign, edge.low(), edge.high(), metric.text(edge), metric.unit()));
    }
  }

  void add(ObjectNode json, MetricText metric) {
    TreeJson.addEdges(json.putArray("removed"), removed, metric);
    TreeJson.addEdges(json.putArray("added"), added, metric);
    TreeJson.addEdges(json.putArray("reweighed"), reweighed, metric);
  }
}
