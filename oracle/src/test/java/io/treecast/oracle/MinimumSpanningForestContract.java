package io.treecast.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contract of every implementation; one subclass for each. */
abstract class MinimumSpanningForestContract {
  abstract MinimumSpanningForest algorithm();

  @Test
  void nothing_has_an_empty_forest() {
    assertThat(algorithm().<String, Integer>of(List.of(), List.of()))
        .isEqualTo(new SpanningForest<String, Integer>(List.of(), List.of()));
  }

  @Test
  void a_lone_vertex_is_a_tree_without_edges() {
    assertThat(algorithm().<String, Integer>of(List.of("a"), List.of()))
        .isEqualTo(new SpanningForest<String, Integer>(List.of(), List.of(Set.of("a"))));
  }

  @Test
  void the_heaviest_edge_of_a_cycle_is_left_out() {
    WeightedEdge<String, Integer> ab = new WeightedEdge<>("a", "b", 2);
    WeightedEdge<String, Integer> bc = new WeightedEdge<>("b", "c", 1);
    WeightedEdge<String, Integer> ca = new WeightedEdge<>("c", "a", 3);

    assertThat(algorithm().of(List.of("a", "b", "c"), List.of(ab, bc, ca)))
        .isEqualTo(new SpanningForest<>(List.of(bc, ab), List.of(Set.of("a", "b", "c"))));
  }

  @Test
  void the_classical_example_of_seven_vertices_comes_out() {
    List<WeightedEdge<String, Integer>> edges =
        List.of(
            new WeightedEdge<>("a", "b", 7),
            new WeightedEdge<>("a", "d", 4),
            new WeightedEdge<>("b", "c", 11),
            new WeightedEdge<>("b", "d", 9),
            new WeightedEdge<>("b", "e", 10),
            new WeightedEdge<>("c", "e", 5),
            new WeightedEdge<>("d", "e", 15),
            new WeightedEdge<>("d", "f", 6),
            new WeightedEdge<>("e", "f", 12),
            new WeightedEdge<>("e", "g", 8),
            new WeightedEdge<>("f", "g", 13));

    SpanningForest<String, Integer> forest =
        algorithm().of(List.of("a", "b", "c", "d", "e", "f", "g"), edges);

    assertThat(forest.edges()).extracting(WeightedEdge::weight).containsExactly(4, 5, 6, 7, 8, 10);
  }

  @Test
  void each_component_has_its_tree() {
    WeightedEdge<String, Integer> cd = new WeightedEdge<>("c", "d", 1);
    WeightedEdge<String, Integer> ab = new WeightedEdge<>("a", "b", 2);

    assertThat(algorithm().of(List.of("a", "b", "c", "d", "e"), List.of(ab, cd)))
        .isEqualTo(
            new SpanningForest<>(
                List.of(cd, ab), List.of(Set.of("a", "b"), Set.of("c", "d"), Set.of("e"))));
  }

  @Test
  void the_lightest_of_parallel_edges_counts() {
    WeightedEdge<String, Integer> heavy = new WeightedEdge<>("a", "b", 9);
    WeightedEdge<String, Integer> light = new WeightedEdge<>("b", "a", 8);

    assertThat(algorithm().of(List.of("a", "b"), List.of(heavy, light)).edges())
        .containsExactly(light);
  }

  @Test
  void weights_need_an_order_only_and_may_exceed_the_exact_doubles() {
    long beyond = (1L << 53) + 1;
    WeightedEdge<String, Long> ab = new WeightedEdge<>("a", "b", beyond + 1);
    WeightedEdge<String, Long> bc = new WeightedEdge<>("b", "c", beyond);
    WeightedEdge<String, Long> ca = new WeightedEdge<>("c", "a", beyond - 1);

    assertThat(algorithm().of(List.of("a", "b", "c"), List.of(ab, bc, ca)).edges())
        .containsExactly(ca, bc);
  }

  @Test
  void equal_weights_are_refused() {
    WeightedEdge<String, Integer> ab = new WeightedEdge<>("a", "b", 1);
    WeightedEdge<String, Integer> bc = new WeightedEdge<>("b", "c", 1);

    assertThatThrownBy(() -> algorithm().of(List.of("a", "b", "c"), List.of(ab, bc)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(ab.toString(), bc.toString());
  }

  @Test
  void a_loop_is_refused() {
    WeightedEdge<String, Integer> aa = new WeightedEdge<>("a", "a", 1);

    assertThatThrownBy(() -> algorithm().of(List.of("a"), List.of(aa)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(aa.toString());
  }

  @Test
  void an_edge_to_an_unknown_vertex_is_refused() {
    WeightedEdge<String, Integer> ax = new WeightedEdge<>("a", "x", 1);

    assertThatThrownBy(() -> algorithm().of(List.of("a"), List.of(ax)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(ax.toString());
  }
}
