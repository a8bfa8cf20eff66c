package io.treecast.testkit.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.testkit.network.Topology.Link;
import java.util.List;
import org.junit.jupiter.api.Test;

class BroadcastTimesTest {
  /** A ring of four nodes, 0-1-2-3-0, whose last link is slow, and a separate pair. */
  private final Topology network =
      Topology.of(
          6,
          List.of(
              new Link(0, 1, 10),
              new Link(1, 2, 20),
              new Link(2, 3, 30),
              new Link(0, 3, 1_000),
              new Link(4, 5, 7)));

  private final BroadcastTimes times = new BroadcastTimes(network);

  @Test
  void the_limit_is_half_the_round_trip_to_the_farthest_node_by_shortest_paths() {
    assertThat(times.limitNanos(0)).isEqualTo(60 * 500);
    assertThat(times.limitNanos(1)).isEqualTo(50 * 500);
    assertThat(times.limitNanos(4)).isEqualTo(7 * 500);
  }

  @Test
  void a_broadcast_along_a_tree_takes_the_deepest_path() {
    List<Link> edges = List.of(new Link(0, 1, 10), new Link(1, 2, 20), new Link(0, 3, 1_000));
    assertThat(times.lastNanos(BroadcastShape.alongTree(6, edges, 2))).isEqualTo(1_030 * 500);
    assertThat(times.lastNanos(BroadcastShape.alongTree(6, edges, 0))).isEqualTo(1_000 * 500);
  }

  @Test
  void a_star_takes_its_links_even_if_there_is_a_quicker_way_and_the_quickest_where_it_has_none() {
    assertThat(times.lastNanos(BroadcastShape.star(network, 0))).isEqualTo(1_000 * 500);
    assertThat(times.lastNanos(BroadcastShape.star(network, 1))).isEqualTo(50 * 500);
    assertThat(BroadcastShape.star(network, 0).reachedCount()).isEqualTo(4);
  }

  @Test
  void the_ratio_compares_with_the_limit() {
    assertThat(times.ratio(BroadcastShape.star(network, 0))).isEqualTo(1_000.0 / 60);
    Topology alone = Topology.of(1, List.of());
    assertThat(new BroadcastTimes(alone).ratio(BroadcastShape.star(alone, 0))).isEqualTo(1);
  }

  @Test
  void in_a_binomial_tree_the_sender_to_a_rank_is_the_rank_without_its_lowest_bit() {
    Topology complete = ReferenceNetwork.topology();
    BroadcastShape shape = BroadcastShape.binomial(complete, 0);
    assertThat(shape.sender(1)).isEqualTo(0);
    assertThat(shape.sender(12)).isEqualTo(8);
    assertThat(shape.sender(16)).isEqualTo(0);
    assertThat(shape.sender(23)).isEqualTo(22);

    BroadcastShape turned = BroadcastShape.binomial(complete, 20);
    assertThat(turned.sender(20)).isEqualTo(20);
    assertThat(turned.sender(8)).as("rank 8 sends to rank 12").isEqualTo(4);
  }

  @Test
  void the_binomial_tree_ranks_the_nodes_that_the_source_reaches() {
    BroadcastShape shape = BroadcastShape.binomial(network, 2);
    assertThat(shape.reachedCount()).isEqualTo(4);
    assertThat(shape.sender(3)).isEqualTo(2);
    assertThat(shape.sender(0)).isEqualTo(2);
    assertThat(shape.sender(1)).isEqualTo(0);
    assertThat(times.lastNanos(shape)).isEqualTo(40 * 500);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> shape.sender(5))
        .withMessageMatching(".*\\b2\\b.*\\b5\\b.*");
  }

  @Test
  void copies_between_sites_are_hops_whose_ends_lie_in_different_ones() {
    assertThat(BroadcastShape.star(network, 0).copiesBetweenSites(2)).isEqualTo(2);
    assertThat(BroadcastShape.star(network, 0).copiesBetweenSites(4)).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BroadcastShape.star(network, 0).copiesBetweenSites(0));
  }

  @Test
  void refuses_a_cycle_and_a_shape_of_another_network() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BroadcastShape.alongTree(6, network.links(), 0))
        .withMessageEndingWith("closes a cycle: not a tree");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> times.lastNanos(BroadcastShape.alongTree(6, List.of(new Link(3, 4, 1)), 3)))
        .withMessageContainingAll("node 3", "node 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> times.lastNanos(BroadcastShape.alongTree(2, List.of(), 0)))
        .withMessage("a broadcast over 2 nodes in a network of 6");
  }

  @Test
  void shortest_paths_agree_with_floyd_and_warshall_on_random_networks() {
    for (long seed = 0; seed < 20; seed++) {
      Topology random = RandomGraphs.sparse(40, 3, seed);
      BroadcastTimes randomTimes = new BroadcastTimes(random);
      long[][] distance = floydWarshall(random);
      for (int source = 0; source < random.nodes(); source++) {
        long farthest = 0;
        for (long rttMicros : distance[source]) {
          farthest = Math.max(farthest, rttMicros);
        }
        assertThat(randomTimes.limitNanos(source))
            .as("seed %d, source %d", seed, source)
            .isEqualTo(farthest * 500);
      }
    }
  }

  @Test
  void no_shape_beats_the_limit_unless_there_is_no_other_node() {
    for (long seed = 0; seed < 20; seed++) {
      Topology random = RandomGraphs.sparse(60, 4, seed);
      BroadcastTimes randomTimes = new BroadcastTimes(random);
      for (int source = 0; source < random.nodes(); source++) {
        assertThat(randomTimes.ratio(BroadcastShape.star(random, source)))
            .isGreaterThanOrEqualTo(1);
        assertThat(randomTimes.ratio(BroadcastShape.binomial(random, source)))
            .as("seed %d, source %d", seed, source)
            .isGreaterThanOrEqualTo(1);
      }
    }
  }

  private static long[][] floydWarshall(Topology network) {
    int n = network.nodes();
    long[][] distance = new long[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        distance[i][j] =
            i == j ? 0 : network.linked(i, j) ? network.rttMicros(i, j) : Long.MAX_VALUE / 4;
      }
    }
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          distance[i][j] = Math.min(distance[i][j], distance[i][k] + distance[k][j]);
        }
      }
    }
    return distance;
  }
}
