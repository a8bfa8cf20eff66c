package io.treecast.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OraclesAgreeTest {
  @Test
  void both_oracles_find_the_same_forest_of_random_graphs() {
    for (long seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      int vertexCount = 1 + random.nextInt(40);
      assertAgreement(seed, vertexCount, random.nextInt(4 * vertexCount), random);
    }
  }

  @Test
  void both_oracles_find_the_same_forest_of_a_large_graph() {
    assertAgreement(1, 1_000, 8_000, new Random(1));
  }

  private static void assertAgreement(long seed, int vertexCount, int edgeCount, Random random) {
    List<Integer> vertices = IntStream.range(0, vertexCount).boxed().toList();
    List<Integer> weights =
        new ArrayList<>(IntStream.range(0, edgeCount).map(i -> 3 * i).boxed().toList());
    Collections.shuffle(weights, random);
    List<WeightedEdge<Integer, Integer>> edges = new ArrayList<>();
    for (int weight : weights) {
      int a = random.nextInt(vertexCount);
      int b = random.nextInt(vertexCount);
      if (a != b) {
        edges.add(new WeightedEdge<>(a, b, weight));
      }
    }

    SpanningForest<Integer, Integer> kruskal = new KruskalByJGraphT().of(vertices, edges);

    assertThat(new Boruvka().of(vertices, edges)).as("seed %d", seed).isEqualTo(kruskal);
    assertThat(kruskal.edges())
        .as("seed %d", seed)
        .hasSize(vertexCount - kruskal.components().size());
  }
}
