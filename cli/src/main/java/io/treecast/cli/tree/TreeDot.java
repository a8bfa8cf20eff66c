package io.treecast.cli.tree;

import io.treecast.cli.query.MetricText;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a committed tree in the DOT language of Graphviz, for {@code dot -Tsvg} or {@code neato}.
 *
 * <p>The root has a double outline. With sites, each is a cluster, and the edges between them are
 * bold. Names of nodes and sites have no characters that need escapes between quotes.
 */
public final class TreeDot {
  private TreeDot() {}

  /**
   * Returns the graph: the nodes in order, then the edges, lightest first.
   *
   * @param sites the sites of the nodes
   */
  public static String write(CommittedTree tree, Sites sites, MetricText metric) {
    StringBuilder text = new StringBuilder("graph treecast {\n");
    text.append(
        "  label=\"version %1$s, root %2$s, %3$s\";\n  \"%2$s\" [peripheries=2];\n"
            .formatted(tree.version(), tree.root(), metric.summary(tree.edges())));
    appendNodes(text, tree, sites);
    for (LinkWeight edge : tree.edges()) {
      String style = sites.areApart(edge.low(), edge.high()) ? ", style=bold" : "";
      text.append(
          "  \"%s\" -- \"%s\" [label=\"%s %s\"%s];\n"
              .formatted(edge.low(), edge.high(), metric.text(edge), metric.unit(), style));
    }
    return text.append("}\n").toString();
  }

  private static void appendNodes(StringBuilder text, CommittedTree tree, Sites sites) {
    Map<String, List<NodeId>> bySite = new LinkedHashMap<>();
    List<NodeId> withoutSite = new ArrayList<>();
    for (NodeId node : tree.members()) {
      String site = sites.siteOf(node);
      if (site != null) {
        bySite.computeIfAbsent(site, any -> new ArrayList<>()).add(node);
      } else {
        withoutSite.add(node);
      }
    }
    bySite.forEach(
        (site, nodes) -> {
          text.append("  subgraph \"cluster_").append(site).append("\" {\n");
          text.append("    label=\"site ").append(site).append("\";\n");
          nodes.forEach(node -> text.append("    \"").append(node).append("\";\n"));
          text.append("  }\n");
        });
    withoutSite.forEach(node -> text.append("  \"").append(node).append("\";\n"));
  }
}
