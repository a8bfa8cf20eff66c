package io.treecast.agent.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which edges a new tree has and which it has no longer, in words. */
class TreeChangeTest {
  private static final NodeId ROOT = NodeId.of("n0");

  private static LinkWeight edge(int other, long rttMicros) {
    return LinkWeight.between(ROOT, NodeId.of("n" + other), rttMicros);
  }

  private static String text(@Nullable CommittedTree before, LinkWeight... edges) {
    CommittedTree tree = new CommittedTree(2, ROOT, List.of(edges));
    return TreeChange.between(before, tree, Set.of(), 0, 0).edgesText();
  }

  @Test
  void edges_that_went_come_before_those_that_came() {
    CommittedTree before = new CommittedTree(1, ROOT, List.of(edge(1, 10), edge(2, 20)));
    assertThat(text(before, edge(2, 25), edge(3, 30))).isEqualTo("-n0-n1 +n0-n3");
    assertThat(text(before, edge(2, 20))).isEqualTo("-n0-n1");
    assertThat(text(before, edge(1, 10), edge(2, 20), edge(3, 5))).isEqualTo("+n0-n3");
    assertThat(text(before, edge(1, 11), edge(2, 20))).as("other weights only").isEmpty();
  }

  @Test
  void the_lightest_of_many_edges_are_named() {
    LinkWeight[] nine =
        IntStream.rangeClosed(1, 9).mapToObj(n -> edge(n, 100 - n)).toArray(LinkWeight[]::new);
    assertThat(text(null, nine))
        .isEqualTo("+n0-n9 +n0-n8 +n0-n7 +n0-n6 +n0-n5 +n0-n4 +n0-n3 +n0-n2 and 1 more");
  }
}
