package io.treecast.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Thousands of random networks and changes with subscribers in total order, each a function of its
 * seed.
 *
 * <p>{@code -Dtreecast.seeds=N} tries that many, {@code -Dtreecast.firstSeed} begins there, {@code
 * -Dtreecast.seed=17} is one run.
 */
@Tag("seeded")
class OrderSweepTest {
  private static final long DEFAULT_SEEDS = 2_000;

  @Test
  void subscribersWhoseMembersStayTogetherGetOneOrder() {
    Long only = Long.getLong("treecast.seed");
    long first = only == null ? Long.getLong("treecast.firstSeed", 0) : only;
    long count = only == null ? Long.getLong("treecast.seeds", DEFAULT_SEEDS) : 1;
    RunCoverage coverage = new RunCoverage();
    OrderedRun run = new OrderedRun(coverage);
    for (long seed = first; seed < first + count; seed++) {
      String failure = run.apply(seed);
      if (!failure.isEmpty()) {
        fail(failure);
      }
    }
    if (only == null) {
      assertThat(coverage.counts())
          .as("what the sweep came across")
          .containsKeys(
              "crash",
              "restart",
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
