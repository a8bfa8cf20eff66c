package io.treecast.collectives.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.SeedSweep;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * As {@link CombiningSweepTest}, with operations of all members of the tree, while parts form and
 * merge: parts reach results of their own, and some members have not received theirs when the parts
 * merge.
 */
@Tag("seeded")
class MergingPartsSweepTest {
  private static final long DEFAULT_SEEDS = 200;

  /**
   * Seeds that failed once: replies without credit were more than a stream may carry, and one of
   * two members that were never apart was left out.
   */
  private static final long[] KEPT = {1_110, 1_236};

  @Test
  void members_that_were_never_apart_get_the_same_result_with_their_own_contributions() {
    Map<String, Long> coverage = new TreeMap<>();
    if (SeedSweep.assertPasses(CombiningRun.withMergingParts(coverage), DEFAULT_SEEDS, KEPT)) {
      assertThat(coverage)
          .containsKeys(
              "parts",
              "completed, BARRIER",
              "completed, REDUCE",
              "completed, GATHER",
              "completed on an earlier tree",
              "failed, LEFT_OUT");
    }
  }
}
