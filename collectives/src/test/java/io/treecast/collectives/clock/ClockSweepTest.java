package io.treecast.collectives.clock;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.SeedSweep;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random members, clocks, delays and faults, each a function of its seed. */
@Tag("seeded")
class ClockSweepTest {
  private static final long DEFAULT_SEEDS = 150;

  @Test
  void the_bound_contains_the_true_time_of_the_root_and_time_never_goes_back() {
    Map<String, Long> coverage = new TreeMap<>();
    if (SeedSweep.assertPasses(ClockRun.of(coverage), DEFAULT_SEEDS)) {
      assertThat(coverage)
          .containsKeys(
              "told",
              "told of the epoch before",
              "told of the past",
              "stream broke",
              "stand-still",
              "restart",
              "partition",
              "same root again",
              "wall clock stepped");
    }
  }
}
