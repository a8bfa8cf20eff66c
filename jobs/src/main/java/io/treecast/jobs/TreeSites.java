package io.treecast.jobs;

import io.treecast.client.TreeEdge;
import io.treecast.client.TreeView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds sites by the weights of the tree. Its edges join members over ever longer links; sites are
 * what is joined before the weights grow the most, by a factor of {@value #LEAST_RATIO} or more.
 * Without such a step all members are one site. The first member of a site is its name.
 */
final class TreeSites {
  /** Above what the cost of a change, which new edges contain, can make of equal links. */
  static final int LEAST_RATIO = 4;

  /** Shorter round trips count as this one: their ratios say nothing. */
  static final long LEAST_MICROS = 250;

  private TreeSites() {}

  /** Returns the site of each member of the tree. */
  static SortedMap<String, String> of(TreeView tree) {
    List<TreeEdge> edges = new ArrayList<>(tree.edges());
    edges.sort(Comparator.comparingLong(TreeEdge::weightMicros));
    SortedMap<String, String> siteOf = new TreeMap<>();
    siteOf.put(tree.nodeId(), tree.nodeId());
    for (TreeEdge edge : edges) {
      siteOf.put(edge.low(), edge.low());
      siteOf.put(edge.high(), edge.high());
    }
    edges.subList(0, inside(edges)).forEach(edge -> join(siteOf, edge));
    return siteOf;
  }

  /** Returns how many of the sorted edges are inside sites. */
  private static int inside(List<TreeEdge> edges) {
    int inside = edges.size();
    double widest = LEAST_RATIO;
    for (int i = 1; i < edges.size(); i++) {
      double ratio = (double) micros(edges.get(i)) / micros(edges.get(i - 1));
      if (ratio >= widest) {
        widest = ratio;
        inside = i;
      }
    }
    return inside;
  }

  private static long micros(TreeEdge edge) {
    return Math.max(LEAST_MICROS, edge.weightMicros());
  }

  private static void join(SortedMap<String, String> siteOf, TreeEdge edge) {
    String one = siteOf.getOrDefault(edge.low(), edge.low());
    String other = siteOf.getOrDefault(edge.high(), edge.high());
    String name = one.compareTo(other) < 0 ? one : other;
    siteOf.replaceAll((member, site) -> site.equals(one) || site.equals(other) ? name : site);
  }
}
