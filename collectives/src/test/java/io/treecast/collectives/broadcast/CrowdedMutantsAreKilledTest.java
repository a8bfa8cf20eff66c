package io.treecast.collectives.broadcast;

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

/**
 * A test of the tests: the sweep of crowded members must notice the likely mistakes. {@link
 * LeftOutOfOrderTest} covers one that needs luck.
 *
 * <p>Each mistake is tried first with a seed that noticed it once. When the protocol or the runs
 * have changed and that seed no longer notices it, the search continues from seed 0, which takes
 * longer.
 */
class CrowdedMutantsAreKilledTest {
  private static final int SEEDS = 2_000;

  /** A mistake. */
  enum Mutant {
    A_SUBSCRIBER_THAT_SLOWS_PUBLISHERS_IS_NOT_WAITED_FOR(
        "EvictableStreams", "&& subscribers.mayLose(stream)", "", 181),
    THE_GAP_OF_A_FORGOTTEN_STREAM_IS_NOT_NAMED(
        "Outlet",
        "had.put(stream.id(), from); missed.forgotten(left, reason);",
        "had.put(stream.id(), from);",
        81),
    A_SUBSCRIBER_AFTER_POSITIONS_GETS_NO_GAP_OF_FORGOTTEN_STREAMS(
        "Subscriber", "log.forgotten().forEach(this::missOf);", "", 24),
    NEIGHBOURS_GET_NO_GAP_FOR_DROPPED_ITEMS("Streams", "edges.leaveOut(left, from);", "", 35),
    SUBSCRIBERS_GET_NO_GAP_FOR_DROPPED_ITEMS("Streams", "subscribers.leaveOut(left, before);", ""),
    THE_ROOT_GIVES_NO_PLACE_TO_DROPPED_MESSAGES(
        "TopicOrder", "if (placing != null && !left.next().insideMessage())", "if (false)", 25),
    THE_ORDER_STOPS_WHERE_A_MESSAGE_IS_DROPPED(
        "TopicOrder",
        "undecided.leave(left.id(), left.next()); decide();",
        "undecided.leave(left.id(), left.next());",
        25),
    A_JOINING_MEMBER_GETS_NO_PLACE_OF_AN_ABSENT_MESSAGE(
        "DecidedOrder",
        "add(new Place(++lastIndex, entry, sinceVersion, end(id), null));"
            + " if (log.find(id) == null) { leave(id); }",
        "",
        425);

    @SuppressWarnings("ImmutableEnumChecker") // A record of texts.
    private final Change change;

    /** Tried first: a seed that noticed the mistake, unless one of the first few does. */
    private final long knownSeed;

    Mutant(String className, String original, String replacement) {
      this(className, original, replacement, 0);
    }

    Mutant(String className, String original, String replacement, long knownSeed) {
      this.change = new Change(className, original, replacement);
      this.knownSeed = knownSeed;
    }
  }

  @Test
  void each_mutant_fits_the_present_source() {
    assertThat(
            MutatedClasses.outdated(
                CrowdedRun.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweep_notices_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    LongFunction<String> run = MutatedClasses.sweep(CrowdedRun.class, mutant.change);
    LongStream seeds =
        LongStream.concat(LongStream.of(mutant.knownSeed), LongStream.range(0, SEEDS));
    assertThat(seeds.anyMatch(seed -> !run.apply(seed).isEmpty())).isTrue();
  }

  /** Shows that the seeds notice the mistake and nothing else. */
  @Tag("nightly")
  @Test
  void the_known_seeds_find_nothing_in_the_unchanged_source() {
    LongFunction<String> run = new CrowdedRun();
    assertThat(
            Stream.of(Mutant.values()).map(mutant -> mutant.knownSeed).distinct().map(run::apply))
        .allMatch(String::isEmpty);
  }
}
