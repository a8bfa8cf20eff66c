package io.treecast.cli.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeDiameterTest {
  @Test
  void a_tree_without_edges_has_no_diameter() {
    assertThat(TreeDiameter.of(List.of())).isEqualTo(new TreeDiameter(0, 0, null, null));
  }

  @Test
  void the_path_of_most_edges_and_the_heaviest_path_may_differ() {
    TreeDiameter diameter =
        TreeDiameter.of(
            List.of(
                Trees.edge(1, 2, 10),
                Trees.edge(2, 3, 10),
                Trees.edge(3, 4, 10),
                Trees.edge(4, 5, 10),
                Trees.edge(3, 6, 1_000)));

    assertThat(diameter).isEqualTo(new TreeDiameter(4, 1_020, NodeId.of("1"), NodeId.of("6")));
  }

  @Test
  void the_reference_tree_is_as_wide_as_its_longest_path() {
    TreeDiameter diameter = TreeDiameter.of(Trees.reference().edges());

    // From a leaf of the first site, over 12, 16 and 4, to a leaf of the third.
    assertThat(diameter.micros()).isEqualTo(200 + 35_100 + 331_000 + 13_500 + 364_100 + 200);
    assertThat(diameter.edges()).isEqualTo(6);
  }

  @Test
  void the_widest_tree_of_a_forest_counts() {
    TreeDiameter diameter =
        TreeDiameter.of(List.of(Trees.edge(1, 2, 10), Trees.edge(3, 4, 20), Trees.edge(5, 6, 5)));

    assertThat(diameter).isEqualTo(new TreeDiameter(1, 20, NodeId.of("3"), NodeId.of("4")));
  }
}
