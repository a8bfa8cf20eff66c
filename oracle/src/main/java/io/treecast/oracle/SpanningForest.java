package io.treecast.oracle;

import java.util.List;
import java.util.Set;

/**
 * A spanning forest. Two forests of the same vertices, listed in the same order, are equal exactly
 * when they have the same edges and components.
 *
 * @param edges the edges, lightest first
 * @param components the vertices of each tree, iterated in the order in which they were given; the
 *     trees in the order of their first vertex
 */
public record SpanningForest<V, W extends Comparable<? super W>>(
    List<WeightedEdge<V, W>> edges, List<Set<V>> components) {
  public SpanningForest {
    edges = List.copyOf(edges);
    components = List.copyOf(components);
  }
}
