package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Starts of nodes and links at different times, on the reference network, each drawn from a seed.
 * These numbers change only if the protocol does; adapt them knowingly.
 */
@Tag("seeded")
class StaggeredStartTest {
  private static final int START_SKEW_MICROS = 700_000;
  private static final int BUILD_BUDGET = 270;
  private static final int SEEDS = 21;

  /** A node that starts late finds the Connects of the others waiting, and searches with them. */
  @Test
  void nodes_that_start_apart_build_for_no_more_than_together() {
    long[] totals =
        totals(
            Long.getLong("treecast.seeds", 100 * Long.getLong("treecast.seeds.times", 1)),
            random ->
                new ReferenceNetwork().buildAt(node -> random.nextInt(START_SKEW_MICROS + 1)));

    assertThat(totals[totals.length - 1]).isLessThanOrEqualTo(BUILD_BUDGET);
  }

  @Test
  void links_that_come_up_within_two_seconds_of_the_start() {
    assertThat(List.of(medianOfBuilds(0), medianOfBuilds(1_000_000), medianOfBuilds(2_000_000)))
        .as("handed over at once, and in batches of one and of two seconds")
        .containsExactly(961L, 684L, 234L);
  }

  @Test
  void a_node_that_comes_back_with_its_links_within_a_second() {
    assertThat(List.of(medianOfRestarts(0), medianOfRestarts(1_000_000)))
        .as("handed over at once, and in batches of one second")
        .containsExactly(255L, 130L);
  }

  @Test
  void halves_that_join_with_their_links_within_two_seconds() {
    assertThat(List.of(medianOfJoinedHalves(0), medianOfJoinedHalves(2_000_000)))
        .as("handed over at once, and in batches of two seconds")
        .containsExactly(304L, 202L);
  }

  private static long medianOfBuilds(long dwellMicros) {
    return median(random -> new ReferenceNetwork().buildWith(linksUp(random, 2, dwellMicros)));
  }

  private static long medianOfRestarts(long dwellMicros) {
    return median(
        random -> {
          ReferenceNetwork network = new ReferenceNetwork();
          network.build();
          int node = random.nextInt(ReferenceNetwork.SIZE);
          network.crash(node);
          return network.restartWith(node, linksUp(random, 1, dwellMicros));
        });
  }

  private static long medianOfJoinedHalves(long dwellMicros) {
    return median(
        random -> {
          ReferenceNetwork network = new ReferenceNetwork();
          network.build();
          network.halve();
          return network.joinHalvesWith(linksUp(random, 2, dwellMicros));
        });
  }

  private static LinksUp linksUp(Random random, int withinSeconds, long dwellMicros) {
    return new LinksUp(() -> random.nextInt(withinSeconds * 1_000_000), dwellMicros);
  }

  private static long median(Function<Random, EventCosts.Cost> run) {
    return totals(SEEDS, run)[SEEDS / 2];
  }

  private static long[] totals(long seeds, Function<Random, EventCosts.Cost> run) {
    return LongStream.range(0, seeds)
        .map(seed -> run.apply(new Random(seed)).total())
        .sorted()
        .toArray();
  }
}
