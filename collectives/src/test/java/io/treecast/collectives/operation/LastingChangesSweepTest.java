package io.treecast.collectives.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.SeedSweep;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * As {@link CombiningSweepTest} and {@link LeavingHubsSweepTest}, with more members, which wait for
 * many seconds at a time, while trees, streams and members still change.
 */
@Tag("seeded")
class LastingChangesSweepTest {
  private static final long DEFAULT_SEEDS = 75;

  /** Seeds that failed once: two outcomes, values that were forgotten too soon, and no bound. */
  private static final long[] KEPT = {6_620, 350, 8_122, 46_425, 244_121};

  @Test
  void operations_end_though_contributions_expire_and_are_given_again() {
    Map<String, Long> coverage = new TreeMap<>();
    CombiningRun plain = CombiningRun.withChangesThatLast(coverage, false);
    CombiningRun hubsLeave = CombiningRun.withChangesThatLast(coverage, true);
    LongFunction<String> each = seed -> (seed % 2 == 0 ? plain : hubsLeave).apply(seed);
    if (SeedSweep.assertPasses(each, DEFAULT_SEEDS, KEPT)) {
      assertThat(coverage).containsKeys("changed at last", "completed, REDUCE with hub");
    }
  }
}
