package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.PATIENCE;
import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.barrier;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static io.treecast.collectives.operation.OperationExamples.sum;
import static io.treecast.collectives.operation.OperationExamples.sumTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningMessage.Answer;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.CombiningMessage.Question;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome.Choice;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

/**
 * Parts of a network reach results of their own, and then merge: each waiting member gets the
 * result that was its own on the latest tree, and fails if there was none.
 */
class ResultsOfPartsTest {
  private final CombiningNetwork network = new CombiningNetwork();

  @Test
  void a_member_never_gets_a_result_without_its_own_contribution() {
    network.commit("c", tree(2, "c", ""));
    long alone = network.call("c", sum("x"), longs(4));
    assertThat(network.completed(alone)).isEqualTo(new Completed(2, nodes("c"), longs(4)));
    network.commitAll(tree(3, "a", "a-b b-c"));

    List<Long> others =
        List.of(network.call("a", sum("x"), longs(1)), network.call("b", sum("x"), longs(2)));
    network.pass(2 * SECOND);

    assertThat(others)
        .extracting(call -> network.failed(call).reason())
        .containsOnly(Reason.LEFT_OUT);
  }

  @Test
  void the_results_of_two_parts_reach_the_members_that_they_count() {
    // The part of a and b decides at a, and b does not hear of it; c decides alone.
    network.commitAll(tree(2, "a", "a-b"));
    network.hold("a", "b");
    long b = network.call("b", sum("x"), longs(2));
    long a = network.call("a", sum("x"), longs(1));
    network.commit("c", tree(5, "c", ""));
    long c = network.call("c", sum("x"), longs(4));
    assertThat(network.outcome(b)).isNull();
    network.close("a", "b");
    network.release("a", "b");

    network.commitAll(tree(6, "c", "b-c c-d d-a"));
    long late = network.call("d", sum("x"), longs(8));
    network.pass(3 * SECOND);

    assertThat(network.completed(a)).isEqualTo(new Completed(2, nodes("a", "b"), longs(3)));
    assertThat(network.completed(b)).isEqualTo(network.completed(a));
    assertThat(network.completed(c)).isEqualTo(new Completed(5, nodes("c"), longs(4)));
    assertThat(network.failed(late).reason()).isEqualTo(Reason.LEFT_OUT);
  }

  @Test
  void a_member_that_has_not_called_keeps_nobody_from_the_result() {
    network.commitAll(tree(2, "a", "a-b"));
    network.hold("a", "b");
    long b = network.call("b", sum("x"), longs(2));
    long a = network.call("a", sum("x"), longs(1));
    network.close("a", "b");
    network.release("a", "b");

    network.commitAll(tree(3, "a", "b-d d-a a-e e-f")); // No member calls at d, e and f.
    network.pass(3 * SECOND);

    assertThat(network.completed(b)).isEqualTo(network.completed(a));
    network.pass(2 * PATIENCE);
    for (String member : List.of("a", "b", "d", "e", "f")) {
      assertThat(network.member(member).counters().underWay()).isZero();
    }
  }

  @Test
  void a_result_lost_with_its_stream_is_sent_on_the_next() {
    network.commitAll(tree(2, "a", "a-b"));
    network.hold("a", "b");
    long b = network.call("b", sum("x"), longs(2));
    long a = network.call("a", sum("x"), longs(1));
    network.close("a", "b");
    network.release("a", "b");
    long lostNanos = network.nanos();

    network.open("a", "b");

    assertThat(network.completed(b)).isEqualTo(network.completed(a));
    assertThat(network.nanos()).isEqualTo(lostNanos);
  }

  /** Decides a result on the tree that only the named members receive. */
  private void decideUnheard(CommittedTree tree, String decider, List<String> others) {
    network.commitAll(tree);
    others.forEach(other -> network.hold(decider, other));
    network.call(decider, sum("x"), longs(4));
    network.pass(2 * SECOND);
    others.forEach(other -> lose(decider, other));
  }

  private void lose(String from, String to) {
    network.close(from, to);
    network.release(from, to);
  }

  @Test
  void two_members_that_were_never_apart_get_the_same_result() {
    long a = network.call("a", sum("x"), longs(1));
    long b = network.call("b", sum("x"), longs(2));
    decideUnheard(tree(2, "c", "a-c c-b"), "c", List.of("a", "b"));
    decideUnheard(tree(3, "d", "a-d d-b"), "d", List.of("a", "b"));
    network.hold("c", "b");
    network.commitAll(tree(4, "c", "a-c c-b"));
    network.pass(2 * SECOND);
    lose("c", "b");
    assertThat(network.completed(a)).isEqualTo(new Completed(2, nodes("a", "b", "c"), longs(7)));
    assertThat(network.outcome(b)).isNull();

    // The newest result is that of version 3. Reports of b and a before d has committed count.
    network.commitAll(tree(5, "d", "a-d d-b"));

    assertThat(network.completed(b)).isEqualTo(network.completed(a));
  }

