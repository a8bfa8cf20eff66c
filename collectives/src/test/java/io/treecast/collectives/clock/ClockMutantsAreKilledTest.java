package io.treecast.collectives.clock;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.MutatedClasses;
import io.treecast.ghs.MutatedClasses.Change;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test of the tests: the sweep of the clock must notice the likely mistakes. */
class ClockMutantsAreKilledTest {
  private static final int SEEDS = 200;

  /** A mistake. */
  enum Mutant {
    DRIFT_IS_FORGOTTEN("RootTime", "errorNanos + driftNanos(passedNanos)", "errorNanos"),
    THE_ERROR_OF_A_LINK_IS_FORGOTTEN(
        "RootTime", "errorNanos + instantErrorNanos + driftNanos(instantErrorNanos)", "errorNanos"),
    THE_ERROR_OF_THE_PARENT_IS_FORGOTTEN(
        "RootTime",
        "errorNanos + instantErrorNanos + driftNanos",
        "instantErrorNanos + driftNanos"),
    THE_DIFFERENCE_HAS_THE_OTHER_SIGN("RootTime", "atNanos + aheadNanos", "atNanos - aheadNanos"),
    TIME_STANDS_STILL("RootTime", "rootNanos + passedNanos", "rootNanos"),
    THE_PAST_HAS_NO_DRIFT("RootTime", "(Math.abs(nanos) + DRIFT", "(Math.max(0, nanos) + DRIFT"),
    A_LATER_TIME_HAS_THE_OLD_ERROR(
        "RootTime", "errorNanos + leastNanos - rootNanos)", "errorNanos)"),
    TIME_GOES_BACK("ClusterClock", "time = time.notBefore(before.rootNanos());", ""),
    TIME_WAITS_FOR_THE_EPOCH_BEFORE(
        "ClusterClock", "before.epoch().equals(time.epoch())) { time = ", "true) { time = "),
    THE_EPOCH_BEFORE_IS_KEPT("ClusterClock", "|| !before.epoch().equals(time.epoch())", ""),
    ANOTHER_EPOCH_IS_TAKEN(
        "ClusterClock", "time == null || !time.epoch().equals(epoch)", "time == null"),
    THE_ROOT_REPEATS_NOTHING("ClusterClock", "if (refreshDueNanos <= nowNanos)", "if (false)"),
    EACH_MEMBER_REPEATS("ClusterClock", "parent.equals(self) && !children.isEmpty()", "true"),
    A_NEW_STREAM_GETS_NOTHING("ClusterClock", "if (children.contains(neighbour))", "if (false)"),
    A_STATEMENT_BEFORE_THE_COMMIT_IS_LOST(
        "ClusterClock", "consider(received.get(parent), nowNanos);", ""),
    THE_LATEST_STATEMENT_COUNTS(
        "ClusterClock",
        "|| time.at(nowNanos).errorNanos() <= before.at(nowNanos).errorNanos()",
        "|| true"),
    THE_FIRST_STATEMENT_COUNTS(
        "ClusterClock",
        "|| time.at(nowNanos).errorNanos() <= before.at(nowNanos).errorNanos()",
        "");

    @SuppressWarnings("ImmutableEnumChecker") // A record of texts.
    private final Change change;

    Mutant(String className, String original, String replacement) {
      this.change = new Change(className, original, replacement);
    }
  }

  @Test
  void each_mutant_fits_the_present_source() {
    assertThat(
            MutatedClasses.outdated(
                ClockRun.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweep_notices_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    LongFunction<String> run = MutatedClasses.sweep(ClockRun.class, mutant.change);
    assertThat(LongStream.range(0, SEEDS).anyMatch(seed -> !run.apply(seed).isEmpty())).isTrue();
  }
}
