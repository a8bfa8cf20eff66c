package io.treecast.cli.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.tree.TreeOutline.Branch;
import org.junit.jupiter.api.Test;

class TreeOutlineTest {

  @Test
  void every_node_is_drawn_or_counted_and_the_lines_keep_to_their_limit() {
    for (long seed = 0; seed < 200; seed++) {
      int nodes = 1 + (int) (seed * 7 % 300);
      int maxLines = 2 + (int) (seed % 60);
      int maxDepth = 1 + (int) (seed % 9);
      TreeOutline outline =
          new TreeOutline(
              Trees.random(nodes, 1 + (int) (seed % 40), seed),
              Sites.ofSize((int) (seed % 3) * 10),
              maxLines,
              maxDepth);
      assertThat(nodes(outline.root())).as("nodes, seed %d", seed).isEqualTo(nodes);
      assertThat(lines(outline.root())).as("lines, seed %d", seed).isLessThanOrEqualTo(maxLines);
      assertThat(depth(outline.root())).as("depth, seed %d", seed).isLessThanOrEqualTo(maxDepth);
    }
  }

  @Test
  void nothing_is_hidden_where_there_is_just_enough_room() {
    assertThat(lines(outline(12))).isEqualTo(12);
    assertThat(hidden(outline(12))).isZero();
    assertThat(hidden(outline(11))).isGreaterThan(0);
  }

  private static Branch outline(int maxLines) {
    return new TreeOutline(Trees.reference(), Sites.ofSize(4), maxLines, 20).root();
  }

  private static int nodes(Branch branch) {
    return branch.nodes().size()
        + branch.hiddenNodes()
        + branch.shown().stream().mapToInt(TreeOutlineTest::nodes).sum();
  }

  private static int hidden(Branch branch) {
    return branch.hiddenNodes() + branch.shown().stream().mapToInt(TreeOutlineTest::hidden).sum();
  }

  private static int lines(Branch branch) {
    return 1
        + (branch.hiddenNodes() > 0 ? 1 : 0)
        + branch.shown().stream().mapToInt(TreeOutlineTest::lines).sum();
  }

  private static int depth(Branch branch) {
    return branch.shown().stream().mapToInt(child -> 1 + depth(child)).max().orElse(0);
  }
}
