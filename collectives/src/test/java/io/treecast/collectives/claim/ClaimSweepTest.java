package io.treecast.collectives.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.SeedSweep;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random members, callers, clocks and faults, each a function of its seed. */
@Tag("seeded")
class ClaimSweepTest {
  private static final long DEFAULT_SEEDS = 150;

  /** Seeds that failed once. */
  private static final long[] KEPT = {64, 234, 298, 498};

  @Test
  void one_believes_at_a_time_and_fences_rise() {
    Map<String, Long> coverage = new TreeMap<>();
    if (SeedSweep.assertPasses(ClaimRun.of(coverage), DEFAULT_SEEDS, KEPT)) {
      assertThat(coverage)
          .containsKeys(
              "granted",
              "renewed",
              "released",
              "abandoned",
              "ended, LOST",
              "holder's agent lost",
              "partition",
              "stand-still",
              "restart",
              "restart without disk",
              "all restart");
    }
  }
}
