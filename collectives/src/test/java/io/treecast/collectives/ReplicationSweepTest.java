package io.treecast.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Thousands of random networks and changes, each a function of its seed.
 *
 * <p>{@code -Dtreecast.seeds=N} tries that many, {@code -Dtreecast.firstSeed} begins there, {@code
 * -Dtreecast.seed=17} is one run.
 */
@Tag("seeded")
class ReplicationSweepTest {
  private static final long DEFAULT_SEEDS = 2_000;

  /** Seeds beyond these that failed once. */
  private static final List<Long> KEPT_SEEDS = List.of(26_240L);

  @Test
  void everyMemberDeliversWhatAnySurvivorHasOnceAndInOrder() {
    Long only = Long.getLong("treecast.seed");
    long first = only == null ? Long.getLong("treecast.firstSeed", 0) : only;
    long count = only == null ? Long.getLong("treecast.seeds", DEFAULT_SEEDS) : 1;
    RunCoverage coverage = new RunCoverage();
    ReplicationRun run = new ReplicationRun(coverage, false);
    LongStream kept =
        only == null ? KEPT_SEEDS.stream().mapToLong(Long::longValue) : LongStream.empty();
    LongStream.concat(kept, LongStream.range(first, first + count))
        .mapToObj(run)
        .filter(failure -> !failure.isEmpty())
        .findFirst()
        .ifPresent(Assertions::fail);
    if (only == null) {
      assertThat(coverage.counts())
          .as("what the sweep came across")
          .containsKeys(
              "link lost",
              "crash",
              "restart",
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
              "upload given up",
              "upload abandoned, then missed");
    }
  }
}
