package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.PATIENCE;
import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.barrier;
import static io.treecast.collectives.operation.OperationExamples.gather;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static io.treecast.collectives.operation.OperationExamples.parts;
import static io.treecast.collectives.operation.OperationExamples.scatterFrom;
import static io.treecast.collectives.operation.OperationExamples.sum;
import static io.treecast.collectives.operation.OperationExamples.sumTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.CombiningMessage.Question;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The outcome of a call at its own member, apart from those of others. */
class CallsTest {
  private final CombiningNetwork network = new CombiningNetwork();

  @Test
  void a_second_call_by_another_token_is_refused() {
    network.commitAll(tree(1, "a", "a-b"));
    long first = network.call("a", sum("x"), longs(1), "mine", PATIENCE);

    long second = network.call("a", sum("x"), longs(1), "another's", PATIENCE);

    assertThat(network.failed(second).reason()).isEqualTo(Reason.NAME_USED);
    assertThat(network.failed(second).text()).contains("'x'", sum("x").described());
    assertThat(network.outcome(first)).isNull();
    network.call("b", sum("x"), longs(2));
    assertThat(network.completed(first).value()).isEqualTo(longs(3));
    long third = network.call("a", sum("x"), longs(1), "another's", PATIENCE);
    assertThat(network.failed(third).reason()).isEqualTo(Reason.NAME_USED);
  }

  @Test
  void the_same_call_again_has_the_same_outcome_and_counts_once() {
    network.commitAll(tree(1, "a", "a-b"));
    long first = network.call("b", sum("x"), longs(1), "mine", PATIENCE);

    long meanwhile = network.call("b", sum("x"), longs(100), "mine", PATIENCE);
    network.call("a", sum("x"), longs(2));
    long after = network.call("b", sum("x"), longs(1), "mine", PATIENCE);

    assertThat(Stream.of(first, meanwhile, after).map(network::completed))
        .containsOnly(new Completed(1, nodes("a", "b"), longs(3)));
  }

  @Test
  void a_call_of_a_member_outside_the_participants_is_refused() {
    network.commitAll(tree(1, "a", "a-b"));

    long call = network.call("a", barrier("x", "b"), Value.NOTHING);

    assertThat(network.failed(call).reason()).isEqualTo(Reason.NOT_A_PARTICIPANT);
    assertThat(network.failed(call).text()).contains("'x'", barrier("x", "b").described());
    assertThat(network.member("a").counters().failed()).isEqualTo(1);
  }

  static Stream<Arguments> unfit() {
    return Stream.of(
        Arguments.of(barrier("x"), longs(1)),
        Arguments.of(sum("x"), Value.NOTHING),
        Arguments.of(sum("x"), Value.doubles(1)),
        Arguments.of(
            new Operation("x", Operation.Kind.REDUCE, Reduction.MAX_OF_DOUBLES, null, nodes()),
            longs(1)),
        Arguments.of(gather("x"), Value.NOTHING),
        Arguments.of(gather("x"), parts("b")),
        Arguments.of(gather("x"), parts("a", "b")),
        Arguments.of(scatterFrom("a", "x"), Value.NOTHING),
        Arguments.of(scatterFrom("b", "x"), parts("a")));
  }

