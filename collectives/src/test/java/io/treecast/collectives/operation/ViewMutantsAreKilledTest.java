package io.treecast.collectives.operation;

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

/** A test of the tests: the sweep of operations of views must notice the likely mistakes. */
class ViewMutantsAreKilledTest {
  private static final int SEEDS = 1_000;

  /** A mistake. */
  enum Mutant {
    A_PARTICIPANT_THAT_HAS_CALLED_ENDS_IT("Combining", "&& state.own == null", ""),
    NO_PARTICIPANT_ENDS_IT("Combining", "&& effects.isOver(view);", "&& false;");

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
                ViewsRun.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweep_notices_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    LongFunction<String> run = MutatedClasses.sweep(ViewsRun.class, mutant.change);
    assertThat(LongStream.range(0, SEEDS).anyMatch(seed -> !run.apply(seed).isEmpty())).isTrue();
  }
}
