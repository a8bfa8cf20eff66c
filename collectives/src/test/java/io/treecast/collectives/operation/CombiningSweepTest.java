package io.treecast.collectives.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.SeedSweep;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Thousands of random networks, changes and operations, each a function of its seed. */
@Tag("seeded")
class CombiningSweepTest {
  private static final long DEFAULT_SEEDS = 150;

  /** Seeds that failed once. */
  private static final long[] KEPT = {
    613, 5_100, 8_578, 9_255, 13_435, 15_973, 18_425, 28_264, 32_802, 57_119, 73_793, 114_802,
    512_029, 519_017, 533_005, 533_075
  };

  @Test
  void each_result_contains_each_contribution_once() {
    Map<String, Long> coverage = new TreeMap<>();
    if (SeedSweep.assertPasses(CombiningRun.of(coverage), DEFAULT_SEEDS, KEPT)) {
      assertThat(coverage)
          .containsKeys(
              "completed, BARRIER",
              "completed, REDUCE",
              "completed, REDUCE with hub",
              "completed, GATHER",
              "completed, GATHER with hub",
              "completed, SCATTER with hub",
              "completed without lost members",
              "failed, MEMBERS_MISSING",
              "failed, DISAGREEMENT",
              "failed, NO_ROOM",
              "failed, RESULT_LOST",
              "repeated",
              "withdrawn",
              "crash",
              "parts",
              "stream lost");
    }
  }
}
