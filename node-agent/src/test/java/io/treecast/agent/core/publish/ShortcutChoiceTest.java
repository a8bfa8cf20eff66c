package io.treecast.agent.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShortcutChoiceTest {
  private static final long MILLI = 1_000;

  private static NodeId node(int number) {
    return NodeId.of("n" + number);
  }

  /** n0 - n1 - n2 ..., each so far from the next. */
  private static CommittedTree line(int nodes, long rttMicros) {
    List<LinkWeight> edges =
        IntStream.range(1, nodes)
            .mapToObj(i -> LinkWeight.between(node(i - 1), node(i), rttMicros))
            .toList();
    return new CommittedTree(1, node(0), edges);
  }

  private static List<NodeId> choose(CommittedTree tree, Map<NodeId, Long> links, int most) {
    return ShortcutChoice.of(tree, node(0), links, most);
  }

  @Test
  void the_far_end_of_a_line_is_reached_by_the_member_from_which_all_have_it_soonest() {
    Map<NodeId, Long> links =
        Map.of(
            node(1), 10 * MILLI,
            node(4), 10 * MILLI,
            node(5), 14 * MILLI,
            node(6), 25 * MILLI);

    assertThat(choose(line(7, 10 * MILLI), links, 1)).containsExactly(node(4));
  }

  @Test
  void the_next_is_chosen_beside_those_that_were_chosen() {
    Map<NodeId, Long> links = new TreeMap<>();
    for (int i = 1; i < 9; i++) {
      links.put(node(i), (10L + i) * MILLI);
    }

    List<NodeId> three = choose(line(9, 10 * MILLI), links, 3);

    assertThat(three).hasSize(3).doesNotHaveDuplicates();
    assertThat(choose(line(9, 10 * MILLI), links, 2)).isEqualTo(three.subList(0, 2));
  }

  @Test
  void a_link_that_is_not_shorter_than_the_way_along_the_tree_is_not_chosen() {
    assertThat(choose(line(4, 10 * MILLI), Map.of(node(2), 20 * MILLI, node(3), 31 * MILLI), 3))
        .isEmpty();
  }

  @Test
  void an_edge_of_the_tree_and_a_link_to_no_member_are_none() {
    assertThat(choose(line(4, 10 * MILLI), Map.of(node(1), 1L, node(9), 1L), 3)).isEmpty();
  }

  @Test
  void none_is_chosen_for_less_than_a_millisecond() {
    assertThat(choose(line(10, 100), Map.of(node(9), 1L), 3)).isEmpty();
  }

  @Test
  void none_is_chosen_for_less_than_a_fiftieth_of_what_it_takes() {
    CommittedTree far =
        new CommittedTree(
            1,
            node(0),
            List.of(
                LinkWeight.between(node(0), node(1), 300 * MILLI),
                LinkWeight.between(node(1), node(2), 10 * MILLI)));

    assertThat(choose(far, Map.of(node(2), 304 * MILLI), 3)).isEmpty();
    assertThat(choose(far, Map.of(node(2), 303 * MILLI), 3)).containsExactly(node(2));
  }

  @Test
  void a_member_that_is_alone_has_none() {
    assertThat(choose(new CommittedTree(1, node(0), List.of()), Map.of(node(1), 1L), 3)).isEmpty();
  }

  /** By shortest paths over the tree and the shortcuts, relaxed until nothing changes. */
  private static List<Long> times(CommittedTree tree, Map<NodeId, Long> links, List<NodeId> by) {
    Map<NodeId, Long> times = new TreeMap<>();
    tree.members().forEach(member -> times.put(member, Long.MAX_VALUE / 2));
    times.put(node(0), 0L);
    by.forEach(peer -> times.put(peer, at(links, peer)));
    for (int round = 0; round < times.size(); round++) {
      for (LinkWeight edge : tree.edges()) {
        long low = at(times, edge.low());
        long high = at(times, edge.high());
        times.put(edge.low(), Math.min(low, high + edge.cost()));
        times.put(edge.high(), Math.min(high, low + edge.cost()));
      }
    }
    return List.copyOf(times.values());
  }

  private static long at(Map<NodeId, Long> times, NodeId node) {
    return Objects.requireNonNull(times.get(node));
  }

  private static long sum(List<Long> times) {
    return times.stream().mapToLong(Long::longValue).sum();
  }

  /**
   * As the greedy choice is meant: no other single link is better than the first that is chosen.
   */
  @Test
  void the_first_choice_is_the_best_and_each_further_one_makes_delivery_sooner() {
    int chosenAtAll = 0;
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      int nodes = 2 + random.nextInt(20);
      List<LinkWeight> edges = new ArrayList<>();
      Map<NodeId, Long> links = new TreeMap<>();
      for (int i = 1; i < nodes; i++) {
        long rttMicros = 1L + random.nextInt(100_000);
        edges.add(LinkWeight.between(node(i), node(random.nextInt(i)), rttMicros));
        if (random.nextInt(3) > 0) {
          links.put(node(i), 1L + random.nextInt(200_000));
        }
      }
      CommittedTree tree = new CommittedTree(1, node(0), edges);

      List<NodeId> chosen = choose(tree, links, 4);

      chosenAtAll += chosen.size();
      long lastSum = Long.MAX_VALUE;
      for (int i = 0; i <= chosen.size(); i++) {
        long sum = sum(times(tree, links, chosen.subList(0, i)));
        assertThat(sum).as("seed %d", seed).isLessThan(lastSum);
        lastSum = sum;
      }
      if (!chosen.isEmpty()) {
        long best = Collections.max(times(tree, links, chosen.subList(0, 1)));
        for (NodeId other : links.keySet()) {
          if (!tree.hasEdge(node(0), other)) {
            assertThat(Collections.max(times(tree, links, List.of(other))))
                .as("seed %d by %s", seed, other)
                .isGreaterThanOrEqualTo(best);
          }
        }
      }
    }
    assertThat(chosenAtAll).isGreaterThan(500);
  }
}
