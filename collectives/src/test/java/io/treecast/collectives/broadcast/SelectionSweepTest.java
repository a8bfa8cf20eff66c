package io.treecast.collectives.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The sweep of {@link ReplicationSweepTest}, with messages for selected members. */
@Tag("seeded")
class SelectionSweepTest {
  private static final long DEFAULT_SEEDS = 60;

  @Test
  void selected_members_alone_deliver_each_message_once_and_confirm_it() {
    RunCoverage coverage = new RunCoverage();
    if (SeedSweep.assertPasses(ReplicationRun.withSelections(coverage), DEFAULT_SEEDS, 417)) {
      assertThat(coverage.counts())
          .as("what the sweep came across")
          .containsKeys(
              "link lost",
              "crash",
              "restart",
              "edge beside the tree",
              "delivered",
              "duplicate",
              "gap",
              "resubscribed",
              "confirmed by all",
              "confirmed by some",
              "confirmed when a member was gone",
              "all selected members are due all",
              "wanted somewhere");
    }
  }
}
