package io.treecast.collectives.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.receipt.ReceiptGatheringTest;
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
 * A test of the tests: the sweep must notice the likely mistakes, within few of its seeds. {@link
 * ReceiptTest} and {@link ReceiptGatheringTest} cover those that need luck.
 *
 * <p>Each mistake is tried first with a seed that noticed it once. When the protocol or the runs
 * have changed and that seed no longer notices it, the search continues from seed 0, which takes
 * longer.
 */
class ReplicationMutantsAreKilledTest {
  private static final int SEEDS = 600;

  /** The sweep itself shows that the unchanged source withstands more. */
  private static final int UNCHANGED_SEEDS = 100;

  /** A mistake. */
  enum Mutant {
    ITEMS_FROM_AN_EDGE_ARE_NOT_FORWARDED(
        "BroadcastRelay", "edges.put(entry);", "if (streams.isOwn(stream.id())) edges.put(entry);"),
    ITEMS_FROM_AN_EDGE_ARE_SENT_BACK("Arrivals", "edge.outlet().advance(id, item.to());", ""),
    A_DUPLICATE_KEEPS_ITS_CREDIT(
        "Arrivals",
        "duplicateChunks += item instanceof Chunk ? 1 : 0; edge.inlet().release(item.cost());",
        "duplicateChunks += item instanceof Chunk ? 1 : 0;"),
    A_GAP_IS_SKIPPED_AND_NOT_PASSED_ON(
        "Arrivals",
        "relay.append(stream, gap, isGap ? edge.inlet() : bytes -> {}, edge.neighbour());",
        "edge.inlet().release(gap.cost());"),
    A_NEW_EDGE_IS_NOT_SENT_THE_LOG("Outlet", "backlog.moveTo(log.first());", ""),
    SENT_ITEMS_COUNT_AS_RECEIVED_WHEN_THE_STREAM_ENDS("Outlet", "had.clear();", "", 29),
    ENTRIES_THAT_THE_OTHER_SIDE_HAS_ARE_STILL_HELD(
        "Outlet", "if (isHolding(entry)) { entry.release(); }", ""),
    AN_OUTLET_THAT_STOPS_HOLDS_STILL(
        "Outlet", "holding = false; held.forEach(LogEntry::release);", "holding = false;"),
    UNSENT_EVICTIONS_ARE_FORGOTTEN(
        "Outlet",
        "lacks(entry)) { missed.putIfAbsent(entry.stream(), MissedReason.NOT_RETAINED);",
        "lacks(entry)) {"),
    EVICTIONS_BEFORE_AN_EDGE_WAS_ACTIVE_ARE_FORGOTTEN(
        "MissedStreams", "putIfAbsent(stream, MissedReason.NOT_RETAINED);", ""),
    UPLOADS_LEAVE_ON_BOTH_CHANNELS(
        "OutletTopics", "&& channels.contains(stream.id().channel());", ";"),
    AN_OUTLET_RELEASES_ENTRIES_OF_THE_OTHER_CHANNEL(
        "OutletTopics", "&& channels.contains(entry.stream().id().channel())", ""),
    A_WINDOW_IS_GRANTED_AT_EACH_ATTACH("DataEdge", "granted = true;", ""),
    A_DIGEST_DOES_NOT_LET_AN_ACTIVE_END_SEND("DataEdge", "if (active) { outlet.open(); }", ""),
    AN_ATTACH_IS_NOT_ANSWERED("DataEdge", "grantOnce(); sendDigest(); }", "grantOnce(); }", 5),
    A_REATTACHMENT_SAYS_NOTHING(
        "DataEdge",
        "if (stream == Stream.OPEN) { attach(); } } void deactivate",
        "} void deactivate"),
    MESSAGES_OF_A_LOWER_TREE_VERSION_ARE_NOT_DUE(
        "Subscriber",
        "public boolean accepts(LogItem item) { return item instanceof Gap",
        "public boolean accepts(LogItem item) { return item.treeVersion() < 3 ? false :"
            + " item instanceof Gap"),
    THE_REST_OF_A_MESSAGE_IS_DELIVERED_WITHOUT_ITS_BEGIN(
        "Subscriber", "|| isInProgressAt(item.from(), item.stream())", "|| true"),
    A_MESSAGE_THAT_WAS_GIVEN_UP_CONTINUES_WHERE_IT_STOPPED(
        "Subscriber", "outlet.replay(stream, begin);", "", 17),
    A_CHILD_THAT_TOLD_NOTHING_COUNTS_AS_IF_IT_HAD_ALL(
        "Stability", "? Position.START : subtree.positions", "? furthest : subtree.positions"),
    A_CHILDS_REPORT_FOR_AN_EARLIER_TREE_COUNTS(
        "Stability",
        "subtree == null || subtree.treeVersion != treeVersion ||",
        "subtree == null ||",
        8),
    A_CHILDS_REPORT_FOR_A_LATER_TREE_IS_FORGOTTEN(
        "Stability",
        "if (have.treeVersion() < latest)",
        "if (have.treeVersion() < latest || have.treeVersion() > treeVersion)"),
    ON_A_NEW_STREAM_NOTHING_IS_TOLD_AGAIN("Stability", "{ reportAll(); } else", "{ } else"),
    NO_MEMBER_LEARNS_THAT_ABSENT_MEMBERS_WERE_GIVEN_UP(
        "Stability", "reportedAwaitsAbsent != awaitsAbsent() ||", "", 33),
    UNWANTED_TOPICS_ARE_SENT(
        "OutletTopics", "return since.containsKey(stream.id().topic()) &&", "return"),
    A_TOPIC_THAT_IS_WANTED_NEWLY_HAS_NO_PAST("Outlet", "backlog.rewindTo(log.oldest(added));", ""),
    A_NEW_REPORT_KEEPS_THE_EARLIER_INTEREST(
        "TopicFlow", "hadReported != interests.hasReported(neighbour) ||", "", 19),
    ENTRIES_LOGGED_BEFORE_THEY_WERE_WANTED_ARE_HELD(
        "OutletTopics", "entry.number() >= first &&", ""),
    ENTRIES_OF_UNWANTED_TOPICS_ARE_STILL_HELD(
        "Outlet", "held.forEach(LogEntry::release); passOn", "passOn", 28),
    ALL_IS_TOLD_BEFORE_THE_OTHERS_HAVE_TOLD(
        "Interests",
        "if (reportedInTree - (counts ? 1 : 0) < treeNeighbours.size() - (inTree ? 1 : 0))",
        "if (false)"),
    A_NEIGHBOUR_GETS_ITS_OWN_INTEREST(
        "Interests",
        "if (count > (counts && neighbour.received.contains(topic) ? 1 : 0))",
        "if (count > 0)"),
    A_NEIGHBOURS_INTEREST_OF_AN_EARLIER_TREE_COUNTS(
        "Interests",
        "if (neighbour != null && neighbour.receivedTree == treeVersion)",
        "if (neighbour != null)"),
    A_QUESTION_OF_A_LATER_TREE_IS_FORGOTTEN(
        "Interests", "treeNeighbours.forEach(this::takeQuestion);", "", 15),
    A_NEIGHBOUR_WITHOUT_REPORT_WANTS_NOTHING(
        "Interests",
        "receivedTree != treeVersion) { return InterestState.UNKNOWN;",
        "receivedTree != treeVersion) { return InterestState.NO;"),
    A_NEIGHBOUR_THAT_DOES_NOT_WANT_A_TOPIC_HOLDS_IT_BACK(
        "Stability", "if (interest != InterestState.NO &&", "if ("),
    LATE_ITEMS_ARE_NEVER_STABLE(
        "Stability",
        "relay.stable(stream, forNobody ? stream.next() : stable(id), treeVersion);",
        ""),
    ABSENT_MEMBERS_ARE_NOT_AWAITED("Absences", "return !absent.isEmpty();", "return false;", 17),
    A_PUBLISHER_TAKES_MORE_THAN_ITS_SHARE_OF_THE_LOG(
        "LocalPublisher",
        "return besideUploads ? shareBytes + window.loanBytes() : shareBytes;",
        "return Long.MAX_VALUE;"),
    STABLE_CONTENT_IS_RELEASED_THOUGH_IT_SHOULD_BE_RETAINED(
        "ReplicationLog", ": limits.retainedBytes();", ": 0;"),
    MORE_THAN_IS_TO_BE_RETAINED_STAYS(
        "ReplicationLog", ": limits.retainedBytes();", ": limits.logBytes();"),
    ENTRIES_THAT_A_SUBSCRIBER_READS_ARE_RELEASED(
        "LocalSubscribers", "log.keepForReaders(!isEverythingHeld());", "", 40),
    ENTRIES_KEPT_FOR_A_SUBSCRIBER_STAY_FOR_EVER(
        "LocalSubscribers", "log.keepForReaders(false);", "", 15),
    A_SUBSCRIBER_THAT_LOOKS_BACK_GETS_ONLY_NEW_MESSAGES("Subscriber", "outlet.startFromLog();", ""),
    A_SUBSCRIBER_GETS_A_MESSAGE_AGAIN(
        "Subscriber",
        "return new Position(message.sequence() + 1, 0);",
        "return new Position(message.sequence(), 0);"),
    MESSAGES_BEFORE_THE_SUBSCRIPTION_ARE_NOT_NAMED(
        "Subscriber", "if (sequence > 0) {", "if (sequence > 1_000) {"),
    A_MESSAGE_THAT_HAS_BEGUN_COMES_AFTER_THE_BEGIN(
        "Subscriber",
        "start.insideMessage() ? start.sequence() :",
        "start.insideMessage() ? start.sequence() - 1 :"),
    A_MESSAGE_IS_NAMED_AS_MISSED_TWICE(
        "Subscriber",
        "isNew ? gap.firstMissed() : gap.firstMissed() + 1;",
        "gap.firstMissed();",
        7),
    IT_IS_LIVE_BEFORE_IT_HAS_CAUGHT_UP(
        "Outlet", "catchingUp && backlog.isFrom(catchUpTo)", "catchingUp"),
    IT_IS_NEVER_LIVE("Outlet", "exit.caughtUp();", ""),
    A_SUBSCRIBER_SKIPS_ITS_BACKLOG("Outlet", "&& !catchingUp", ""),
    SKIPPED_MESSAGES_ARE_NOT_NAMED(
        "Outlet", "missed.skip(stream);", "had.put(stream.id(), stream.next());"),
    EVERYBODY_SKIPS("Subscriber", "if (options.whenSlow() == WhenSlow.GAP) {", "if (true) {"),
    THOSE_THAT_CATCH_UP_HOLD_UP_PUBLISHERS(
        "Subscriber", "options.whenSlow() == WhenSlow.SLOW_PUBLISHER", "true"),
    SUBSCRIBERS_THAT_SLOW_PUBLISHERS_HOLD_NOTHING(
        "Subscriber", "options.whenSlow() == WhenSlow.SLOW_PUBLISHER", "false"),
    NEIGHBOURS_TAKE_MORE_THAN_THE_MEMORY_FOR_ALL(
        "DataEdge", "Math.min(wantedBytes, halfBytes)", "wantedBytes"),
    A_RECEIPT_IS_GIVEN_BEFORE_SUBSCRIBERS_HAVE_THE_MESSAGE(
        "DeliveryWatch", "|| !audience.has(stream, next.end)", ""),
    A_RECEIPT_IS_GIVEN_FOR_A_MISSED_MESSAGE("Subscriber", "watch.missed(told);", "", 39),
    A_RECEIPT_IS_GIVEN_FOR_A_MESSAGE_LEFT_BEHIND(
        "LocalSubscribers", "removed.leave();", "removed.outlet().stop();", 37),
    A_MEMBER_WITHOUT_SUBSCRIBER_REPORTS_A_HANDOVER(
        "Receipts",
        "message.isHandedOver() ? Outcome.HANDED_OVER : Outcome.WITHOUT_SUBSCRIBER;",
        "Outcome.HANDED_OVER;"),
    RECEIPTS_ARE_NOT_TOLD_AGAIN_ON_ANOTHER_WAY(
        "ReceiptGathering",
        "gathered.next = next; sendAllAgain(gathered);",
        "gathered.next = next;",
        431),
    RECEIPTS_GO_TOWARDS_ANOTHER_MEMBER(
        "ReceiptGathering",
        "ofOrigin.by(), behind.members()",
        "paths.all().get(paths.all().lastKey()).by(), behind.members()"),
    A_LIFE_THAT_PUBLISHES_NOTHING_IS_NOT_HEARD_OF(
        "NeighbourMessages", "streams.named(neighbour, digest.positions());", "", 11),
    A_LIFE_THAT_PUBLISHES_NOTHING_IS_NOT_PASSED_ON(
        "Streams", "relay.incarnationsLearnt(neighbour, news);", "", 11),
    A_LIFE_THAT_PUBLISHES_NOTHING_IS_NOT_NAMED_LATER(
        "Incarnations",
        "if (!hasContent.test(stream)) {",
        "if (stream.origin().equals(self)) {",
        175),
    FORGOTTEN_STREAMS_ARE_NEW(
        "ReplicationLog", "before == null ? Position.START :", "true ? Position.START :"),
    STREAMS_FORGOTTEN_BY_OTHERS_ARE_NOT_NAMED(
        "TopicFlow", "subscribed.gone().forEach(arrivals::gone);", "", 27),
    STREAMS_FORGOTTEN_BEHIND_A_NEIGHBOUR_ARE_NOT_NAMED(
        "Interests", "relay.forgotten(topics)", "List.of()"),
    STREAMS_FORGOTTEN_ON_THE_PATH_ARE_AWAITED_FROM_BEHIND(
        "StreamEnds", "gap.to().isBefore(next) ? next : null", "next", 361),
    A_MEMBER_THAT_NEVER_DELIVERS_COUNTS_AS_DELIVERED(
        "Confirmations", "receipt != null && receipt.isDelivered()", "receipt != null", 37),
    MEMBERS_THAT_ARE_GONE_ARE_AWAITED("Confirmations", "&& members.contains(member)", "", 33),
    A_MEMBER_WITHOUT_RECEIPT_COUNTS_AS_GONE(
        "Confirmations", "(members.contains(member) ? unknown : failed)", "failed"),
    AN_UPLOAD_THAT_WAS_ABANDONED_IS_DELIVERED(
        "Subscriber", "if (chunk.abandoned()) {", "if (false) {"),
    AN_UPLOAD_BEGINS_ON_A_LANE_IN_USE("Uploads", "lanesInUse.add(lane.id());", ""),
    AN_UPLOAD_IS_STABLE_ONLY_WHEN_IT_IS_COMPLETE(
        "Stability", "id.isOfUploads() || stream.next()", "stream.next()", 15);

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
                ReplicationRun.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_sweep_notices_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    LongFunction<String> run = MutatedClasses.sweep(ReplicationRun.class, mutant.change);
    assertThat(fails(run, mutant.knownSeed) || anyFails(run, SEEDS)).isTrue();
  }

  @Tag("nightly")
  @Test
  void the_sweep_finds_nothing_in_the_unchanged_source() throws ReflectiveOperationException {
    LongFunction<String> run = MutatedClasses.sweep(ReplicationRun.class);
    assertThat(anyFails(run, UNCHANGED_SEEDS)).isFalse();
    assertThat(
            Stream.of(Mutant.values()).map(mutant -> mutant.knownSeed).distinct().map(run::apply))
        .allMatch(String::isEmpty);
  }

  private static boolean anyFails(LongFunction<String> run, int seeds) {
    return LongStream.range(0, seeds).anyMatch(seed -> fails(run, seed));
  }

  private static boolean fails(LongFunction<String> run, long seed) {
    return !run.apply(seed).isEmpty();
  }
}
