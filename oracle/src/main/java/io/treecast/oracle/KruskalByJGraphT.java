package io.treecast.oracle;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jgrapht.Graph;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.alg.spanning.KruskalMinimumSpanningTree;
import org.jgrapht.graph.WeightedMultigraph;

/**
 * Kruskal's algorithm, by JGraphT.
 *
 * <p>JGraphT compares weights as doubles and leaves the order of equal weights undefined. So the
 * weight of each edge in JGraphT is its rank in the true order: an integer, which a double
 * represents exactly.
 */
public final class KruskalByJGraphT implements MinimumSpanningForest {
  @Override
  public <V, W extends Comparable<? super W>> SpanningForest<V, W> of(
      Collection<V> vertices, Collection<WeightedEdge<V, W>> edges) {
    WeightedGraph<V, W> input = WeightedGraph.of(vertices, edges);
    Graph<V, Integer> graph = new WeightedMultigraph<>(null, null);
    input.vertices().forEach(graph::addVertex);
    for (int rank = 0; rank < input.edges().size(); rank++) {
      WeightedEdge<V, W> edge = input.edges().get(rank);
      graph.addEdge(edge.a(), edge.b(), rank);
      graph.setEdgeWeight(rank, rank);
    }
    Set<Integer> ranks =
        new TreeSet<>(new KruskalMinimumSpanningTree<>(graph).getSpanningTree().getEdges());
    List<WeightedEdge<V, W>> chosen = ranks.stream().map(input.edges()::get).toList();
    return new SpanningForest<>(chosen, components(graph, input.vertices()));
  }

  private static <V> List<Set<V>> components(Graph<V, Integer> graph, Set<V> vertices) {
    Map<V, Integer> componentNumbers = new HashMap<>();
    for (Set<V> component : new ConnectivityInspector<>(graph).connectedSets()) {
      Integer number = componentNumbers.size();
      component.forEach(vertex -> componentNumbers.put(vertex, number));
    }
    return List.copyOf(
        vertices.stream()
            .collect(
                Collectors.groupingBy(
                    vertex -> componentNumbers.getOrDefault(vertex, -1),
                    LinkedHashMap::new,
                    Collectors.<V, Set<V>>toCollection(LinkedHashSet::new)))
            .values());
  }
}
