package io.treecast.agent.core.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.MutatedClasses;
import io.treecast.ghs.MutatedClasses.Change;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test of the tests: the sweeps over failing networks must notice the likely mistakes. */
class PathMutantsAreKilledTest {
  private static final int SEEDS = 500;

  /** A mistake. */
  enum Mutant {
    NOTHING_IS_SENT_AGAIN("PathedConnection", "counts.unconfirmed().forEach(path::send);", ""),
    WHAT_COMES_AGAIN_COUNTS_TWICE(
        "MessageCounts", "boolean isNew = next == received + 1;", "boolean isNew = true;"),
    THE_PATH_BEFORE_IS_STILL_READ("PathedConnection", "path != receiving || ", ""),
    NO_END_FOLLOWS("PathedConnection", "use(path, true);", ""),
    BOTH_ENDS_FOLLOW_EACH_OTHER(
        "PathedConnection", "path != current && (isFollowed || !isDialed)", "path != current"),
    AN_OVERTAKEN_CHANGE_COUNTS(
        "PathedConnection", "if (use.change() <= lastChangeThere) {", "if (false) {"),
    A_NEW_PATH_NEED_NOT_ANSWER("PathedConnection", "suspect(all.nowNanos());", ""),
    A_FAILED_PATH_IS_NOT_DIALED_AGAIN(
        "Path",
        "dueNanos = nowNanos + Math.min(longest, FIRST_PAUSE_NANOS << Math.min(failures, 20));",
        "dueNanos = NEVER;"),
    NO_VERDICT_IS_REACHED(
        "PathedConnection",
        "verdictNanos = Math.max(all.nowNanos() + grace, notDecidedBeforeNanos);",
        "verdictNanos = Path.NEVER;"),
    A_BROKEN_PATH_IS_NOT_LEFT(
        "PathedConnection", "boolean wasUsed = path == current;", "boolean wasUsed = false;");

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
                FailingNetworksTest.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweeps_notice_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    MutatedClasses mutated = MutatedClasses.with(FailingNetworksTest.class, mutant.change);
    Class<?> sweeps = mutated.loadClass(FailingNetworksTest.class.getName());
    assertThat(isNoticed(sweeps, "oneAfterTheOther") || isNoticed(sweeps, "anything")).isTrue();
  }

  private static boolean isNoticed(Class<?> sweeps, String name)
      throws ReflectiveOperationException {
    Method sweep = sweeps.getDeclaredMethod(name, long.class);
    sweep.setAccessible(true);
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        sweep.invoke(null, seed);
      } catch (InvocationTargetException e) {
        return true;
      }
    }
    return false;
  }
}
