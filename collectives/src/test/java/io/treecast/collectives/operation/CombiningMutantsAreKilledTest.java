package io.treecast.collectives.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.Stories;
import io.treecast.ghs.MutatedClasses;
import io.treecast.ghs.MutatedClasses.Change;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A test of the tests: the sweep of collective operations, or the stories of {@link
 * ResultsOfPartsTest}, {@link SegmentsTest}, {@link ChainTest} and {@link CreditTest}, must notice
 * the likely mistakes. {@link LateAnswersTest}, {@link DisagreementTest} and {@link OverdueTest}
 * cover mistakes that appear with few seeds only.
 */
class CombiningMutantsAreKilledTest {
  private static final int SEEDS = 2_000;

  /** A mistake. */
  enum Mutant {
    CONTRIBUTIONS_OF_TREES_BEFORE_COUNT(
        "OperationState", "|| !of.getValue().epoch().equals(branches.epoch())", ""),
    NO_CREDIT_IS_GIVEN(
        "OperationSender", "if (credit != null) {", "if (credit != null && false) {"),
    WITH_NEW_CREDIT_NOTHING_IS_SAID(
        "Combining",
        "if (credits.granted(neighbour, credit)) {",
        "if (credits.granted(neighbour, credit) && false) {"),
    CREDIT_DOES_NOT_LIMIT_MESSAGES(
        "Credits",
        "return sums != null && sums.sentBytes < sums.maySendBytes;",
        "return sums != null;"),
    PARTS_OF_A_SCATTER_ARE_SENT_WITHOUT_CREDIT(
        "OperationSender", "} else if (credits.hasRoom(parts.getKey())) {", "} else {"),
    NO_MEMBER_ASKS("Combining", "sender.ask(state, tree, nowNanos);", ""),
    A_MEMBER_WITH_THE_OUTCOME_DOES_NOT_REPLY(
        "Combining", "state.pendingReceivers.put(neighbour, question.epoch());", ""),
    NO_MEMBER_ADOPTS_AN_OUTCOME("Combining", "if (known != null) {", "if (false) {"),
    AN_OUTCOME_THAT_COMES_FROM_BEHIND_IS_NOT_PASSED_ON(
        "Combining", "state.pendingReceivers.put(neighbour, branches.epoch());", ""),
    THE_CENTRE_DOES_NOT_WAIT_FOR_ALL("Combining", "if (state.isComplete(self, tree)", "if (true"),
    THOSE_OUT_OF_THE_TREE_ARE_NOT_AWAITED(
        "Branches", "next == null && !operation.participants().isEmpty()", "false"),
    PARTS_ARE_SENT_TO_THE_WRONG_MEMBERS("OperationSender", "receivers.retainAll(members);", ""),
    A_HUB_TELLS_ALL_ITS_RESULT(
        "OperationState",
        "operation.hasHub() ? completed.withValue(Value.NOTHING) : completed",
        "completed"),
    A_RESULT_OF_ANOTHER_PART_IS_TAKEN_OVER(
        "OperationState", "if (!completed.contributors().contains(self)) {", "if (false) {"),
    THE_MINIMUM_DOES_NOT_COUNT(
        "OperationState",
        "operation.minimum() == 1 || arrived(self, branches).size()",
        "true || arrived(self, branches).size()"),
    A_MEMBERS_OWN_RESULT_IS_NOT_PREFERRED(
        "Outcome",
        "return contributors.contains(member) ? treeVersion : 0;",
        "return treeVersion;"),
    A_CHOICE_IS_NOT_REMEMBERED(
        "OperationState",
        "result.withChoice(new Choice(tree.epoch().treeVersion(), members))",
        "result"),
    A_CHOICE_FOR_OTHERS_COUNTS(
        "Outcome",
        "if (choice != null && choice.members().contains(member)) {",
        "if (choice != null) {"),
    A_RESULT_IS_CHOSEN_FOR_THOSE_THAT_IT_LEAVES_OUT(
        "OperationState",
        "(result.contributors().contains(member) ? contributors : leftOut).add(member)",
        "contributors.add(member)"),
    MESSAGES_FOR_A_LATER_TREE_ARE_FORGOTTEN(
        "OperationSender", "if (!state.isForLaterSurvey(entry.getValue(), tree)) {", "{"),
    A_MEMBER_DOES_NOT_REPORT_TWICE(
        "OperationState", "(isSurveySent && !isAskedAgain)", "isSurveySent"),
    OPERATIONS_AT_REST_ARE_NOT_VISITED_ON_A_NEW_TREE("Operations", "|| !state.isAtRest(self)", ""),
    NO_MEMBER_ASKS_AT_ONCE_ON_A_NEW_TREE(
        "OperationState", "(isWaiting() && hasSentComplete) ||", ""),
    THE_CENTRE_GETS_ITS_OWN_CHOICE("Combining", "state.sentResults.add(result);", ""),
    THE_CHOICE_IS_MADE_BEFORE_ALL_ARE_HEARD(
        "Combining", "if (!state.surveyed || results.isEmpty()", "if (results.isEmpty()"),
    SEGMENTS_WAIT_FOR_MEMBERS_THAT_HAVE_LEFT("Branches", " && !operation.mayLoseMembers()", ""),
    MEMBERS_THAT_TAKE_NO_PART_ARE_SURVEYED(
        "OperationState", "&& branches.concerns(neighbour, operation)", ""),
    RESULTS_ARE_FORGOTTEN_BEFORE_ALL_HAVE_THEM(
        "Operation", "(step.number() - step.window())", "(step.number() - 1)"),
    NO_RESULT_IS_FORGOTTEN("Combining", "operations.forget(settled);", ""),
    A_MEMBER_STAYS_ON_A_CHAIN_THAT_OTHERS_HAVE_LEFT("Routes", "&& use(null)", "&& false"),
    A_CHAIN_THAT_WAS_LEFT_IS_NOT_REPORTED("Combining", "sender.chainLeft(neighbour, left);", ""),
    A_MEMBER_RETURNS_TO_A_CHAIN("Routes", "isChainLeft |= chain == null;", ""),
    EACH_VECTOR_IS_PROMISED_ALL_MEMORY("Windows", "(bytes - promised) / 4 * 3", "bytes"),
    A_LOST_RESULT_IS_TAKEN_FOR_NOTHING(
        "OperationState", "isLost ? Explanation.resultLost(operation, self) : known", "known");

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
                CombiningRun.class, Stream.of(Mutant.values()).map(mutant -> mutant.change)))
        .isEmpty();
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void the_stories_or_the_sweep_notice_the_mutant(Mutant mutant)
      throws ReflectiveOperationException {
    MutatedClasses mutated = MutatedClasses.with(CombiningRun.class, mutant.change);
    Class<?> run = mutated.loadClass(CombiningRun.class.getName());
    LongFunction<String> any = sweep(run, "of");
    LongFunction<String> merging = sweep(run, "withMergingParts");
    assertThat(
            noticed(mutated, ResultsOfPartsTest.class)
                || noticed(mutated, SegmentsTest.class)
                || noticed(mutated, ChainTest.class)
                || noticed(mutated, CreditTest.class)
                || LongStream.range(0, SEEDS)
                    .anyMatch(seed -> !any.apply(seed).isEmpty() || !merging.apply(seed).isEmpty()))
        .isTrue();
  }

  @Tag("nightly")
  @Test
  void the_stories_notice_nothing_in_the_unchanged_source() throws ReflectiveOperationException {
    assertThat(Stories.notice(ResultsOfPartsTest.class)).isFalse();
    assertThat(Stories.notice(SegmentsTest.class)).isFalse();
    assertThat(Stories.notice(ChainTest.class)).isFalse();
    assertThat(Stories.notice(CreditTest.class)).isFalse();
  }

  private static boolean noticed(MutatedClasses mutated, Class<?> stories)
      throws ReflectiveOperationException {
    return Stories.notice(mutated.loadClass(stories.getName()));
  }

  /** Returns the run of a sweep, which a method of its class creates. */
  @SuppressWarnings("unchecked")
  private static LongFunction<String> sweep(Class<?> run, String made)
      throws ReflectiveOperationException {
    Method method = run.getDeclaredMethod(made, Map.class);
    method.setAccessible(true);
    return (LongFunction<String>)
        Objects.requireNonNull(method.invoke(null, new TreeMap<String, Long>()));
  }
}
