package io.treecast.collectives.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The sweep of {@link ReplicationSweepTest}, with uploads that often go round a ring. */
@Tag("seeded")
class RingSweepTest {
  private static final long DEFAULT_SEEDS = 75;

  /**
   * Once failed: a member restarted, was alone in its first tree, and began with earlier history; a
   * link broke after the last message of a data stream that closed (two of these).
   */
  private static final long[] KEPT = {1582, 3557, 7517};

  @Test
  void every_member_delivers_what_any_survivor_has_once_and_in_order() {
    RunCoverage coverage = new RunCoverage();
    if (SeedSweep.assertPasses(ReplicationRun.withRings(coverage), DEFAULT_SEEDS, KEPT)) {
      assertThat(coverage.counts())
          .as("what the sweep came across")
          .containsKeys(
              "uploads round a ring",
              "uploads along other edges",
              "loan",
              "link lost",
              "crash",
              "restart",
              "delivered",
              "duplicate",
              "gap",
              "abandoned");
    }
  }
}
