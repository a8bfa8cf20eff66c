package io.treecast.cli.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TreePredictionTest {
  private static final List<NodeId> MEMBERS =
      Stream.of("1", "2", "3", "4").map(NodeId::of).toList();
  private static final LinkWeight A = Trees.edge(1, 2, 1_000);
  private static final LinkWeight B = Trees.edge(2, 3, 2_000);
  private static final LinkWeight C = Trees.edge(3, 4, 3_000);
  private static final LinkWeight SPARE = Trees.edge(1, 3, 9_000);
  private static final List<LinkWeight> LINKS = List.of(A, B, C, SPARE);
  private static final List<LinkWeight> TREE = List.of(A, B, C);

  private static Edge edge(LinkWeight link) {
    return Edge.between(link.low(), link.high());
  }

  @Test
  void the_lightest_link_across_the_cut_takes_the_place_of_an_edge_that_goes_down() {
    TreePrediction prediction = TreePrediction.of(MEMBERS, LINKS, TREE, Set.of(edge(B)), Set.of());

    assertThat(prediction.after()).containsExactly(A, C, SPARE);
    assertThat(prediction.changes())
        .isEqualTo(new EdgeChanges(List.of(B), List.of(SPARE), List.of()));
    assertThat(prediction.parts()).hasSize(1);
  }

  @Test
  void a_link_beside_the_tree_that_goes_down_changes_nothing() {
    TreePrediction prediction =
        TreePrediction.of(MEMBERS, LINKS, TREE, Set.of(edge(SPARE)), Set.of());

    assertThat(prediction.after()).isEqualTo(prediction.before());
  }

  @Test
  void an_edge_without_a_substitute_splits_the_cluster() {
    TreePrediction prediction = TreePrediction.of(MEMBERS, LINKS, TREE, Set.of(edge(C)), Set.of());

    assertThat(prediction.parts()).hasSize(2);
    assertThat(prediction.parts().get(1)).containsExactly(NodeId.of("4"));
  }

  @Test
  void the_links_of_an_agent_that_crashes_go_with_it() {
    TreePrediction prediction =
        TreePrediction.of(MEMBERS, LINKS, TREE, Set.of(), Set.of(NodeId.of("2")));

    assertThat(prediction.after()).containsExactly(C, SPARE);
    assertThat(prediction.parts()).hasSize(1);
    assertThat(prediction.parts().get(0)).doesNotContain(NodeId.of("2"));
  }

  @Test
  void an_edge_of_the_present_tree_counts_with_what_its_link_weighs_now() {
    LinkWeight slower = Trees.edge(2, 3, 10_000);
    TreePrediction prediction =
        TreePrediction.of(MEMBERS, List.of(A, slower, C, SPARE), TREE, Set.of(), Set.of());

    assertThat(prediction.before()).containsExactly(A, C, slower);
    assertThat(prediction.after()).containsExactly(A, C, SPARE);
  }
}
