package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.barrier;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static io.treecast.collectives.operation.OperationExamples.parts;
import static io.treecast.collectives.operation.OperationExamples.scatterFrom;
import static io.treecast.collectives.operation.OperationExamples.sumTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.CombiningMessage.Missing;
import io.treecast.collectives.operation.contract.CombiningMessage.Question;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A call that has waited for a second makes all members report, and learns the missing ones. */
class OverdueTest {
  private final CombiningNetwork network = new CombiningNetwork();

  private <T extends CombiningMessage> List<T> said(String from, String to, Class<T> kind) {
    return network.said(from, to, kind);
  }

  @Test
  void the_centre_asks_the_branches_that_are_incomplete() {
    network.commitAll(tree(4, "r", "r-a r-b b-c"));
    network.call("r", barrier("x"), Value.NOTHING);
    network.call("a", barrier("x"), Value.NOTHING);
    network.call("b", barrier("x"), Value.NOTHING);

    network.pass(SECOND - 1);
    assertThat(network.said("r", "b")).isEmpty();
    network.pass(1);

    Question question = new Question(barrier("x"), new TreeEpoch(4, NodeId.of("r"), 0), 99_000, 0);
    assertThat(said("r", "b", Question.class)).containsExactly(question);
    assertThat(said("b", "c", Question.class)).containsExactly(question);
    assertThat(said("r", "a", Question.class)).isEmpty(); // It has reported that all have arrived.
    network.pass(10 * SECOND);
    assertThat(said("r", "b", Question.class)).hasSize(1);
    assertThat(said("b", "c", Question.class)).hasSize(1);
  }

  @Test
  void a_repeated_call_has_waited_since_the_first_one() {
    CommittedTree tree = tree(1, "a", "a-b");
    network.commitAll(tree);
    long b = network.call("b", barrier("x"), Value.NOTHING);
    network.call("a", barrier("x"), Value.NOTHING);
    network.restart("a", tree);

    network.call("a", barrier("x"), Value.NOTHING, "token", SECOND / 2);
    network.pass(SECOND * 3 / 4);
    long again = network.call("a", barrier("x"), Value.NOTHING, "token", SECOND / 2);
    network.pass(SECOND / 4);

    assertThat(network.completed(again)).isEqualTo(network.completed(b));
  }

  @Test
  void
      a_member_says_who_has_come_of_its_side_four_times_a_second_if_that_changes_and_at_once_when_all_have_come() {
    network.commitAll(tree(1, "r", "p-q q-r r-s r-a a-b a-c a-d"));
    network.call("a", barrier("x"), Value.NOTHING);
    network.pass(SECOND);
    network.call("b", barrier("x"), Value.NOTHING);
    network.call("c", barrier("x"), Value.NOTHING);
    network.pass(SECOND / 4 - 1);
    assertThat(said("a", "r", Contribution.class)).hasSize(2);
    network.pass(1);
    network.call("d", barrier("x"), Value.NOTHING);

    assertThat(said("a", "r", Contribution.class))
        .extracting(c -> List.of(c.waiting(), c.complete(), c.overdue(), c.surveyed()))
        .containsExactly(
            List.of(nodes("a"), false, true, false),
            List.of(
                nodes("a"), false, true, true), // The others have reported that they know nothing.
            List.of(nodes("a", "b", "c"), false, true, true),
            List.of(nodes("a", "b", "c", "d"), true, true, true));
  }

  @Test
  void
      in_a_long_tree_nobody_is_named_missing_who_has_come_once_a_quarter_of_a_second_has_passed_for_each_hop() {
    Operation operation = sumTo("a", "x");
    network.commitAll(tree(1, "a", "a-b b-c c-d d-e e-f f-g g-h"));
    List<Long> calls =
        List.of("a", "b", "c", "d", "e", "f", "g").stream()
            .map(member -> network.call(member, operation, longs(1), "token", 4 * SECOND))
            .toList();

    network.pass(4 * SECOND);

    assertThat(calls)
        .extracting(call -> String.valueOf(network.outcome(call)))
        .allMatch(outcome -> outcome.contains("): h "));
  }

