package io.treecast.collectives.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Thousands of random networks and changes, each a function of its seed ({@link SeedSweep}). */
@Tag("seeded")
class ReplicationSweepTest {
  private static final long DEFAULT_SEEDS = 150;

  @Test
  void every_member_delivers_all_messages_of_any_survivor_once_and_in_order() {
    RunCoverage coverage = new RunCoverage();
    if (SeedSweep.assertPasses(
        new ReplicationRun(coverage, false, false, true),
        DEFAULT_SEEDS,
        361,
        6_483,
        26_240,
        63_181,
        100_720)) {
      assertThat(coverage.counts())
          .as("what the sweep came across")
          .containsKeys(
              "link lost",
              "crash",
              "restart",
              "silent after a restart",
              "forgotten",
              "topic forgotten",
              "topic begun again",
              "edge beside the tree",
              "delivered",
              "forwarded",
              "duplicate",
              "gap",
              "missed, AGENT_AWAY",
              "missed, NOT_RETAINED",
              "missed, SKIPPED",
              "live",
              "resubscribed",
              "abandoned",
              "confirmed by all",
              "confirmed by some",
              "confirmed when a member was gone",
              "awaits a member that restarted or missed it",
              "unsubscribed",
              "wanted nowhere",
              "wanted somewhere",
              "credit given back",
              "taken ahead",
              "not taken ahead",
              "upload given up",
              "upload abandoned, then missed");
    }
  }
}
