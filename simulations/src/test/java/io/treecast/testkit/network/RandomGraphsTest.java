package io.treecast.testkit.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.testkit.network.Topology.Link;
import java.util.LongSummaryStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RandomGraphsTest {

  @ParameterizedTest
  @CsvSource({"1, 0, 0", "2, 1, 1", "3, 2, 3", "24, 23, 276", "100, 2, 100", "1000, 8, 4000"})
  void has_half_the_degree_times_the_nodes_as_links_and_is_connected(
      int nodes, int degree, int links) {
    for (long seed = 0; seed < 10; seed++) {
      Topology network = RandomGraphs.sparse(nodes, degree, seed);
      assertThat(network.nodes()).isEqualTo(nodes);
      assertThat(network.links()).as("seed %d", seed).hasSize(links);
      assertThat(network.component(0)).as("seed %d", seed).hasSize(nodes);
    }
  }

  @Test
  void draws_round_trips_evenly_up_to_a_second() {
    LongSummaryStatistics rtts =
        RandomGraphs.sparse(10_000, 16, 1).links().stream()
            .mapToLong(Link::rttMicros)
            .summaryStatistics();
    assertThat(rtts.getMin()).isBetween(1L, 1_000L);
    assertThat(rtts.getMax()).isBetween(999_000L, 1_000_000L);
    assertThat(rtts.getAverage()).isBetween(490_000.0, 510_000.0);
  }

  @Test
  void the_same_seed_gives_the_same_network_for_ever() {
    assertThat(RandomGraphs.sparse(5, 2, 42).links())
        .containsExactly(
            new Link(0, 1, 255_520),
            new Link(0, 3, 955_277),
            new Link(0, 4, 21_506),
            new Link(1, 2, 977_183),
            new Link(1, 3, 462_914))
        .isNotEqualTo(RandomGraphs.sparse(5, 2, 43).links());
  }

  @Test
  void refuses_a_degree_that_leaves_nodes_apart_or_is_more_than_there_are_nodes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RandomGraphs.sparse(10, 1, 0))
        .withMessageContainingAll("2 to 9", "10 nodes", "degree 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RandomGraphs.sparse(10, 10, 0))
        .withMessageContainingAll("2 to 9", "10 nodes", "degree 10");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RandomGraphs.sparse(20_000, 501, 0))
        .withMessageEndingWith("allowed is a degree of 2 to 500");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RandomGraphs.sparse(0, 0, 0))
        .withMessageContainingAll("1 to 20000", "0 nodes");
  }
}
