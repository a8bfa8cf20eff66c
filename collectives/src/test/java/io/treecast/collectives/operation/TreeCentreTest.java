package io.treecast.collectives.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TreeCentreTest {
  private static NodeId id(int number) {
    return NodeId.of("n" + number);
  }

  private static LinkWeight edge(int one, int other, long cost) {
    return LinkWeight.between(id(one), id(other), cost);
  }

  @Test
  void a_lone_member_is_the_middle() {
    assertThat(TreeCentre.of(new CommittedTree(1, id(3), List.of()))).isEqualTo(id(3));
  }

  @Test
  void the_middle_is_determined_by_round_trips_not_edges() {
    List<LinkWeight> line =
        List.of(edge(0, 1, 100), edge(1, 2, 10), edge(2, 3, 10), edge(3, 4, 10));
    assertThat(TreeCentre.of(new CommittedTree(1, id(4), line))).isEqualTo(id(1));
  }

  @Test
  void no_other_member_has_a_nearer_farthest_member_and_the_root_does_not_matter() {
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      int size = 1 + random.nextInt(20);
      List<LinkWeight> edges = new ArrayList<>();
      for (int n = 1; n < size; n++) {
        edges.add(edge(n, random.nextInt(n), 1 + random.nextInt(4)));
      }
      CommittedTree tree = new CommittedTree(1, id(random.nextInt(size)), edges);
      NodeId centre = TreeCentre.of(tree);
      long least = tree.members().stream().mapToLong(m -> farthestMicros(tree, m)).min().orElse(0);
      assertThat(farthestMicros(tree, centre)).isEqualTo(least);
    }
  }

  private static long farthestMicros(CommittedTree tree, NodeId from) {
    Map<NodeId, Long> distance = new HashMap<>(Map.of(from, 0L));
    boolean more = true;
    while (more) {
      more = false;
      for (LinkWeight edge : tree.edges()) {
        Long low = distance.get(edge.low());
        Long high = distance.get(edge.high());
        if (low != null && high == null) {
          distance.put(edge.high(), low + edge.cost());
          more = true;
        } else if (high != null && low == null) {
          distance.put(edge.low(), high + edge.cost());
          more = true;
        }
      }
    }
    return distance.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
