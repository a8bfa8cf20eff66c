package io.treecast.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The checked input of an algorithm.
 *
 * @param vertices in the order given
 * @param edges lightest first
 */
record WeightedGraph<V, W extends Comparable<? super W>>(
    Set<V> vertices, List<WeightedEdge<V, W>> edges) {

  static <V, W extends Comparable<? super W>> WeightedGraph<V, W> of(
      Collection<V> vertices, Collection<WeightedEdge<V, W>> edges) {
    Set<V> known = new LinkedHashSet<>(vertices);
    for (WeightedEdge<V, W> edge : edges) {
      if (edge.a().equals(edge.b())) {
        throw new IllegalArgumentException(edge + " is a loop");
      }
      if (!known.contains(edge.a()) || !known.contains(edge.b())) {
        throw new IllegalArgumentException(edge + " has an end that is not a vertex");
      }
    }
    List<WeightedEdge<V, W>> sorted = new ArrayList<>(edges);
    sorted.sort(Comparator.comparing(WeightedEdge::weight));
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i - 1).weight().compareTo(sorted.get(i).weight()) == 0) {
        throw new IllegalArgumentException(
            sorted.get(i - 1) + " and " + sorted.get(i) + " have equal weights");
      }
    }
    return new WeightedGraph<>(known, sorted);
  }
}
