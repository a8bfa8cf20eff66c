package io.treecast.collectives.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random networks and changes in which {@code limits.origins} is too small, each a function of its
 * seed ({@link SeedSweep}).
 */
@Tag("seeded")
class CrowdedSweepTest {
  private static final long DEFAULT_SEEDS = 150;

  /** Seeds that failed once. */
  private static final long[] KEPT = {
    509, 645, 991, 1_011, 5_911, 5_944, 8_251, 11_099, 11_333, 13_191, 13_953, 15_909, 16_963,
    18_606, 27_653, 28_581, 52_333, 55_699, 30_641, 46_741, 47_803, 54_661, 58_909, 59_531, 60_469,
    66_863, 77_867, 90_863, 98_273, 99_409, 99_495, 109_271
  };

  @Test
  void no_received_item_is_lost_in_silence_when_room_is_made() {
    RunCoverage coverage = new RunCoverage();
    if (SeedSweep.assertPasses(new CrowdedRun(coverage), DEFAULT_SEEDS, KEPT)) {
      assertThat(coverage.counts())
          .as("what the sweep came across")
          .containsKeys(
              "gave way",
              "dropped",
              "known",
              "same order",
              "restart",
              "resubscribed",
              "live",
              "abandoned",
              "missed, AGENT_AWAY",
              "missed, NOT_RETAINED",
              "missed, SKIPPED");
    }
  }
}
