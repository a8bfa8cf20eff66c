package io.treecast.cli.tree;

import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.AgentReport.LinkReport;
import io.treecast.cli.query.MetricText;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The verification that the trees of agents are the minimum spanning forest of the reported links,
 * and that agents agree with each other.
 *
 * @param trees the tree of each part of the cluster, in the order of the first members that
 *     answered
 * @param links all links with a reported weight
 * @param treeEdges the edges of all committed trees, with the present weights of their links
 * @param difference the difference between the trees and the minimum spanning forest
 * @param disagreements further problems, a sentence for people each
 */
public record ClusterVerification(
    List<CommittedTree> trees,
    SortedSet<LinkWeight> links,
    SortedSet<LinkWeight> treeEdges,
    TreeVerification difference,
    List<String> disagreements) {

  public static ClusterVerification of(List<AgentReport> reports, MetricText metric) {
    List<String> disagreements = new ArrayList<>();
    SortedSet<LinkWeight> links = links(reports, metric, disagreements);
    SortedSet<LinkWeight> treeEdges =
        TreeVerification.reweighed(treeEdges(reports, disagreements), links);
    SortedSet<NodeId> nodes = new TreeSet<>();
    reports.forEach(report -> nodes.add(report.id()));
    for (SortedSet<LinkWeight> edges : List.of(links, treeEdges)) {
      for (LinkWeight edge : edges) {
        nodes.add(edge.low());
        nodes.add(edge.high());
      }
    }
    return new ClusterVerification(
        trees(reports),
        links,
        treeEdges,
        TreeVerification.of(nodes, links, treeEdges),
        List.copyOf(disagreements));
  }

  private static List<CommittedTree> trees(List<AgentReport> reports) {
    List<CommittedTree> trees = new ArrayList<>();
    for (AgentReport report : reports) {
      CommittedTree tree = report.tree();
      if (tree != null && trees.stream().noneMatch(other -> other.hasMember(report.id()))) {
        trees.add(tree);
      }
    }
    return List.copyOf(trees);
  }

  /**
   * Returns one weight for each link: if the ends disagree, that of the low end, which owns the
   * link.
   */
  private static SortedSet<LinkWeight> links(
      List<AgentReport> reports, MetricText metric, List<String> disagreements) {
    Map<Ends, LinkWeight> byEnds = new TreeMap<>();
    for (AgentReport report : reports) {
      for (LinkReport link : report.links()) {
        LinkWeight weight = link.weight();
        if (weight == null) {
          continue;
        }
        Ends ends = new Ends(weight.low(), weight.high());
        LinkWeight other = byEnds.putIfAbsent(ends, weight);
        if (other != null && !other.equals(weight)) {
          boolean ownerReports = report.id().equals(weight.low());
          byEnds.put(ends, ownerReports ? weight : other);
          disagreements.add(
              "the ends of link %s - %s disagree on its weight: %s and %s %s"
                  .formatted(
                      ends.low, ends.high, metric.text(other), metric.text(weight), metric.unit()));
        }
      }
    }
    return new TreeSet<>(byEnds.values());
  }

  private record Ends(NodeId low, NodeId high) implements Comparable<Ends> {
    @Override
    public int compareTo(Ends other) {
      int byLow = low.compareTo(other.low);
      return byLow != 0 ? byLow : high.compareTo(other.high);
    }
  }

  private record Held(NodeId holder, CommittedTree tree) {}

  private static SortedSet<LinkWeight> treeEdges(
      List<AgentReport> reports, List<String> disagreements) {
    SortedSet<LinkWeight> edges = new TreeSet<>();
    // For each member, the first reported tree that contains it.
    TreeMap<NodeId, Held> firstOf = new TreeMap<>();
    for (AgentReport report : reports) {
      CommittedTree tree = report.tree();
      if (!report.ready()) {
        disagreements.add(report.id() + " is not ready: " + report.notReadyReason());
      }
      if (tree == null) {
        continue;
      }
      edges.addAll(tree.edges());
      if (!tree.hasMember(report.id())) {
        disagreements.add(report.id() + " is not a member of its own tree " + tree);
      }
      Held first = firstOf.get(report.id());
      if (first != null && !tree.equals(first.tree)) {
        disagreements.add(
            "%s and %s have different trees: %s and %s"
                .formatted(report.id(), first.holder, tree, first.tree));
      }
      for (NodeId member : tree.members()) {
        firstOf.putIfAbsent(member, new Held(report.id(), tree));
      }
    }
    return edges;
  }

  /** Returns whether there is neither a difference nor a disagreement. */
  public boolean isSound() {
    return difference.isMinimal() && disagreements.isEmpty();
  }

  /** Returns the sum of the weights of the tree edges. */
  public long weightMicros() {
    return treeEdges.stream().mapToLong(LinkWeight::cost).sum();
  }
}