  @Test
  void results_that_others_adopted_on_later_trees_do_not_count() {
    long a = network.call("a", sum("x"), longs(1));
    long b = network.call("b", sum("x"), longs(2));
    long e = network.call("e", sum("x"), longs(8));
    decideUnheard(tree(2, "c", "a-c c-b"), "c", List.of("a", "b"));
    decideUnheard(tree(3, "d", "a-d d-b d-e"), "d", List.of("a", "b", "e"));
    network.hold("c", "b");
    network.commitAll(tree(4, "c", "a-c c-b"));
    network.pass(2 * SECOND);
    lose("c", "b");
    network.commitAll(tree(10, "d", "d-e")); // Without a and b, e takes the result of version 3.
    network.pass(2 * SECOND);
    assertThat(network.completed(e).treeVersion()).isEqualTo(3);
    assertThat(network.completed(a).treeVersion()).isEqualTo(2);

    network.commitAll(tree(11, "a", "e-a a-b"));
    network.pass(2 * SECOND);

    assertThat(network.completed(b)).isEqualTo(network.completed(a));
  }

  @Test
  void two_members_that_were_never_apart_are_both_left_out_or_neither() {
    long a = network.call("a", sum("x"), longs(1));
    long b = network.call("b", sum("x"), longs(2));
    decideUnheard(tree(3, "d", "a-d d-b"), "d", List.of("a", "b"));
    network.commit("c", tree(1, "c", ""));
    network.call("c", sum("x"), longs(4));
    network.hold("c", "b");
    network.commitAll(tree(4, "c", "a-c c-b"));
    network.pass(2 * SECOND);
    lose("c", "b");
    assertThat(network.failed(a).reason()).isEqualTo(Reason.LEFT_OUT);
    assertThat(network.outcome(b)).isNull();

    network.commitAll(tree(5, "d", "a-d d-b")); // The result of version 3 would contain it.
    network.pass(2 * SECOND);

    assertThat(network.failed(b).reason()).isEqualTo(Reason.LEFT_OUT);
  }

  @Test
  void a_result_that_was_chosen_for_others_alone_leaves_no_member_out() {
    long b = network.call("b", sum("x"), longs(2));
    long y = network.call("y", sum("x"), longs(1));
    decideUnheard(tree(1, "c", "c-y"), "c", List.of("y"));
    decideUnheard(tree(3, "d", "d-b"), "d", List.of("b"));
    network.hold("c", "b");
    network.commitAll(tree(4, "c", "y-c c-b")); // The fact that b is left out there is lost.
    network.pass(2 * SECOND);
    lose("c", "b");
    assertThat(network.completed(y)).isEqualTo(new Completed(1, nodes("c", "y"), longs(5)));

    network.commitAll(tree(5, "d", "y-d d-b"));
    network.pass(2 * SECOND);

    assertThat(network.completed(b)).isEqualTo(new Completed(3, nodes("b", "d"), longs(6)));
  }

  @Test
  void a_member_does_not_wait_for_a_second_when_its_tree_changes_before_the_result_arrives() {
    network.commitAll(tree(2, "a", "a-b"));
    network.hold("a", "b");
    long b = network.call("b", sum("x"), longs(2));
    long a = network.call("a", sum("x"), longs(1));
    lose("a", "b");
    long decidedNanos = network.nanos();

    network.commitAll(tree(3, "a", "a-c c-b"));

    assertThat(network.completed(b)).isEqualTo(network.completed(a));
    assertThat(network.nanos()).isEqualTo(decidedNanos);
    assertThat(network.said("b", "c", Contribution.class))
        .as("what the centre has chosen it knows")
        .allMatch(said -> said.outcome() == null);
  }

  @Test
  void a_report_that_was_lost_at_the_receiver_is_sent_again() {
    network.play("c");
    network.commit("b", tree(1, "b", ""));
    network.call("b", sum("x"), longs(2));
    CommittedTree tree = tree(2, "c", "b-c c-d");
    network.commit("b", tree);
    Question lost = new Question(sum("x"), TreeEpoch.of(tree), 100_000, 0);
    network.say("c", "b", lost);
    assertThat(reportedByB()).hasSize(1);

    network.say("c", "b", lost);
    network.pass(2 * SECOND);

    assertThat(reportedByB()).hasSize(2).containsOnly(new Completed(1, nodes("b"), longs(2)));
  }