  @ParameterizedTest
  @MethodSource("unfit")
  void a_contribution_that_does_not_fit_is_refused(Operation operation, Value value) {
    network.commitAll(tree(1, "b", "a-b"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.call("a", operation, value))
        .withMessageContaining(operation.described());
    assertThat(network.member("a").counters().underWay()).isZero();
  }

  @Test
  void a_call_whose_time_is_over_learns_the_missing_members() {
    network.commitAll(tree(1, "r", "r-a a-b r-c"));
    long atTheRoot = network.call("r", barrier("x"), Value.NOTHING, "t", 5 * SECOND);
    long elsewhere = network.call("a", barrier("x"), Value.NOTHING, "t", 5 * SECOND);
    network.call("b", barrier("x"), Value.NOTHING);

    network.pass(5 * SECOND - 1);
    assertThat(network.outcome(atTheRoot)).isNull();
    assertThat(network.outcome(elsewhere)).isNull();
    network.pass(1);

    for (long call : List.of(atTheRoot, elsewhere)) {
      assertThat(network.failed(call).reason()).isEqualTo(Reason.MEMBERS_MISSING);
      assertThat(network.failed(call).text()).startsWith("'x' (barrier): c ").contains("10 s");
    }
  }

  @Test
  void the_missing_include_named_members_outside_the_tree() {
    network.commitAll(tree(1, "r", "r-a"));
    Operation operation = barrier("x", "a", "far", "gone");
    long call = network.call("a", operation, Value.NOTHING, "t", 5 * SECOND);

    network.pass(5 * SECOND);

    assertThat(network.failed(call).reason()).isEqualTo(Reason.MEMBERS_MISSING);
    assertThat(network.failed(call).text())
        .startsWith("'x' (" + operation.described() + "): far, gone ");
  }

  @Test
  void late_members_are_listed_apart_from_those_outside_the_tree() {
    network.commitAll(tree(1, "r", "r-a r-b"));
    Operation operation = barrier("x", "a", "b", "gone");
    long call = network.call("a", operation, Value.NOTHING, "t", 5 * SECOND);

    network.pass(5 * SECOND);

    assertThat(network.failed(call).text())
        .matches(Pattern.quote("'x' (" + operation.described() + "): gone ") + "[^;]*\\bb\\b.*");
  }

  @Test
  void a_call_whose_hub_is_outside_the_tree_learns_that() {
    network.commitAll(tree(1, "r", "r-a"));
    long call = network.call("a", sumTo("hub", "x"), longs(1), "t", 5 * SECOND);
    long named = network.call("a", sumTo("hub", "y", "hub", "a"), longs(1), "t", 5 * SECOND);

    network.pass(5 * SECOND);

    assertThat(network.failed(call).reason()).isEqualTo(Reason.MEMBERS_MISSING);
    for (long each : List.of(call, named)) {
      assertThat(network.failed(each).text()).contains("): hub ");
    }
  }

  @Test
  void twenty_of_the_missing_are_named() {
    StringBuilder edges = new StringBuilder("r-m1");
    for (int i = 2; i <= 25; i++) {
      edges.append(" r-m").append(i);
    }
    network.commitAll(tree(1, "r", edges.toString()));
    long call = network.call("m1", barrier("x"), Value.NOTHING, "t", 5 * SECOND);

    network.pass(5 * SECOND);

    assertThat(network.failed(call).text())
        .contains("): m2, m3, m4,", ", m20, m21 and 5 ")
        .doesNotContain("m22");
  }

  @Test
  void a_member_that_does_not_know_the_missing_says_so() {
    network.play("r");
    network.commitAll(tree(1, "r", "r-a"));
    long call = network.call("a", barrier("x"), Value.NOTHING, "t", 5 * SECOND);

    network.pass(5 * SECOND);

    assertThat(network.failed(call).reason()).isEqualTo(Reason.MEMBERS_MISSING);
    assertThat(network.failed(call).text()).startsWith("'x' (barrier): ").doesNotContain(" r ");
  }

  @Test
  void a_call_without_a_tree_waits_for_one() {
    long early = network.call("a", barrier("x"), Value.NOTHING, "t", 5 * SECOND);
    long late = network.call("a", barrier("y"), Value.NOTHING, "t", 5 * SECOND);
    network.pass(4 * SECOND);
    long tooLate = network.call("a", barrier("x"), Value.NOTHING, "t", SECOND / 2);
    network.pass(SECOND / 2);

    assertThat(network.failed(tooLate).reason()).isEqualTo(Reason.MEMBERS_MISSING);
    assertThat(network.failed(tooLate).text()).startsWith("'x' (barrier): ").contains("agent a ");
    network.commitAll(tree(1, "a", ""));
    assertThat(network.completed(early)).isEqualTo(network.completed(late));
  }

  @Test
  void a_member_that_calls_after_the_result_is_left_out() {
    network.commitAll(tree(1, "a", "a-b"));
    network.call("a", sum("x"), longs(1));
    network.call("b", sum("x"), longs(2));
    network.commitAll(tree(2, "b", "a-b b-c"));

    long late = network.call("c", sum("x"), longs(100));

    network.pass(SECOND); // By then the whole tree has been asked.

    assertThat(network.failed(late).reason()).isEqualTo(Reason.LEFT_OUT);
    assertThat(network.failed(late).text()).contains("tree version 1 with 2 members (a, b)");
  }

  @Test
  void a_member_that_calls_again_after_its_time_still_takes_part() {
    network.commitAll(tree(1, "a", "a-b"));
    long first = network.call("b", sum("x"), longs(2), "t", SECOND);
    network.pass(SECOND);
    assertThat(network.failed(first).reason()).isEqualTo(Reason.MEMBERS_MISSING);

    long again = network.call("b", sum("x"), longs(2), "t", PATIENCE);
    network.call("a", sum("x"), longs(1));

    assertThat(network.completed(again)).isEqualTo(new Completed(1, nodes("a", "b"), longs(3)));
  }

  @Test
  void a_contribution_counts_for_ten_seconds_beyond_its_time() {
    network.commitAll(tree(1, "a", "a-b"));
    network.call("b", sum("x"), longs(2), "t", SECOND);
    network.call("b", sum("y"), longs(2), "t", SECOND);
    network.pass(11 * SECOND - 1);
    long inTime = network.call("a", sum("x"), longs(1));
    network.pass(1);
    long tooLate = network.call("a", sum("y"), longs(1));

    assertThat(network.completed(inTime).value()).isEqualTo(longs(3));
    assertThat(network.outcome(tooLate)).isNull();
  }

  @Test
  void a_contribution_counts_as_long_as_a_member_behind_waits() {
    network.commitAll(tree(1, "r", "t-s s-r r-a a-b"));
    long brief = network.call("a", sum("x"), longs(1), "t", 2 * SECOND);
    network.call("b", sum("x"), longs(2), "t", 2 * SECOND);
    network.pass(3 * SECOND / 2); // All have been asked.
    long patient = network.call("b", sum("x"), longs(2), "t", PATIENCE);
    network.pass(50 * SECOND);
    assertThat(network.failed(brief).reason()).isEqualTo(Reason.MEMBERS_MISSING);

    network.call("r", sum("x"), longs(3));
    network.call("s", sum("x"), longs(4));
    network.call("t", sum("x"), longs(5));

    assertThat(network.completed(patient).value()).isEqualTo(longs(15));
  }

  @Test
  void a_contribution_counts_as_long_as_a_member_before_waits() {
    network.commitAll(tree(1, "r", "t-s s-r r-a a-b"));
    network.call("a", sum("x"), longs(1), "t", 2 * SECOND);
    network.pass(3 * SECOND / 2); // All have been asked.
    long patient = network.call("r", sum("x"), longs(3), "t", PATIENCE);
    network.pass(50 * SECOND);

    network.call("b", sum("x"), longs(2));
    network.call("s", sum("x"), longs(4));
    network.call("t", sum("x"), longs(5));

    assertThat(network.completed(patient).value()).isEqualTo(longs(15));
  }

  @Test
  void a_forgotten_contribution_is_sent_again_when_asked_for_but_once_a_second() {
    network.play("a");
    network.commitAll(tree(1, "a", "a-b"));
    network.call("b", barrier("x"), Value.NOTHING);
    long number = network.said("b", "a", Contribution.class).get(0).number();
    TreeEpoch epoch = new TreeEpoch(1, NodeId.of("a"), 0);

    network.say("a", "b", new Question(barrier("x"), epoch, 1_000, number));
    network.pass(2 * SECOND);
    assertThat(network.said("b", "a", Contribution.class)).hasSize(2); // Now it is overdue.
    network.say("a", "b", new Question(barrier("x"), epoch, 1_000, number));
    network.say("a", "b", new Question(barrier("x"), epoch, 1_000, 0));
    assertThat(network.said("b", "a", Contribution.class)).hasSize(3);
    network.say("a", "b", new Question(barrier("x"), epoch, 1_000, 0));
    network.pass(SECOND - 1);
    assertThat(network.said("b", "a", Contribution.class)).hasSize(3);
    network.pass(1);

    assertThat(network.said("b", "a", Contribution.class)).hasSize(4);
  }

  @Test
  void a_withdrawn_call_gets_no_outcome_and_still_counts() {
    network.commitAll(tree(1, "a", "a-b"));
    long withdrawn = network.call("b", sum("x"), longs(2));
    network.member("b").withdraw(withdrawn, network.nanos());
    network.member("b").withdraw(99, network.nanos());

    long other = network.call("a", sum("x"), longs(1));

    assertThat(network.completed(other).value()).isEqualTo(longs(3));
    assertThat(network.outcome(withdrawn)).isNull();
    assertThat(network.member("b").counters().completed()).isZero();
  }

  @Test
  void the_contribution_of_a_withdrawn_call_is_kept_for_ten_seconds() {
    network.commitAll(tree(1, "a", "a-b"));
    long withdrawn = network.call("a", sum("x"), longs(1));
    network.pass(SECOND);

    network.member("a").withdraw(withdrawn, network.nanos());

    network.pass(10 * SECOND - 1);
    assertThat(network.member("a").counters().underWay()).isEqualTo(1);
    network.pass(1);
    assertThat(network.member("a").counters().underWay()).isZero();
  }

  @Test
  void the_contribution_of_a_withdrawn_call_is_kept_as_long_as_another_waits() {
    network.commitAll(tree(1, "a", "a-b b-c"));
    long one = network.call("a", sum("x"), longs(1), "t", PATIENCE);
    network.call("a", sum("x"), longs(1), "t", 20 * SECOND);

    network.member("a").withdraw(one, network.nanos());

    network.pass(30 * SECOND - 1);
    assertThat(network.member("a").counters().underWay()).isEqualTo(1);
    network.pass(1);
    assertThat(network.member("a").counters().underWay()).isZero();
  }

  @Test
  void nothing_is_kept_when_no_call_waits() {
    network.commitAll(tree(1, "a", "a-b"));
    network.call("b", sum("x"), longs(2), "t", SECOND);
    assertThat(network.member("a").counters().underWay()).isEqualTo(1);

    network.pass(20 * SECOND);

    for (String member : new String[] {"a", "b"}) {
      assertThat(network.member(member).counters().underWay()).isZero();
      assertThat(network.member(member).counters().keptBytes()).isZero();
      assertThat(network.member(member).nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void a_repeated_call_does_not_contribute_again() {
    network.play("a");
    network.commitAll(tree(1, "a", "a-b"));
    for (int i = 0; i < 20; i++) {
      network.call("b", sum("x"), longs(2), "t", PATIENCE);
      network.pass(SECOND / 100);
    }

    assertThat(network.said("b", "a")).hasSize(1);
  }

  @Test
  void a_text_names_some_of_many_participants() {
    network.commitAll(tree(1, "a", "a-b"));
    Operation operation = sum("x", "a", "c1", "c2", "c3", "c4", "c5", "c6", "c7");
    long call = network.call("a", operation, longs(2), "t", 2 * SECOND);

    network.pass(2 * SECOND);

    assertThat(network.failed(call).text())
        .startsWith("'x' (")
        .contains(" a, c1, c2, c3, c4 and 3 ", "): c1, c2, c3, c4, c5, c6, c7 ");
  }

  @Test
  void only_a_member_of_a_tree_can_commit_it() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.member("z").treeCommitted(tree(1, "a", "a-b"), 0))
        .withMessageMatching("z .*\\bv1 root a\\b.*");
  }
}