  @Test
  void missing_members_are_announced_at_most_once_a_second_and_only_on_change() {
    network.commitAll(tree(1, "r", "r-a r-b r-c r-d"));
    network.call("a", barrier("x"), Value.NOTHING);
    network.pass(SECOND);
    assertThat(said("r", "a", Missing.class))
        .extracting(Missing::members)
        .containsExactly(nodes("b", "c", "d", "r"));

    network.pass(SECOND / 4);
    network.call("b", barrier("x"), Value.NOTHING);
    network.pass(SECOND / 4);
    network.call("c", barrier("x"), Value.NOTHING);
    network.pass(SECOND / 2 - 1);
    assertThat(said("r", "a", Missing.class)).hasSize(1);
    network.pass(1);

    assertThat(said("r", "a", Missing.class))
        .extracting(Missing::members)
        .containsExactly(nodes("b", "c", "d", "r"), nodes("d", "r"));
    assertThat(said("r", "c", Missing.class)).hasSize(1);
    assertThat(said("r", "d", Missing.class)).isEmpty(); // It does not wait.
    network.pass(10 * SECOND);
    assertThat(said("r", "a", Missing.class)).hasSize(2);
  }

  @Test
  void missing_members_are_passed_on_to_waiting_members() {
    network.commitAll(tree(1, "r", "p-q q-r r-a a-b a-c"));
    network.call("b", barrier("x"), Value.NOTHING);

    network.pass(SECOND);

    assertThat(said("a", "b", Missing.class))
        .extracting(Missing::members)
        .containsExactly(nodes("a", "c", "p", "q", "r"));
    assertThat(said("a", "c", Missing.class)).isEmpty();
  }

  @Test
  void contributions_and_questions_are_sent_again_on_a_new_stream() {
    network.commitAll(tree(1, "r", "p-q q-r r-a a-b"));
    network.call("a", barrier("x"), Value.NOTHING);
    network.pass(SECOND);
    network.sent.clear();

    network.close("r", "a");
    network.close("a", "b");
    assertThat(network.sent).isEmpty();
    network.open("r", "a");
    network.open("a", "b");

    assertThat(said("a", "r", Contribution.class))
        .extracting(Contribution::waiting)
        .containsOnly(nodes("a")); // Unasked, and as r asks for it at the same time.
    assertThat(said("a", "b", Question.class)).hasSize(1);
    long b = network.call("b", barrier("x"), Value.NOTHING);
    for (String other : List.of("p", "q", "r")) {
      network.call(other, barrier("x"), Value.NOTHING);
    }
    assertThat(network.completed(b).contributors()).isEqualTo(nodes("p", "q", "r", "a", "b"));
  }

  @Test
  void an_operation_begins_again_on_a_new_tree() {
    network.commitAll(tree(1, "r", "r-a a-b"));
    network.call("a", barrier("x"), Value.NOTHING);
    long b = network.call("b", barrier("x"), Value.NOTHING);
    network.pass(SECOND);
    network.sent.clear();

    network.commitAll(tree(2, "b", "r-b a-b"));

    assertThat(said("a", "b", Contribution.class))
        .extracting(c -> List.of(c.epoch().treeVersion(), c.waiting(), c.complete()))
        .contains(List.of(2L, nodes("a"), true));
    network.pass(SECOND);
    assertThat(said("b", "r", Question.class)).isNotEmpty();
    network.call("r", barrier("x"), Value.NOTHING);
    assertThat(network.completed(b))
        .isEqualTo(new Completed(2, nodes("r", "a", "b"), Value.NOTHING));
  }

