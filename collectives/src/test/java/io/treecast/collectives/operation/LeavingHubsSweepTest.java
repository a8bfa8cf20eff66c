package io.treecast.collectives.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.SeedSweep;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * As {@link CombiningSweepTest}, where members that crash stay away, many operations have a hub,
 * and half of the networks have little room: knowledge spreads without a centre, and is forgotten
 * at once.
 */
@Tag("seeded")
class LeavingHubsSweepTest {
  private static final long DEFAULT_SEEDS = 75;

  /** Seeds that failed once, most of them with messages without end. */
  private static final long[] KEPT = {
    1_428, 14_421, 40_077, 43_209, 53_815, 69_958, 84_874, 102_384
  };

  @Test
  void the_outcome_of_an_operation_whose_hub_has_left_reaches_all() {
    Map<String, Long> coverage = new TreeMap<>();
    if (SeedSweep.assertPasses(CombiningRun.withLeavingHubs(coverage), DEFAULT_SEEDS, KEPT)) {
      assertThat(coverage).containsKeys("completed, REDUCE with hub", "failed, NO_ROOM", "crash");
    }
  }
}
