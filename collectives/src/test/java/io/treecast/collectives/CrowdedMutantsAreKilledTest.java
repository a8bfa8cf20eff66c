package io.treecast.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.MutatedClasses;
import io.treecast.ghs.MutatedClasses.Change;
import java.lang.reflect.Constructor;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test of the tests: the sweep of crowded members must notice the likely mistakes. */
class CrowdedMutantsAreKilledTest {
  private static final int SEEDS = 2_000;

  /** A mistake. */
  enum Mutant {
    WHO_SLOWS_PUBLISHERS_IS_NOT_WAITED_FOR("Streams", "&& subscribers.mayLose(stream)", ""),
    WHAT_IS_LACKED_OF_A_FORGOTTEN_STREAM_IS_NOT_NAMED(
        "Outlet",
        "had.put(stream.id(), from); missed.forgotten(left, reason);",
        "had.put(stream.id(), from);"),
    WHO_GOES_ON_AFTER_POSITIONS_IS_NOT_TOLD_WHAT_WAS_FORGOTTEN(
        "Subscriber", "log.forgotten().forEach(left -> missOf(left, after.sinceVersion()));", ""),
    WHO_HAD_MORE_ELSEWHERE_GETS_IT_AGAIN(
        "HadPositions", "if (!hasMore && !named.contains(stream.id()))", "if (true)", 2_879),
    NEIGHBOURS_ARE_NOT_TOLD_WHAT_IS_DROPPED("Streams", "edges.leaveOut(left, from);", ""),
    SUBSCRIBERS_ARE_NOT_TOLD_WHAT_IS_DROPPED("Streams", "subscribers.leaveOut(left, before);", ""),
    WHO_COMES_LATER_IS_NOT_TOLD_WHAT_WAS_DROPPED(
        "MissedStreams", "|| (isMember && left.gaveWay())", ""),
    THE_ROOT_GIVES_NO_PLACE_TO_WHAT_IT_DROPS(
        "TopicOrder", "if (placing != null && !left.next().insideMessage())", "if (false)"),
    A_NEW_ROOT_GIVES_NO_PLACE_TO_WHAT_GAVE_WAY(
        "OrderPlacing", "if (left.mayBeElsewhere())", "if (false)"),
    THE_ROOT_GIVES_NO_PLACE_TO_WHAT_OTHERS_HAVE_FORGOTTEN(
        "Streams", "relay.missed(left, false);", "", 715),
    THE_ORDER_STOPS_WHERE_A_MESSAGE_IS_DROPPED(
        "TopicOrder", "placing.forget(left.id()); } decide();", "placing.forget(left.id()); }"),
    A_NEIGHBOUR_WAITS_FOR_WHAT_IS_FORGOTTEN("TotalOrder", "edge.miss(left);", "", 13_953),
    WHO_JOINS_IS_NOT_TOLD_THE_PLACE_OF_WHAT_IS_NOT_HERE(
        "DecidedOrder",
        "add(new Place(++lastIndex, entry, sinceVersion, end(id), null));"
            + " if (log.find(id) == null) { leave(id); }",
        ""),
    WHAT_WAS_DROPPED_IS_DUE_TO_WHO_COMES_AFTER_IT(
        "Subscriber", "if (!outlet.isOpen() &&", "if (false &&", 2_617);

    private final String className;
    private final String original;
    private final String replacement;

    /** Which one noticed it last, where that is far from the first ones. */
    private final long knownSeed;

    Mutant(String className, String original, String replacement) {
      this(className, original, replacement, 0);
    }

    Mutant(String className, String original, String replacement, long knownSeed) {
      this.className = className;
      this.original = original;
      this.replacement = replacement;
      this.knownSeed = knownSeed;
    }

    Change change() {
      return new Change(className, original, replacement);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theSweepNoticesThat(Mutant mutant) throws ReflectiveOperationException {
    LongFunction<String> run = sweepWith(mutant.change());
    LongStream seeds =
        LongStream.concat(LongStream.of(mutant.knownSeed), LongStream.range(0, SEEDS));
    assertThat(seeds.anyMatch(seed -> !run.apply(seed).isEmpty())).isTrue();
  }

  /** The sweep's run, over classes with this change. */
  @SuppressWarnings("unchecked")
  private static LongFunction<String> sweepWith(Change change) throws ReflectiveOperationException {
    Constructor<?> run =
        MutatedClasses.with(CrowdedRun.class, change)
            .loadClass(CrowdedRun.class.getName())
            .getDeclaredConstructor();
    run.setAccessible(true);
    return (LongFunction<String>) run.newInstance();
  }
}
