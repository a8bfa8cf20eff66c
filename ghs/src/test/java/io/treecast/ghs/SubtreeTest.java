package io.treecast.ghs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Echoes as values. */
class SubtreeTest {
  private static final int DEEP = 10_000;

  private static NodeId node(int number) {
    return NodeId.of("h" + number);
  }

  private static LinkWeight edge(int one, int other) {
    return LinkWeight.between(node(one), node(other), 5);
  }

  private static Subtree leaf(int node, int parent) {
    return new Subtree(node(node), edge(node, parent), List.of());
  }

  private static Subtree line(long lastRttMicros) {
    LinkWeight last = LinkWeight.between(node(DEEP - 1), node(DEEP), lastRttMicros);
    Subtree line = new Subtree(node(DEEP), last, List.of());
    for (int i = DEEP - 1; i > 0; i--) {
      line = new Subtree(node(i), edge(i - 1, i), List.of(line));
    }
    return line;
  }

  @Test
  void the_order_in_which_children_answered_does_not_count() {
    Subtree one = new Subtree(node(1), null, List.of(leaf(2, 1), leaf(10, 1)));
    Subtree other = new Subtree(node(1), null, List.of(leaf(10, 1), leaf(2, 1)));

    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(other.children()).extracting(Subtree::node).containsExactly(node(2), node(10));
  }

  @Test
  void the_parent_of_each_node_counts() {
    Subtree line =
        new Subtree(node(1), null, List.of(new Subtree(node(2), edge(1, 2), List.of(leaf(3, 2)))));
    Subtree star = new Subtree(node(1), null, List.of(leaf(2, 1), leaf(3, 1)));

    assertThat(line).isNotEqualTo(star);
    assertThat(leaf(2, 1)).isNotEqualTo(leaf(2, 3));
    assertThat(leaf(2, 1)).isNotEqualTo(new Subtree(node(2), null, List.of()));
  }

  @Test
  void deep_subtrees_are_compared() {
    assertThat(line(7)).isEqualTo(line(7)).isNotEqualTo(line(8));
  }

  @Test
  void an_edge_that_leads_elsewhere_is_refused() {
    refused(1, edge(2, 3), List.of());
    refused(1, null, List.of(leaf(2, 3)));
    refused(1, null, List.of(new Subtree(node(2), null, List.of())));
    refused(1, null, List.of(leaf(1, 2)));
  }

  private static void refused(int node, @Nullable LinkWeight parentEdge, List<Subtree> children) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Subtree(node(node), parentEdge, children));
  }
}
