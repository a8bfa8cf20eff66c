package io.treecast.collectives.values;

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

/** A test of the tests: the sweep of values must notice the likely mistakes. */
class ValuesMutantsAreKilledTest {
  private static final int SEEDS = 1_200;

  /** A mistake. */
  enum Mutant {
    AN_EARLIER_WRITE_WINS("Rule", "case LATEST -> stamps > 0;", "case LATEST -> stamps < 0;"),
    EQUAL_NUMBERS_REPLACE_EACH_OTHER(
        "Rule", "numbers < 0 || (numbers == 0 && stamps < 0)", "numbers <= 0"),
    EQUAL_NUMBERS_STAY("Rule", "numbers > 0 || (numbers == 0 && stamps < 0)", "numbers > 0"),
    STAMPS_OF_ONE_COUNT_ARE_EQUAL(
        "Stamp", ".thenComparing(Stamp::origin).thenComparingLong(Stamp::incarnation)", ""),
    A_COUNT_DOES_NOT_FOLLOW_WHAT_WAS_SEEN(
        "Values", "highest = Math.max(highest, entry.stamp().count());", ""),
    A_NEW_EDGE_DOES_NOT_COMPARE("Values", "(hasGrown || !edge.isOfTree)", "false"),
    A_NEW_STREAM_DOES_NOT_COMPARE("Values", "if (edge.isOfTree) {", "if (false) {"),
    A_CHANGE_IS_NOT_PASSED_ON("Values", "edge.isOfTree && edge != from", "from == null"),
    A_LOSER_IS_STORED(
        "Values", "own == null || item.map().rule().replaces(entry, own.entry)", "true"),
    LIMITS_ARE_FORGOTTEN("Values", "if (!fits(map, slot.entry)) {", "if (false) {"),
    AN_ENDED_CALL_IS_FORGOTTEN("Values", "if (isOfEndedCall(map, slot.entry)) {", "if (false) {"),
    AN_OLD_END_ENDS_THE_PRESENT_CALL(
        "Values", "entry.kind() != Kind.LASTING", "entry.kind() == Kind.EPHEMERAL"),
    THE_ABSENT_STAY("Values", "slot.agesSinceNanos = nowNanos;", ""),
    THE_PRESENT_AGE("Values", "slot.agesSinceNanos = ValueMap.AGELESS;", ""),
    A_RELEASE_DELETES_THE_WRITE_OF_ANOTHER(
        "Values", "slot.entry.equals(item.entry())", "slot.entry.isPresent()"),
    A_DIFFERENT_MAP_IS_TAKEN_FOR_EQUAL("ValueEdge", "map.hash() != hash", "false"),
    A_MISSING_ENTRY_IS_NOT_ASKED_FOR("ValueEdge", "lacks && !digest.isReply()", "false"),
    A_DIGEST_IS_ALWAYS_ANSWERED("ValueEdge", "lacks && !digest.isReply()", "true"),
    A_CHANGE_UNDER_WAY_IS_DROPPED(
        "ValueEdge", "!entry.equals(sent.get(place))", "!sent.containsKey(place)");

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
                ValuesRun.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweep_notices_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    LongFunction<String> run = MutatedClasses.sweep(ValuesRun.class, mutant.change);
    assertThat(LongStream.range(0, SEEDS).anyMatch(seed -> !run.apply(seed).isEmpty())).isTrue();
  }
}
