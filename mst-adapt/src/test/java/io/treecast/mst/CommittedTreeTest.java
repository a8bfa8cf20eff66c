package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CommittedTreeTest {
  private static final NodeId A = NodeId.of("a");
  private static final NodeId B = NodeId.of("b");
  private static final NodeId C = NodeId.of("c");
  private static final NodeId D = NodeId.of("d");

  /** {@code "a-b@7"} */
  private static List<LinkWeight> edges(String... texts) {
    return Stream.of(texts)
        .map(
            text -> {
              int dash = text.indexOf('-');
              int at = text.indexOf('@');
              return LinkWeight.between(
                  NodeId.of(text.substring(0, dash)),
                  NodeId.of(text.substring(dash + 1, at)),
                  Long.parseLong(text.substring(at + 1)));
            })
        .toList();
  }

  private final CommittedTree tree = new CommittedTree(3, B, edges("c-d@1", "b-c@5", "a-b@2"));

  @Test
  void a_tree_lists_its_edges_lightest_first_whatever_their_order() {
    assertThat(tree.edges()).containsExactlyElementsOf(edges("c-d@1", "a-b@2", "b-c@5"));
    assertThat(tree).isEqualTo(new CommittedTree(3, B, edges("a-b@2", "b-c@5", "c-d@1")));
    assertThat(tree.weightMicros()).isEqualTo(8);
    assertThat(tree.version()).isEqualTo(3);
    assertThat(tree).hasToString("v3 root b, 3 edges");
  }

  @Test
  void a_tree_knows_its_members_and_their_neighbours() {
    assertThat(tree.members()).containsExactly(A, B, C, D);
    assertThat(tree.neighbours(B)).containsExactly(A, C);
    assertThat(tree.neighbours(D)).containsExactly(C);
    assertThat(tree.hasMember(D)).isTrue();
    assertThat(tree.hasMember(NodeId.of("e"))).isFalse();
    assertThat(tree.neighbours(NodeId.of("e"))).isEmpty();
  }

  @Test
  void a_tree_knows_which_members_share_an_edge_named_in_any_order() {
    assertThat(tree.hasEdge(C, D)).isTrue();
    assertThat(tree.hasEdge(D, C)).isTrue();
    assertThat(tree.hasEdge(A, C)).isFalse();
    assertThat(tree.hasEdge(B, B)).isFalse();
    assertThat(tree.hasEdge(A, NodeId.of("e"))).isFalse();
  }

  @Test
  void a_tree_knows_the_path_to_the_root() {
    assertThat(tree.parents())
        .containsOnlyKeys(A, B, C, D)
        .containsEntry(B, B)
        .containsEntry(A, B)
        .containsEntry(C, B)
        .containsEntry(D, C);
  }

  @Test
  void a_tree_of_one_node_has_no_edges() {
    CommittedTree lone = new CommittedTree(1, A, List.of());
    assertThat(lone.members()).containsExactly(A);
    assertThat(lone.neighbours(A)).isEmpty();
    assertThat(lone.parents()).containsOnlyKeys(A).containsEntry(A, A);
    assertThat(lone.weightMicros()).isZero();
  }

  @Test
  void trees_differ_by_version_root_and_weights() {
    assertThat(tree)
        .isNotEqualTo(new CommittedTree(4, B, tree.edges()))
        .isNotEqualTo(new CommittedTree(3, A, tree.edges()))
        .isNotEqualTo(new CommittedTree(3, B, edges("c-d@1", "b-c@5", "a-b@3")))
        .hasSameHashCodeAs(new CommittedTree(3, B, tree.edges()));
  }

  @Test
  void a_cycle_is_not_a_tree() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CommittedTree(1, A, edges("a-b@1", "b-c@1", "a-c@1")))
        .withMessageContainingAll("3 edges", "3 nodes");
  }

  @Test
  void two_trees_are_not_a_tree() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CommittedTree(1, A, edges("a-b@1", "c-d@1")))
        .withMessageContainingAll("2 edges", "4 nodes");
    // As many edges as a tree of its nodes has, and yet a cycle and a tree apart.
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CommittedTree(1, A, edges("a-e@1", "b-c@1", "c-d@1", "b-d@1")));
  }

  @Test
  void a_tree_contains_its_root() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CommittedTree(1, D, edges("a-b@1", "b-c@1")));
  }

  @Test
  void a_tree_has_no_two_edges_between_the_same_nodes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CommittedTree(1, A, edges("a-b@1", "a-b@2")));
  }

  @Test
  void the_version_of_a_tree_is_at_least_one() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CommittedTree(0, A, List.of()))
        .withMessageContaining("version 0");
  }
}