  @Test
  void a_question_about_a_later_tree_is_answered_on_that_tree() {
    network.play("r");
    network.play("q");
    network.commitAll(tree(1, "r", "p-q q-r r-a a-b"));
    network.call("a", barrier("x"), Value.NOTHING);

    network.say(
        "r", "a", new Question(barrier("x"), new TreeEpoch(2, NodeId.of("r"), 0), 1_000, 0));
    network.commit("a", tree(2, "r", "p-q q-r r-a a-b"));

    assertThat(said("a", "r", Contribution.class))
        .extracting(c -> List.of(c.epoch().treeVersion(), c.waiting(), c.overdue(), c.surveyed()))
        .containsExactly(
            List.of(1L, nodes("a"), true, false),
            List.of(1L, nodes("a"), true, true),
            List.of(2L, nodes("a"), true, false));
    assertThat(said("a", "b", Question.class))
        .extracting(question -> question.epoch().treeVersion())
        .contains(2L);
  }

  @Test
  void a_contribution_on_a_closed_stream_does_not_count() {
    network.commitAll(tree(1, "r", "r-a"));
    network.call("a", barrier("x"), Value.NOTHING);
    network.close("r", "a");

    long r = network.call("r", barrier("x"), Value.NOTHING);
    assertThat(network.outcome(r)).isNull();
    network.open("r", "a");

    assertThat(network.completed(r).contributors()).isEqualTo(nodes("r", "a"));
  }

  @Test
  void an_outcome_that_one_member_knows_reaches_all_when_the_hub_has_left() {
    Operation operation = sumTo("h", "x");
    network.commitAll(tree(1, "h", "h-m m-k k-j j-i"));
    network.hold("m", "k");
    List<Long> calls =
        List.of("m", "k", "j", "i").stream()
            .map(member -> network.call(member, operation, longs(1)))
            .toList();
    network.call("h", operation, longs(1));
    assertThat(network.completed(calls.get(0)).contributors()).hasSize(5);

    network.close("h", "m");
    network.commitAll(tree(2, "m", "m-k k-j j-i"));
    assertThat(network.outcome(calls.get(1))).isNull();
    network.release(
        "m", "k"); // The answer on the tree before, which is too late, and the next one.

    assertThat(calls).extracting(network::completed).containsOnly(network.completed(calls.get(0)));
    assertThat(network.sent)
        .filteredOn(sent -> sent.message() instanceof Contribution told && told.outcome() != null)
        .as("away from where it was known")
        .extracting(sent -> sent.from() + " to " + sent.to())
        .containsExactly("m to k", "k to j", "j to i");
    network.pass(2 * SECOND);
    for (String member : List.of("m", "k", "j", "i")) {
      assertThat(network.member(member).counters().underWay()).isZero();
    }
  }

  @Test
  void a_member_with_its_part_of_a_scatter_asks_for_others_on_new_streams() {
    CommittedTree tree = tree(1, "h", "h-b b-c");
    network.commitAll(tree);
    Operation scatter = scatterFrom("h", "x");
    network.call("h", scatter, parts("h", "b", "c"));
    network.call("b", scatter, Value.NOTHING);
    network.call("c", scatter, Value.NOTHING);
    network.close("b", "c");
    network.restart("h", tree);
    long again = network.call("h", scatter, parts("h", "b", "c"));
    network.pass(2 * SECOND); // So b is asked for the members behind it, when it cannot ask c.
    assertThat(network.outcome(again)).isNull();

    network.open("b", "c");

    assertThat(network.completed(again)).isEqualTo(new Completed(1, nodes("h"), parts("h")));
  }

  @Test
  void a_scatter_whose_hub_does_not_return_leaves_nothing() {
    CommittedTree tree = tree(1, "h", "h-b b-c");
    network.commitAll(tree);
    Operation scatter = scatterFrom("h", "x");
    network.call("h", scatter, parts("h", "b", "c"));
    network.call("b", scatter, Value.NOTHING);
    network.call("c", scatter, Value.NOTHING);
    network.restart("h", tree);
    network.restart("c", tree);
    long again = network.call("c", scatter, Value.NOTHING);

    network.pass(200 * SECOND);

    assertThat(network.failed(again).reason()).isEqualTo(Outcome.Reason.MEMBERS_MISSING);
    for (String member : List.of("h", "b", "c")) {
      assertThat(network.member(member).counters().underWay()).isZero();
      assertThat(network.member(member).nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }
  }
}
