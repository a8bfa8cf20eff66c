package io.treecast.collectives.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Thousands of random networks and changes with subscribers in total order, each a function of its
 * seed ({@link SeedSweep}).
 */
@Tag("seeded")
class OrderSweepTest {
  private static final long DEFAULT_SEEDS = 75;

  /** Seeds that failed once. */
  private static final long[] KEPT = {
    48, 450, 458, 649, 1_305, 2_098, 3_848, 3_873, 5_163, 5_786, 7_067, 14_466, 22_795, 22_911,
    42_435, 43_192, 43_417, 55_193, 68_268, 69_566, 74_109, 77_365, 77_392, 81_182, 91_157
  };

  @Test
  void subscribers_whose_members_stay_together_get_one_order() {
    RunCoverage coverage = new RunCoverage();
    if (SeedSweep.assertPasses(new OrderedRun(coverage), DEFAULT_SEEDS, KEPT)) {
      assertThat(coverage.counts())
          .as("what the sweep came across")
          .containsKeys(
              "crash",
              "restart",
              "silent after a restart",
              "link lost",
              "live",
              "missed, AGENT_AWAY",
              "missed, NOT_RETAINED",
              "resubscribed",
              "unsubscribed",
              "same order",
              "same order, while others were cut off");
    }
  }
}
