package io.treecast.collectives.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.ReplicaTest;
import io.treecast.collectives.broadcast.order.TotalOrderTest;
import io.treecast.collectives.broadcast.stability.StabilityOfForgottenTopicsTest;
import io.treecast.collectives.broadcast.stability.StabilityOfSelectionsTest;
import io.treecast.ghs.MutatedClasses;
import io.treecast.ghs.MutatedClasses.Change;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A test of the tests: the stories of replicas, uploads, full logs, total order and stability must
 * detect likely mistakes that sweeps detect seldom or never.
 */
class StoryMutantsAreKilledTest {

  /** A mistake. */
  enum Mutant {
    EACH_MEMBER_TAKES_THE_LOAN(
        UploadTest.class, "Uploads", "long loanBytes = borrows ?", "long loanBytes = true ?"),
    SHARES_BESIDE_THE_LOAN_ARE_OF_THE_WHOLE_LOG(
        UploadTest.class, "BroadcastLimits", "return loanBytes == 0", "return true"),
    A_MEMBER_REPORTS_A_MESSAGE_THAT_HAS_ONLY_BEGUN(
        ReplicaTest.class, "Replicas", "if (chunk.last()) {", "if (true) {"),
    A_MEMBER_THAT_MISSED_THE_BEGIN_SAYS_THAT_IT_HAS_THE_MESSAGE(
        ReplicaTest.class, "Replicas", "else if (whole != null && whole == sequence) {", "else {"),
    A_MESSAGE_THAT_WAS_ABANDONED_IS_AWAITED(
        ReplicaTest.class,
        "Replicas",
        "if (chunk.abandoned()) { awaited.abandons(chunk.messageId()); } else if (from == null) {",
        "if (from == null) {"),
    THE_ORIGIN_COUNTS(
        ReplicaTest.class, "Replicas", "&& !replica.member().equals(streams.self())", ""),
    MEMBERS_THAT_ARE_NOT_IN_THE_TREE_COUNT(
        ReplicaTest.class, "Replicas", "members.contains(replica.member())", "true"),
    MEMBERS_THAT_HAVE_RESTARTED_SINCE_COUNT(
        ReplicaTest.class,
        "Replicas",
        "&& !streams.hasLaterIncarnation(replica.member(), replica.incarnation())",
        ""),
    AN_UNFINISHED_MESSAGE_MAY_HAVE_REPLICAS(
        ReplicaTest.class,
        "Replicas",
        "if (streams.claims().isUnpublished(message, true)) {",
        "if (false) {"),
    MEMBERS_FAR_AWAY_SPEAK_OF_THEMSELVES(
        ReplicaTest.class, "ReplicaReports", "path.edges() > reported.wanted.count() ?", "false ?"),
    A_MEMBER_THAT_COMES_NEARER_REPORTS_NOTHING(
        ReplicaTest.class, "ReplicaReports", "reported.unsent.put(self, own);", ""),
    REPLICAS_OF_OTHERS_ARE_NOT_PASSED_ON(
        ReplicaTest.class,
        "Replicas",
        "reports.add(message, replicated.wanted(), replicated.replicas());",
        ""),
    ON_A_NEW_STREAM_NOTHING_IS_TOLD_AGAIN(
        ReplicaTest.class,
        "ReplicaReports",
        "if (neighbour.equals(reported.next)) { reported.unsent.putAll(reported.known);",
        "if (neighbour.equals(reported.next)) {"),
    ANOTHER_NEIGHBOUR_ON_THE_WAY_IS_NOT_TOLD(
        ReplicaTest.class,
        "ReplicaReports",
        "reported.next = next; reported.unsent.putAll(reported.known);",
        "reported.next = next;"),
    REPORTS_THAT_ARE_NOT_AWAITED_ARE_SENT_AGAIN(
        ReplicaTest.class,
        "ReplicaReports",
        "messages.values().removeIf(reported -> reported.endNanos <= nowNanos);",
        ""),
    REPORTS_ARE_KEPT_WITHOUT_A_BOUND(
        ReplicaTest.class, "ReplicaReports", "if (size <= MAX_REPORTS &&", "if ("),
    A_PUBLISHER_IS_ANSWERED_BEFORE_ENOUGH_HAVE_IT(
        ReplicaTest.class,
        "AwaitedReplicas",
        "reached(message) >= message.wanted.count();",
        "reached(message) > 0;"),
    A_PUBLISHER_WAITS_FOR_EVER(
        ReplicaTest.class,
        "AwaitedReplicas",
        "while (nextDeadlineNanos() <= now) { settle(byDeadline.first()); }",
        ""),
    ANOTHER_TREE_SETTLES_NOTHING(ReplicaTest.class, "Replicas", "awaited.treeCommitted();", ""),
    A_LATER_LIFE_DOES_NOT_TAKE_THE_PLACE_OF_AN_EARLIER_ONE(
        ReplicaTest.class,
        "AwaitedReplicas",
        "if (before == null || before.incarnation() < replica.incarnation()) {",
        "if (before == null) {"),
    PUBLISHERS_WAIT_FOR_MORE_THAN_MAY_BE(
        ReplicaTest.class,
        "AwaitedReplicas",
        "&& awaitedMembers + wanted.count() <= MAX_AWAITED_MEMBERS",
        ""),
    DROPPED_ITEMS_ARE_DUE_TO_LATER_SUBSCRIBERS(
        GivesWayTest.class, "Subscriber", "if (!outlet.isOpen() &&", "if (false &&"),
    THE_LIFE_OF_A_ROOT_DOES_NOT_TELL_TREES_APART(
        TotalOrderTest.class,
        "TreeEpoch",
        ".thenComparing(TreeEpoch::root).thenComparingLong(TreeEpoch::rootIncarnation)",
        ".thenComparing(TreeEpoch::root)"),
    UNDECIDED_MESSAGES_ARE_STABLE(
        TotalOrderTest.class, "TopicOrder", "had = min(had, decided.end(stream));", ""),
    UPLOADS_DO_NOT_WAIT_FOR_THE_ABSENT(
        UploadTest.class, "Uploads", "anyBrieflyAbsent.getAsBoolean() ?", "false ?"),
    REPORTS_FOR_A_LATER_TREE_ARE_FORGOTTEN_WITH_THE_STREAM(
        StabilityOfForgottenTopicsTest.class,
        "Stability",
        "if (subtree.treeVersion == treeVersion) { drop(end, stream, subtree.positions); }",
        "drop(end, stream, subtree.positions);"),
    REPORTS_THAT_ARE_DUE_ARE_FORGOTTEN_WITH_THE_STREAM(
        StabilityOfForgottenTopicsTest.class,
        "Stability",
        "drop(end, stream, unreported);",
        "unreported.remove(stream);"),
    REPORTS_ABOUT_STREAMS_OF_OTHERS_ARE_KEPT(
        StabilityOfForgottenTopicsTest.class,
        "Stability",
        "if (!relay.isHere(end.stream())) {",
        "if (false) {"),
    THE_END_OF_AN_ABSENCE_IS_REPORTED_ONLY_WITH_STREAMS(
        StabilityOfForgottenTopicsTest.class,
        "Stability",
        "(hasReportedInTree && isAbsenceUnreported())",
        "(!reported.isEmpty() && isAbsenceUnreported())"),
    THE_END_OF_A_SELECTION_IS_REPORTED_TO_ALL(
        StabilityOfSelectionsTest.class,
        "Stability",
        "return !Topic.isSelection(stream.topic()) ||",
        "return true ||"),
    THE_END_OF_A_TOPIC_IS_REPORTED_ONLY_TO_THOSE_THAT_WANT_IT(
        StabilityOfSelectionsTest.class,
        "Stability",
        "return !Topic.isSelection(stream.topic()) ||",
        "return false ||"),
    RECEIVERS_ARE_NOT_CONCERNED(
        StabilityOfSelectionsTest.class,
        "Stability",
        "|| relay.interest(child, stream.topic()) != InterestState.NO",
        ""),
    A_MEMBER_WHOSE_INTERESTS_ARE_NOT_KNOWN_IS_NOT_CONCERNED(
        StabilityOfSelectionsTest.class,
        "Stability",
        "|| relay.interest(child, stream.topic()) != InterestState.NO",
        "|| relay.interest(child, stream.topic()) == InterestState.YES"),
    A_MEMBER_WITH_EARLIER_CONTENT_IS_NOT_CONCERNED(
        StabilityOfSelectionsTest.class,
        "Stability",
        "(subtree.positions.containsKey(stream) || subtree.positions.size() >= 4 * limit)",
        "(subtree.positions.size() >= 4 * limit)"),
    A_MEMBER_THAT_HAS_REPORTED_TOO_MANY_POSITIONS_IS_NOT_CONCERNED(
        StabilityOfSelectionsTest.class,
        "Stability",
        "(subtree.positions.containsKey(stream) || subtree.positions.size() >= 4 * limit)",
        "(subtree.positions.containsKey(stream))"),
    A_MEMBER_THAT_HAS_REPORTED_MANY_POSITIONS_IS_CONCERNED(
        StabilityOfSelectionsTest.class,
        "Stability",
        "|| subtree.positions.size() >= 4 * limit)",
        "|| subtree.positions.size() >= 4 * limit - 1)"),
    A_REPORT_FOR_A_LATER_TREE_MAKES_A_MEMBER_CONCERNED(
        StabilityOfSelectionsTest.class,
        "Stability",
        "&& subtree.treeVersion == treeVersion && (subtree.positions.containsKey(stream)",
        "&& (subtree.positions.containsKey(stream)"),
    AN_END_THAT_IS_NOT_REMEMBERED_IS_REPORTED_ONLY_TO_THOSE_CONCERNED(
        StabilityOfSelectionsTest.class,
        "Stability",
        "forgotten.contains(position.stream()) ||",
        ""),
    A_LATE_REPORT_IS_NOT_ANSWERED(
        StabilityOfSelectionsTest.class,
        "Stability",
        "if (!stableAlready.isEmpty() && children.contains(neighbour)) {",
        "if (false) {"),
    A_REPORT_BEYOND_THE_END_IS_ANSWERED(
        StabilityOfSelectionsTest.class, "Stability", "&& !end.isBefore(position.next())", ""),
    THE_END_OF_A_FORGOTTEN_SELECTION_IS_NOT_KEPT(
        StabilityOfSelectionsTest.class, "Stability", "endsOfForgotten.put(stream, end);", ""),
    THE_ENDS_OF_FORGOTTEN_SELECTIONS_OF_AN_EARLIER_TREE_ARE_KEPT(
        StabilityOfSelectionsTest.class, "Stability", "endsOfForgotten.clear();", ""),
    THE_ENDS_OF_FORGOTTEN_SELECTIONS_HAVE_NO_BOUND(
        StabilityOfSelectionsTest.class,
        "Stability",
        "if (endsOfForgotten.size() > limit) {",
        "if (false) {"),
    A_CHANGE_OF_ABSENCES_IS_REPORTED_ONLY_WITH_STREAMS(
        StabilityOfSelectionsTest.class,
        "Stability",
        "(!concerning.isEmpty() || !informed.contains(child))",
        "!concerning.isEmpty()");

    private final Class<?> stories;

    @SuppressWarnings("ImmutableEnumChecker") // A record of texts.
    private final Change change;

    Mutant(Class<?> stories, String className, String original, String replacement) {
      this.stories = stories;
      this.change = new Change(className, original, replacement);
    }
  }

  @Test
  void each_mutant_fits_the_present_source() {
    assertThat(
            MutatedClasses.outdated(
                StoryMutantsAreKilledTest.class,
                Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_stories_notice_the_mutant(Mutant mutant) throws ReflectiveOperationException {
    MutatedClasses mutated = MutatedClasses.with(StoryMutantsAreKilledTest.class, mutant.change);
    assertThat(Stories.notice(mutated.loadClass(mutant.stories.getName()))).isTrue();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_stories_notice_nothing_in_the_unchanged_source(Mutant mutant)
      throws ReflectiveOperationException {
    assertThat(Stories.notice(mutant.stories)).isFalse();
  }
}
