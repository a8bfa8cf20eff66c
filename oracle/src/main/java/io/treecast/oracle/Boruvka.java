package io.treecast.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Borůvka's algorithm (1926): in each round every tree of the forest takes the lightest edge that
 * leaves it, until no edge leaves any tree. GHS is the distributed form of this algorithm.
 *
 * <p>Each round at least halves the number of trees that still grow, so the time is O(E log V).
 */
public final class Boruvka implements MinimumSpanningForest {
  @Override
  public <V, W extends Comparable<? super W>> SpanningForest<V, W> of(
      Collection<V> vertices, Collection<WeightedEdge<V, W>> edges) {
    WeightedGraph<V, W> input = WeightedGraph.of(vertices, edges);
    Trees<V> trees = new Trees<>(input.vertices());
    // The indices of the chosen edges. The input is sorted by weight, so this set is as well.
    TreeSet<Integer> chosen = new TreeSet<>();
    List<WeightedEdge<V, W>> all = input.edges();
    int[] candidates = new int[all.size()];
    Arrays.setAll(candidates, i -> i);
    int candidateCount = candidates.length;
    while (candidateCount > 0) {
      int[] lightest = new int[input.vertices().size()];
      Arrays.fill(lightest, -1);
      int kept = 0;
      for (int c = 0; c < candidateCount; c++) {
        WeightedEdge<V, W> edge = all.get(candidates[c]);
        int a = trees.of(edge.a());
        int b = trees.of(edge.b());
        if (a != b) {
          candidates[kept++] = candidates[c];
          keepLighter(lightest, a, candidates[c], all);
          keepLighter(lightest, b, candidates[c], all);
        }
      }
      candidateCount = kept;
      for (int index : lightest) {
        if (index >= 0 && chosen.add(index)) {
          trees.join(all.get(index).a(), all.get(index).b());
        }
      }
    }
    return new SpanningForest<>(chosen.stream().map(all::get).toList(), trees.members());
  }

  private static <V, W extends Comparable<? super W>> void keepLighter(
      int[] lightest, int tree, int index, List<WeightedEdge<V, W>> all) {
    if (lightest[tree] < 0
        || all.get(index).weight().compareTo(all.get(lightest[tree]).weight()) < 0) {
      lightest[tree] = index;
    }
  }

  /** The tree of each vertex. The number of one of its vertices identifies a tree. */
  private static final class Trees<V> {
    private final Map<V, Integer> numbers = new HashMap<>();
    private final List<V> vertices;
    private final int[] parents;

    Trees(Set<V> vertices) {
      this.vertices = new ArrayList<>(vertices);
      this.parents = new int[vertices.size()];
      for (int i = 0; i < parents.length; i++) {
        numbers.put(this.vertices.get(i), i);
        parents[i] = i;
      }
    }

    int of(V vertex) {
      return root(numbers.getOrDefault(vertex, -1));
    }

    void join(V a, V b) {
      parents[of(a)] = of(b);
    }

    List<Set<V>> members() {
      Map<Integer, Set<V>> byTree = new LinkedHashMap<>();
      for (V vertex : vertices) {
        byTree.computeIfAbsent(of(vertex), tree -> new LinkedHashSet<>()).add(vertex);
      }
      return List.copyOf(byTree.values());
    }

    private int root(int start) {
      int number = start;
      while (parents[number] != number) {
        parents[number] = parents[parents[number]];
        number = parents[number];
      }
      return number;
    }
  }
}
