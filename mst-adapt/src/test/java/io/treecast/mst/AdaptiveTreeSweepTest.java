package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Thousands of random networks and faults, each a function of its seed.
 *
 * <p>{@code -Dtreecast.seeds=200000} sets their number, {@code -Dtreecast.firstSeed} the first one.
 * {@code -Dtreecast.nodes}, {@code -Dtreecast.events} and {@code -Dtreecast.harsh} restrict the
 * sweep to one kind of schedule, and {@code -Dtreecast.seed=17} to one run.
 */
@Tag("seeded")
class AdaptiveTreeSweepTest {
  /** The sizes. Small runs are fast, so there are many; large ones find what small ones cannot. */
  private record Size(int maxNodes, int maxEvents, boolean isHarsh, long defaultSeeds) {}

  private static final List<Size> SIZES =
      List.of(
          new Size(10, 12, false, 1_000),
          new Size(14, 30, false, 500),
          new Size(24, 60, false, 150),
          new Size(14, 30, true, 500),
          new Size(60, 40, true, 50));

  @Test
  void every_run_comes_to_rest_with_the_minimum_spanning_forest_committed() {
    Coverage coverage = new Coverage();
    for (Size size : sizes()) {
      Long only = Long.getLong("treecast.seed");
      long first = only == null ? Long.getLong("treecast.firstSeed", 0) : only;
      long count =
          only == null
              ? Long.getLong(
                  "treecast.seeds", size.defaultSeeds() * Long.getLong("treecast.seeds.times", 1))
              : 1;
      FaultSchedule schedule =
          new FaultSchedule(size.maxNodes(), size.maxEvents(), size.isHarsh(), coverage);
      for (long seed = first; seed < first + count; seed++) {
        String failure = schedule.apply(seed);
        if (!failure.isEmpty()) {
          fail(failure);
        }
      }
    }
    if (Long.getLong("treecast.seed") == null) {
      assertThat(coverage.branches())
          .as("rare branches, and how often the sweep reached them")
          .containsOnlyKeys(RareBranch.values());
    }
  }

  /**
   * Seeds that have found faults. The product describes each fault at the rule that prevents it.
   */
  @ParameterizedTest
  @CsvSource({
    "10, 12, 33008", // A merge over a Connect whose sender had stopped waiting never came to rest.
    "14, 30, 132962", // Such a Connect waited for ever.
    "14, 30, 141697",
    "14, 30, 169782", // A node that restarted within a search answered it twice.
    "14, 30, 251", // A tree was offered over a Connect whose sender had committed a newer one.
    "24, 60, 19740", // A tree was passed on to a child that is not in it.
  })
  void a_schedule_that_once_failed(int maxNodes, int maxEvents, long seed) {
    assertThat(new FaultSchedule(maxNodes, maxEvents).apply(seed)).isEmpty();
  }

  private static List<Size> sizes() {
    Integer nodes = Integer.getInteger("treecast.nodes");
    Integer events = Integer.getInteger("treecast.events");
    return nodes == null || events == null
        ? SIZES
        : List.of(
            new Size(
                nodes, events, Boolean.getBoolean("treecast.harsh"), SIZES.get(0).defaultSeeds()));
  }
}
