package io.treecast.agent.core.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.tree.TreePaths;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RingOrderTest {
  private static NodeId node(int number) {
    return NodeId.of(Integer.toString(number));
  }

  private static LinkWeight edge(int one, int other, long cost) {
    return LinkWeight.between(node(one), node(other), cost);
  }

  private static CommittedTree tree(int root, LinkWeight... edges) {
    return new CommittedTree(1, node(root), List.of(edges));
  }

  @Test
  void near_members_come_before_far_ones_each_with_those_behind_it() {
    CommittedTree tree =
        tree(2, edge(1, 2, 30), edge(1, 3, 10), edge(3, 5, 90), edge(1, 4, 20), edge(3, 6, 80));
    assertThat(RingOrder.of(tree))
        .containsExactly(node(1), node(3), node(6), node(5), node(4), node(2));
  }

  @Test
  void the_order_is_the_same_whichever_member_is_the_root() {
    LinkWeight[] edges = {edge(1, 2, 30), edge(2, 3, 10), edge(2, 4, 10)};
    assertThat(RingOrder.of(tree(1, edges))).isEqualTo(RingOrder.of(tree(4, edges)));
  }

  @Test
  void each_member_is_the_next_of_its_previous_and_one_is_the_last() {
    Random random = new Random(1);
    List<LinkWeight> edges = new ArrayList<>();
    for (int high = 1; high < 50; high++) {
      edges.add(edge(random.nextInt(high), high, 1 + random.nextInt(100)));
    }
    CommittedTree tree = new CommittedTree(1, node(7), edges);
    for (NodeId member : tree.members()) {
      RingOrder.Place place = RingOrder.place(member, tree);
      assertThat(RingOrder.place(place.next(), tree).previous()).isEqualTo(member);
    }
    assertThat(tree.members()).filteredOn(m -> RingOrder.place(m, tree).isLast()).hasSize(1);
    assertThat(RingOrder.of(tree)).containsExactlyInAnyOrderElementsOf(tree.members());
  }

  @Test
  void the_way_round_crosses_each_edge_of_the_tree_twice_at_most() {
    Random random = new Random(2);
    List<LinkWeight> edges = new ArrayList<>();
    for (int high = 1; high < 30; high++) {
      edges.add(edge(random.nextInt(high), high, 1 + random.nextInt(100)));
    }
    CommittedTree tree = new CommittedTree(1, node(0), edges);
    List<NodeId> order = RingOrder.of(tree);
    long roundMicros = 0;
    for (NodeId member : order) {
      TreePaths paths = new TreePaths(member);
      paths.treeCommitted(tree);
      roundMicros += Objects.requireNonNull(paths.to(RingOrder.place(member, tree).next())).cost();
    }
    assertThat(roundMicros).isEqualTo(2 * tree.weightMicros());
  }
}
