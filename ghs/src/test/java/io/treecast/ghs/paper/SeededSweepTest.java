package io.treecast.ghs.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Thousands of random networks, delays and wake-ups, each a function of its seed.
 *
 * <p>{@code -Dtreecast.seed=17} runs only that one, {@code -Dtreecast.seeds=200000} sets their
 * number.
 */
@Tag("seeded")
class SeededSweepTest {
  private static final long DEFAULT_SEEDS = 750;

  @Test
  void every_run_builds_the_minimum_spanning_forest_within_the_message_bound() {
    Coverage coverage = new Coverage();
    SeededRun run = new SeededRun(SeededRun.Fault.NONE, coverage);
    Long only = Long.getLong("treecast.seed");
    long first = only == null ? 0 : only;
    long end =
        only == null
            ? Long.getLong(
                "treecast.seeds", DEFAULT_SEEDS * Long.getLong("treecast.seeds.times", 1))
            : only + 1;

    for (long seed = first; seed < end; seed++) {
      String failure = run.apply(seed);
      if (!failure.isEmpty()) {
        fail(
            failure
                + "\nrepeat it: mvn -pl ghs -am test -Dtest=SeededSweepTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dtreecast.seed="
                + seed);
      }
    }

    if (only == null) {
      assertThat(coverage.counts())
          .as("situations that the sweep must reach")
          .containsKeys("runs of 1 node", "runs of 2 nodes", "sent Initiate FOUND")
          .hasEntrySatisfying("runs of 200 nodes or more", n -> assertThat(n).isPositive())
          .containsKeys("deferred Connect", "deferred Test", "deferred Report")
          .containsKeys("sent Accept", "sent Reject", "sent ChangeRoot");
    }
  }
}
