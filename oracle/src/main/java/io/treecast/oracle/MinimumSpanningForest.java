package io.treecast.oracle;

import java.util.Collection;

/**
 * An algorithm for the minimum spanning forest: a minimum spanning tree for each connected
 * component. With distinct weights there is exactly one such forest, so all implementations agree.
 *
 * <p>Implementations have no state and may be used by any number of threads.
 */
public interface MinimumSpanningForest {
  /**
   * The minimum spanning forest.
   *
   * @param vertices the vertices; repetitions count once
   * @param edges the edges; parallel ones are allowed
   * @throws IllegalArgumentException if an edge is a loop or has an end that is not a vertex, or if
   *     two edges have equal weights
   */
  <V, W extends Comparable<? super W>> SpanningForest<V, W> of(
      Collection<V> vertices, Collection<WeightedEdge<V, W>> edges);
}
