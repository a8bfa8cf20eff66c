package io.treecast.collectives.claim;

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

/** A test of the tests: the sweep of claims or the exploration, must notice the likely mistakes. */
class ClaimMutantsAreKilledTest {
  private static final int SEEDS = 2_000;

  /** A mistake. */
  enum Mutant {
    DRIFT_IS_FORGOTTEN("Lease", "leaseNanos - 2 * (leaseNanos / DRIFT_PARTS) - 2", "leaseNanos"),
    A_LEASE_COUNTS_FROM_THE_ANSWER(
        "Claimant", "grantedNanos = askedNanos;", "grantedNanos = nowNanos;"),
    A_LATE_MAJORITY_COUNTS(
        "Claimant",
        "if (askedNanos + Lease.believedNanos(acquisition.leaseNanos()) <= nowNanos) {",
        "if (false) {"),
    RESTARTED_MEMBERS_DO_NOT_ABSTAIN(
        "Voter",
        "abstainsUntilNanos = nowNanos + abstentionNanos;",
        "abstainsUntilNanos = nowNanos;"),
    MEMBERS_WITHOUT_MEMORY_DO_NOT_ABSTAIN(
        "Voter", "memory == null ? limits.longestNanos()", "memory == null ? 0"),
    HALF_OF_THE_MEMBERS_SUFFICES(
        "ClaimKey", "return members / 2 + 1;", "return (members + 1) / 2;"),
    A_LOWER_COUNT_IS_ACCEPTED("Voter", "question.count() < vote.count", "false"),
    A_COUNT_IS_ACCEPTED_FROM_TWO(
        "Voter", "|| (question.count() == vote.count && !owner.equals(vote.voted))", ""),
    A_LASTING_VOTE_IS_REPLACED("Voter", "if (!owner.equals(vote.voted)) {", "if (false) {"),
    A_RELEASE_ENDS_THE_VOTE_OF_ANOTHER("Voter", "release.owner().equals(vote.voted) &&", ""),
    A_RELEASE_ENDS_THE_VOTE_OF_A_LATER_ROUND("Voter", "&& vote.round <= release.round()", ""),
    COUNTS_ARE_NOT_STORED("Voter", "if (!stored.covers(needed)) {", "if (false) {"),
    STORED_COUNTS_ARE_NOT_READ("Voter", "Math.max(incarnation, memory.ceiling())", "incarnation"),
    THE_LONGEST_LEASE_IS_NOT_STORED(
        "Voter", "Math.max(wanted.longestNanos(), leaseNanos)", "Long.MAX_VALUE / 2"),
    AN_ABANDONED_CALL_IS_RELEASED("Claims", "&& !claimant.isBelieved", ""),
    A_LOST_LEASE_RENEWS("Claims", "return claimant.endsNanos() <= nowNanos;", "return false;"),
    A_TURN_DOES_NOT_END("Voter", "vote.wasInTurn(first, nowNanos)", "false"),
    A_FAILED_ROUND_KEEPS_ITS_VOTES("Claimant", "release(false);", ""),
    A_FAILED_ROUND_CALLS_THE_NEXT("Voter", "release.ticket() == 0 && !vote.lasts", "!vote.lasts");

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
                ClaimRun.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweep_or_the_exploration_notices_the_mutant(Mutant mutant)
      throws ReflectiveOperationException {
    LongFunction<String> run = MutatedClasses.sweep(ClaimRun.class, mutant.change);
    assertThat(
            LongStream.range(0, SEEDS).anyMatch(seed -> !run.apply(seed).isEmpty())
                || !MutatedClasses.sweep(SmallExplorations.class, mutant.change).apply(0).isEmpty())
        .isTrue();
  }

  @Tag("nightly")
  @Test
  void the_exploration_notices_nothing_in_the_unchanged_source() {
    assertThat(new SmallExplorations().apply(0)).isEmpty();
  }
}
