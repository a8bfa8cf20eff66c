package io.treecast.ghs.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.ghs.MutatedClasses;
import io.treecast.ghs.MutatedClasses.Change;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A test of the tests: the sweep must notice the known wrong readings of the paper and the known
 * wrong links, within far fewer seeds than it tries.
 */
class MutantsAreKilledTest {
  private static final int SEEDS = 500;

  private static final Change WITHOUT_CONTRACT =
      new Change("Contract", "return message.visit(this);", "return KEPT;");

  /** Wrong readings of the automaton. */
  enum Mutant {
    TEST_REJECTS_A_BRANCH(
        "Responses",
        "rejectIfBasic(); if (link == testLink)",
        "links.reject(link); links.branches().remove(link); if (link == testLink)"),
    REJECT_REJECTS_A_BRANCH(
        "Responses",
        "rejectIfBasic(); testNext();",
        "links.reject(link); links.branches().remove(link); testNext();"),
    EQUAL_LEVELS_MERGE_OVER_ANY_LINK(
        "Responses",
        "if (link.isBasic()) { return MUST_WAIT; } connecting = null;",
        "links.makeBranch(link); connecting = null;"),
    TEST_OF_A_HIGHER_LEVEL_IS_ANSWERED_AT_ONCE(
        "Responses", "if (test.level() > level) { return MUST_WAIT; }", ""),
    REPORT_OF_THE_CORE_DOES_NOT_WAIT(
        "Responses", "if (phase == Phase.FIND) { return MUST_WAIT; }", ""),
    ABSORBED_FRAGMENT_IS_NOT_AWAITED(
        "Responses",
        "phase)); if (phase == Phase.FIND) { searching.add(link); } return DONE;",
        "phase)); return DONE;"),
    ABSORBED_FRAGMENT_ALWAYS_SEARCHES(
        "Responses",
        "new Initiate(level, fragmentName(), phase)",
        "new Initiate(level, fragmentName(), Phase.FIND)"),
    ONLY_THE_FIRST_OF_THE_WAITING_IS_SERVED(
        "PaperNode", "progress = true; } } } }", "progress = true; } else break; } } }"),
    FRAGMENT_NAME_IS_THE_BARE_ROUND_TRIP_TIME(
        "Responses",
        "!test.fragment().equals(fragment)",
        "test.fragment().cost() != fragmentName().cost()");

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
                SeededRun.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweep_notices_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    assertThat(notices(MutatedClasses.sweep(SeededRun.class, mutant.change))).isTrue();
  }

  /**
   * This shows that the checks of a completed run suffice, even if nodes do not check each other.
   */
  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_outcome_shows_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    assertThat(notices(MutatedClasses.sweep(SeededRun.class, mutant.change, WITHOUT_CONTRACT)))
        .isTrue();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource(
      value = SeededRun.Fault.class,
      names = {"NONE"},
      mode = EnumSource.Mode.EXCLUDE)
  void the_sweep_notices_faulty_links(SeededRun.Fault fault) {
    assertThat(notices(new SeededRun(fault, new Coverage()))).isTrue();
  }

  @Tag("nightly")
  @Test
  void the_sweep_finds_nothing_in_the_unchanged_source() throws ReflectiveOperationException {
    assertThat(notices(MutatedClasses.sweep(SeededRun.class))).isFalse();
  }

  @Tag("nightly")
  @Test
  void the_sweep_finds_nothing_without_the_contract() throws ReflectiveOperationException {
    assertThat(notices(MutatedClasses.sweep(SeededRun.class, WITHOUT_CONTRACT))).isFalse();
  }

  @Test
  void a_mutant_that_no_longer_matches_the_source_is_an_error() {
    assertThatThrownBy(
            () -> MutatedClasses.with(SeededRun.class, new Change("Responses", "no-such-text", "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("Responses", "no-such-text");
  }

  /** Whether the run of some seed fails. */
  private static boolean notices(LongFunction<String> run) {
    return LongStream.range(0, SEEDS).anyMatch(seed -> !run.apply(seed).isEmpty());
  }
}
