package io.treecast.jobs;

import io.treecast.client.TreeEdge;
import io.treecast.client.TreeView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Derives sites from the weights of the tree. In ascending order of weight, edges join members
 * until the greatest relative step between two weights, which must be a factor of {@value
 * #LEAST_RATIO} or more; the groups joined so far are the sites. Without such a step all members
 * are one site. The name of a site is its first member.
 */
final class TreeSites {
  /**
   * The least factor between two weights. The cost of a change, which new edges contain, makes a
   * smaller difference between equal links.
   */
  static final int LEAST_RATIO = 4;

  /** Shorter round trips count as this one, because their ratios are not significant. */
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

  /** Returns the number of sorted edges that are inside sites. */
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
