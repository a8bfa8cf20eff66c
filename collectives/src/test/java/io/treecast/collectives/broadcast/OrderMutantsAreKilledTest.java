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
 * A test of the tests: the sweep of total order must notice the likely mistakes. {@link
 * TotalOrderTest} covers those that need luck.
 *
 * <p>Each mistake is tried first with a seed that noticed it once. When the protocol or the runs
 * have changed and that seed no longer notices it, the search continues from seed 0, which takes
 * longer.
 */
class OrderMutantsAreKilledTest {
  private static final int SEEDS = 2_000;

  /** A mistake. */
  enum Mutant {
    AN_EPOCH_BEGINS_BEFORE_ALL_HAVE_REPORTED_THEIR_DECISIONS(
        "TopicOrder",
        "if (interest == InterestState.UNKNOWN || (interest == InterestState.YES && !receivedTails.isComplete(child)))",
        "if (false)",
        75),
    A_ROOT_FORGETS_DECISIONS_OF_OTHERS(
        "TopicOrder", "own.forEach(epochs -> undecided.add(tails.tail(epochs), since));", "", 11),
    REPORTS_OF_MEMBERS_ARE_NOT_PASSED_ON(
        "TopicOrder",
        ".forEach(child -> tails.merge(receivedTails.of(child)))",
        ".forEach(receivedTails::of)",
        33),
    A_MEMBER_CONTINUES_AN_EPOCH_AFTER_ITS_REPORT(
        "TopicOrder", "beginning = null; placing = null; undecided.clear();", ""),
    IT_IS_DECIDED_BEFORE_IT_IS_HERE(
        "DecidedOrder", "if (log.next(id).isBefore(entry.end()))", "if (log.find(id) == null)"),
    DECISIONS_OF_OTHER_PARTS_PRECEDE_THOSE_OF_THE_OWN_PART(
        "TopicOrder",
        "own.forEach(epochs -> undecided.add(tails.tail(epochs), since)); rest.forEach(epochs -> undecided.add(tails.tail(epochs), since));",
        "rest.forEach(epochs -> undecided.add(tails.tail(epochs), since)); own.forEach(epochs -> undecided.add(tails.tail(epochs), since));",
        1820),
    THE_OWN_PART_IS_NOT_TOLD_FROM_OTHERS(
        "OrderLineage", "joined.containsAll(epochs)", "true", 1820),
    A_JOINING_MEMBER_GETS_NOTHING("TopicOrder", "sendAllTo(neighbour, beginning, epoch);", "", 5),
    A_JOINING_MEMBER_DOES_NOT_GET_THE_ENTRIES_SINCE(
        "TopicOrder", "next(since).forEach(next -> relay.send(child, next));", "", 16),
    A_JOINING_MEMBER_DOES_NOT_GET_THE_BEGINNING("TopicOrder", "all.addAll(began);", "", 3),
    A_NEIGHBOUR_THAT_WANTS_THE_TOPIC_BY_NOW_GETS_NO_REMEMBERED_GAP(
        "Streams", "missAgain(begin(id, self()));", "begin(id, self());", 3556),
    DECISIONS_ARE_NOT_SENT_AGAIN_ON_A_NEW_STREAM(
        "TopicOrder", "if (Objects.equals(parent, neighbour)) { hasReported = false; }", "", 16),
    DECISIONS_OF_A_LATER_TREE_ARE_FORGOTTEN(
        "ReceivedTails",
        "receivedTails.values().removeIf(newest -> newest.treeVersion < treeVersion);",
        "receivedTails.clear();"),
    A_ROOT_DOES_NOT_WANT_THE_TOPIC_THAT_IT_ORDERS("Interests", "if (isRoot) {", "if (false) {"),
    MESSAGES_NOT_HANDED_OVER_IN_ORDER_ARE_STABLE(
        "LogStability", "order.had(id, log.next(id))", "log.next(id)", 174),
    SUBSCRIBERS_IN_ORDER_DO_NOT_SLOW_PUBLISHERS(
        "TopicOrder", "reader.slowsPublishers() ? min(had, reader.next(stream)) : had", "had", 14),
    A_MEMBER_THAT_MISSED_THE_BEGINNING_IS_AWAITED(
        "DeliveryWatch", "lost.add(new Watched(chunk));", "", 4863),
    A_READER_IS_LIVE_AT_ONCE(
        "OrderedReader", "if (!live && hadAtBegin.isEmpty() &&", "if (!live &&"),
    THE_GAP_OF_A_READER_IS_NOT_NAMED("Outlet", "exit.lose(gap, reason);", "");

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
                OrderedRun.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweep_notices_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    LongFunction<String> run = MutatedClasses.sweep(OrderedRun.class, mutant.change);
    LongStream seeds =
        LongStream.concat(LongStream.of(mutant.knownSeed), LongStream.range(0, SEEDS));
    assertThat(seeds.anyMatch(seed -> !run.apply(seed).isEmpty())).isTrue();
  }

  /** Shows that the seeds notice the mistake and nothing else. */
  @Tag("nightly")
  @Test
  void the_known_seeds_find_nothing_in_the_unchanged_source() {
    LongFunction<String> run = new OrderedRun();
    assertThat(
            Stream.of(Mutant.values()).map(mutant -> mutant.knownSeed).distinct().map(run::apply))
        .allMatch(String::isEmpty);
  }
}