  private List<Completed> reportedByB() {
    return network.said("b", "c", Contribution.class).stream()
        .map(Contribution::outcome)
        .filter(Completed.class::isInstance)
        .map(Completed.class::cast)
        .toList();
  }

  @Test
  void a_result_that_the_centre_has_chosen_is_not_sent_back_to_it() {
    List.of("c", "d").forEach(network::play);
    CommittedTree tree = tree(3, "c", "d-b b-c c-e e-f");
    TreeEpoch epoch = TreeEpoch.of(tree);
    network.commit("b", tree);
    long b = network.call("b", sum("x"), longs(2));
    SortedSet<NodeId> waiting = nodes("d");
    network.say(
        "d",
        "b",
        new Contribution(
            sum("x"), epoch, true, waiting, nodes(), longs(4), null, true, true, 100_000, 1));
    long number = network.said("b", "c", Contribution.class).get(0).number();
    Completed ofB = new Completed(1, nodes("b"), longs(2)).withChoice(new Choice(3, nodes("b")));
    Completed ofD = new Completed(2, waiting, longs(4)).withChoice(new Choice(3, waiting));

    network.say("c", "b", new Answer("x", number, ofB, nodes("b")));
    network.pass(2 * SECOND); // The centre has no credit for the rest of its answer.

    assertThat(network.completed(b).value()).isEqualTo(longs(2));
    assertThat(reportedByB()).isEmpty();
    List<Contribution> told = network.said("b", "c", Contribution.class);
    network.say("c", "b", new Answer("x", told.get(told.size() - 1).number(), ofD, waiting));
    assertThat(network.said("b", "d", Answer.class))
        .extracting(Answer::outcome)
        .containsExactly(ofD);
  }

  @Test
  void a_hub_has_one_result_and_those_that_are_not_in_it_fail() {
    network.commitAll(tree(2, "h", "h-a"));
    long h = network.call("h", sumTo("h", "x"), longs(1));
    long a = network.call("a", sumTo("h", "x"), longs(2));
    network.commitAll(tree(3, "h", "h-a a-b"));

    long b = network.call("b", sumTo("h", "x"), longs(4));
    network.pass(2 * SECOND);

    assertThat(network.completed(h).value()).isEqualTo(longs(3));
    assertThat(network.completed(a).contributors()).isEqualTo(nodes("a", "h"));
    assertThat(network.failed(b).reason()).isEqualTo(Reason.LEFT_OUT);
  }

  @Test
  void with_a_minimum_a_smaller_part_waits_for_more_members() {
    Operation operation = sum("x").withMinimum(3);
    network.commit("c", tree(2, "c", ""));
    long c = network.call("c", operation, longs(4));
    network.commitAll(tree(3, "a", "a-b"));
    long a = network.call("a", operation, longs(1));
    long b = network.call("b", operation, longs(2));
    assertThat(network.outcome(c)).isNull();
    assertThat(network.outcome(a)).isNull();

    network.commitAll(tree(4, "a", "a-b b-c"));

    Completed all = new Completed(4, nodes("a", "b", "c"), longs(7));
    assertThat(List.of(a, b, c)).extracting(network::completed).containsOnly(all);
  }

  @Test
  void a_minimum_that_is_not_reached_is_named_when_the_time_is_over() {
    network.commitAll(tree(1, "a", "a-b"));
    Operation operation = barrier("x").withMinimum(3);
    long a = network.call("a", operation, Value.NOTHING, "t", 5 * SECOND);
    network.call("b", operation, Value.NOTHING);

    network.pass(5 * SECOND);

    assertThat(network.failed(a).reason()).isEqualTo(Reason.MEMBERS_MISSING);
    assertThat(network.failed(a).text()).containsPattern("\\b2 members.*\\b3\\b");
  }

  @Test
  void calls_with_two_minima_disagree() {
    network.commitAll(tree(1, "a", "a-b"));
    long b = network.call("b", barrier("x").withMinimum(2), Value.NOTHING);

    long a = network.call("a", barrier("x"), Value.NOTHING);

    assertThat(network.failed(a).reason()).isEqualTo(Reason.DISAGREEMENT);
    assertThat(network.failed(b).reason()).isEqualTo(Reason.DISAGREEMENT);
    assertThat(network.failed(b).text()).contains(barrier("x").withMinimum(2).described());
  }
}
