package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.barrier;
import static io.treecast.collectives.operation.OperationExamples.gather;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static io.treecast.collectives.operation.OperationExamples.part;
import static io.treecast.collectives.operation.OperationExamples.sum;
import static io.treecast.collectives.operation.OperationExamples.sumTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningCounters;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.CombiningMessage.Answer;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.CombiningMessage.Missing;
import io.treecast.collectives.operation.contract.CombiningMessage.Question;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A member keeps a limited number of operations and bytes, and reports when it has no room. */
class RoomTest {
  private static final TreeEpoch ELSEWHERE = new TreeEpoch(7, NodeId.of("elsewhere"), 0);

  private static CombiningNetwork network(CombiningLimits limits) {
    CombiningNetwork network = new CombiningNetwork(limits);
    network.play("b");
    network.commitAll(tree(1, "a", "a-b"));
    return network;
  }

  private static CombiningCounters counters(CombiningNetwork network) {
    return network.member("a").counters();
  }

  private static Contribution told(Operation operation, SortedSet<NodeId> waiting) {
    return told(operation, ELSEWHERE, waiting);
  }

  private static Contribution told(
      Operation operation, TreeEpoch epoch, SortedSet<NodeId> waiting) {
    return new Contribution(
        operation,
        epoch,
        true,
        waiting,
        new TreeSet<>(),
        operation.kind() == Operation.Kind.REDUCE ? longs(1) : Value.NOTHING,
        null,
        false,
        false,
        100_000,
        5);
  }

  private static SortedSet<NodeId> longNames(int count) {
    TreeSet<NodeId> names = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      names.add(NodeId.of("a1".repeat(29) + (100_000 + i)));
    }
    return names;
  }

  @Test
  void one_operation_too_many_fails_at_once_and_leaves_no_trace() {
    CombiningNetwork network = network(new CombiningLimits(2, 1 << 10, 1 << 20));
    long first = network.call("a", sum("x1"), longs(1));
    network.call("a", sum("x2"), longs(1));
    long keptBytes = counters(network).keptBytes();

    long call = network.call("a", sum("x3"), longs(1));

    assertThat(network.failed(call).reason()).isEqualTo(Reason.NO_ROOM);
    assertThat(network.failed(call).text())
        .startsWith("'x3' (" + sum("x3").described() + "): agent a ")
        .containsSubsequence("limits.collectives", "2", "limits.collectivesBytes", "1048576");
    assertThat(counters(network).underWay()).isEqualTo(2);
    assertThat(counters(network).keptBytes()).isEqualTo(keptBytes);
    assertThat(network.outcome(first)).isNull();
  }

  @Test
  void a_contribution_to_one_operation_too_many_is_refused() {
    CombiningNetwork network = network(new CombiningLimits(1, 1 << 10, 1 << 20));
    network.call("a", sum("x1"), longs(1));

    network.say("b", "a", told(barrier("x2"), nodes("b")));

    assertThat(network.said("a", "b"))
        .singleElement()
        .isInstanceOfSatisfying(
            Answer.class,
            answer -> {
              assertThat(answer.name()).isEqualTo("x2");
              assertThat(answer.number()).isEqualTo(5);
              assertThat(((Failed) answer.outcome()).reason()).isEqualTo(Reason.NO_ROOM);
            });
  }

  @Test
  void a_contribution_through_a_member_without_room_fails_and_the_others_miss_it() {
    CombiningNetwork network = new CombiningNetwork();
    network.limit("a", new CombiningLimits(1, 1 << 10, 1 << 20));
    network.commitAll(tree(1, "r", "s-q q-r r-a a-b"));
    network.call("a", barrier("other"), Value.NOTHING);
    long r = network.call("r", barrier("x", "r", "b"), Value.NOTHING, "r's", 5 * SECOND);

    long b = network.call("b", barrier("x", "r", "b"), Value.NOTHING);
    network.pass(5 * SECOND);

    assertThat(network.failed(b).reason()).isEqualTo(Reason.NO_ROOM);
    assertThat(network.failed(b).text())
        .startsWith("'x' (" + barrier("x", "r", "b").described() + "): agent a ")
        .containsSubsequence("limits.collectives", "1", "limits.collectivesBytes", "1048576");
    assertThat(network.failed(r).reason()).isEqualTo(Reason.MEMBERS_MISSING);
    assertThat(network.failed(r).text()).contains("): b ");
  }

  @Test
  void a_question_about_one_operation_too_many_is_dropped() {
    CombiningNetwork network = network(new CombiningLimits(1, 1 << 10, 1 << 20));
    network.call("a", sum("x1"), longs(1));

    network.say("b", "a", new Question(barrier("x2"), ELSEWHERE, 1_000, 0));

    assertThat(network.said("a", "b")).isEmpty();
    assertThat(counters(network).underWay()).isEqualTo(1);
  }

  @Test
  void an_operation_that_was_only_asked_for_is_evicted() {
    CombiningNetwork network = network(new CombiningLimits(2, 1 << 10, 1 << 20));
    network.say("b", "a", new Question(barrier("q1"), ELSEWHERE, 1_000, 0));
    network.call("a", sum("x1"), longs(1));
    assertThat(counters(network).underWay()).isEqualTo(2);

    long call = network.call("a", sum("x2"), longs(1));

    assertThat(network.outcome(call)).isNull();
    assertThat(counters(network).underWay()).isEqualTo(2);
  }

  @Test
  void an_operation_that_is_only_asked_for_is_evicted_for_bytes() {
    CombiningNetwork network = network(new CombiningLimits(20, 4 << 10, 16 << 10));
    for (int i = 0; i < 10; i++) {
      network.say("b", "a", new Question(barrier("q" + i), ELSEWHERE, 1_000, 0));
    }
    assertThat(counters(network).underWay()).isEqualTo(10);

    long call = network.call("a", gather("x"), part("a", 4_000));

    assertThat(network.outcome(call)).isNull();
    assertThat(counters(network).underWay()).isLessThan(11);
    assertThat(counters(network).keptBytes()).isLessThanOrEqualTo(16 << 10);
  }

  @Test
  void contributions_that_take_more_than_all_may_fail() {
    CombiningNetwork network = network(new CombiningLimits(20, 4 << 10, 16 << 10));
    long first = network.call("a", gather("x1"), part("a", 4_000));
    network.call("a", gather("x2"), part("a", 4_000));
    network.call("a", gather("x3"), part("a", 4_000));
    long keptBytes = counters(network).keptBytes();

    long fourth = network.call("a", gather("x4"), part("a", 4_000));

    assertThat(network.failed(fourth).reason()).isEqualTo(Reason.NO_ROOM);
    assertThat(network.outcome(first)).isNull();
    assertThat(counters(network).underWay()).isEqualTo(3);
    assertThat(counters(network).keptBytes()).isBetween(keptBytes, keptBytes + 4_000);
  }

  @Test
  void names_from_neighbours_count_as_much_as_they_take() {
    CombiningNetwork network = network(new CombiningLimits(20, 1 << 10, 1 << 20));
    SortedSet<NodeId> names =
        longNames(5_000); // More than a mebibyte, with everything kept for each.

    network.say("b", "a", told(barrier("x"), names));

    assertThat(network.said("a", "b"))
        .first()
        .isInstanceOfSatisfying(
            Answer.class,
            answer -> assertThat(((Failed) answer.outcome()).reason()).isEqualTo(Reason.NO_ROOM));
    assertThat(counters(network).underWay()).isZero();
    assertThat(counters(network).keptBytes()).isLessThan(4_000);
  }

  @Test
  void names_of_participants_count_too() {
    CombiningNetwork network = network(new CombiningLimits(20, 1 << 10, 1 << 20));
    SortedSet<NodeId> names = longNames(1_000);
    names.add(NodeId.of("a"));

    network.call("a", new Operation("x", Operation.Kind.BARRIER, null, null, names), Value.NOTHING);

    assertThat(counters(network).keptBytes()).isBetween(300_000L, 400_000L);
  }

  @Test
  void missing_members_are_kept_as_far_as_there_is_room() {
    long mostBytes = 1 << 20;
    CombiningNetwork network = new CombiningNetwork(new CombiningLimits(20, 1 << 10, mostBytes));
    network.play("b");
    String behindB =
        longNames(1_000).stream().map(name -> " b-" + name).collect(Collectors.joining());
    CommittedTree tree = tree(1, "r", "s-q q-r r-a r-b" + behindB);
    List.of("r", "a").forEach(member -> network.commit(member, tree));
    List<Long> calls = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      calls.add(network.call("a", barrier("x" + i), Value.NOTHING, "a's", 2 * SECOND));
    }

    network.pass(SECOND);
    assertThat(network.said("r", "a", Missing.class)).hasSize(12);
    assertThat(counters(network).keptBytes()).isBetween(mostBytes / 2, mostBytes);
    assertThat(network.member("r").counters().keptBytes()).isLessThan(mostBytes);
    network.pass(SECOND);

    assertThat(calls)
        .extracting(call -> network.failed(call).text())
        .anyMatch(text -> text.contains("100000, "));
    assertThat(calls)
        .extracting(call -> network.failed(call).text())
        .anyMatch(text -> !text.contains("100000, "));
  }

  @Test
  void finished_operations_are_kept_for_late_members_and_the_oldest_is_evicted_first() {
    CombiningNetwork network = new CombiningNetwork(new CombiningLimits(3, 1 << 10, 1 << 20));
    network.commitAll(tree(1, "a", ""));
    for (int i = 1; i <= 4; i++) {
      network.call("a", sum("x" + i), longs(i));
    }
    network.commitAll(tree(2, "a", "a-b"));

    long second = network.call("b", sum("x2"), longs(100));
    long first = network.call("b", sum("x1"), longs(100));

    assertThat(network.failed(second).reason()).isEqualTo(Reason.LEFT_OUT); // It is still known.
    assertThat(network.outcome(first)).isNull(); // It begins again, because no member knows it.
  }

  @Test
  void results_are_evicted_for_operations_under_way() {
    CombiningNetwork network = new CombiningNetwork(new CombiningLimits(20, 4 << 10, 16 << 10));
    network.commitAll(tree(1, "a", ""));
    network.call("a", gather("done"), part("a", 3_000));
    network.commitAll(tree(2, "a", "a-b"));
    network.call("a", gather("x1"), part("a", 4_000));

    long last = network.call("a", gather("x2"), part("a", 4_000));

    assertThat(network.outcome(last)).isNull();
    assertThat(counters(network).underWay()).isEqualTo(2);
    long late = network.call("b", gather("done"), part("b", 100));
    assertThat(network.outcome(late)).isNull();
  }

  @Test
  void a_late_member_is_answered_even_without_room_for_its_contribution() {
    CombiningNetwork network = new CombiningNetwork(new CombiningLimits(20, 4 << 10, 16 << 10));
    network.play("b");
    network.commitAll(tree(1, "a", ""));
    network.call("a", sumTo("a", "x"), longs(1));
    network.commitAll(tree(2, "a", "a-b"));
    long keptBytes = counters(network).keptBytes();

    network.say("b", "a", told(sumTo("a", "x"), longNames(100)));

    assertThat(network.said("a", "b"))
        .singleElement()
        .isInstanceOfSatisfying(
            Answer.class,
            answer ->
                assertThat(answer.outcome())
                    .isEqualTo(new Outcome.Completed(1, nodes("a"), Value.NOTHING)));
    assertThat(counters(network).keptBytes()).isBetween(keptBytes, keptBytes + 100);
  }

  @Test
  void a_member_that_has_reported_its_whole_side_does_not_fail_alone() {
    CombiningNetwork network = new CombiningNetwork(new CombiningLimits(20, 1 << 10, 1 << 20));
    List.of("s", "q", "r", "b").forEach(network::play);
    network.commitAll(tree(1, "r", "s-q q-r r-a a-b"));
    long call = network.call("a", sum("x", "a", "r"), longs(1));

    network.say("b", "a", told(sum("x", "a", "r"), longNames(5_000)));
    assertThat(counters(network).keptBytes()).isLessThan(4_000); // It does not keep that.
    network.say("r", "a", answer(network, longs(3)));

    assertThat(network.completed(call).value()).isEqualTo(longs(3));
  }

  @Test
  void a_member_that_has_reported_its_whole_side_does_not_fail_alone_on_a_new_stream_or_tree() {
    CombiningNetwork network = new CombiningNetwork();
    network.limit("a", new CombiningLimits(20, 1 << 10, 1 << 20));
    network.play("b");
    network.commitAll(tree(1, "r", "s-q q-r r-a a-b"));
    network.hold("r", "a");
    Operation operation = sum("x", "a", "q", "r");
    long a = network.call("a", operation, longs(1));
    network.call("r", operation, longs(2));
    long q = network.call("q", operation, longs(3)); // Now r decides, and q knows.

    network.close("r", "a");
    network.say("b", "a", told(operation, longNames(5_000)));
    network.commit("a", tree(2, "r", "s-q q-r r-a a-b"));
    network.say("b", "a", told(operation, longNames(5_000)));
    network.release("r", "a");
    network.open("r", "a");
    network.commitAll(tree(2, "r", "s-q q-r r-a a-b"));

    assertThat(network.completed(a)).isEqualTo(network.completed(q));
  }

  @Test
  void a_message_dropped_for_lack_of_room_is_asked_for_once_a_second() {
    CombiningNetwork network = new CombiningNetwork(new CombiningLimits(20, 1 << 10, 1 << 20));
    List.of("s", "q", "r", "b").forEach(network::play);
    network.commitAll(tree(1, "r", "s-q q-r r-a a-b"));
    Operation operation = sum("x", "a", "b", "r");
    network.call("a", operation, longs(1));
    network.say("b", "a", told(operation, new TreeEpoch(1, NodeId.of("r"), 0), nodes("b")));
    network.pass(SECOND);
    network.say("b", "a", told(operation, longNames(5_000)));
    assertThat(network.said("a", "b", Question.class)).hasSize(1);

    network.say("b", "a", told(operation, longNames(5_000)));
    network.pass(SECOND - 1);
    assertThat(network.said("a", "b", Question.class)).hasSize(1);
    network.pass(1);
    assertThat(network.said("a", "b", Question.class)).hasSize(2);
    network.pass(5 * SECOND);
    assertThat(network.said("a", "b", Question.class)).hasSize(2); // It has sent nothing.
  }

  @Test
  void an_outcome_is_adopted_even_if_there_is_no_room_for_it() {
    CombiningNetwork network = new CombiningNetwork(new CombiningLimits(20, 1 << 10, 1 << 20));
    List.of("s", "q", "r", "b").forEach(network::play);
    network.commitAll(tree(1, "r", "s-q q-r r-a a-b"));
    Operation operation = sum("x", "a", "r");
    long call = network.call("a", operation, longs(1));
    SortedSet<NodeId> contributors = longNames(5_000);
    contributors.add(NodeId.of("a"));
    Outcome.Completed outcome = new Outcome.Completed(1, contributors, longs(3));

    network.say("b", "a", known(operation, outcome));

    assertThat(network.completed(call)).isEqualTo(outcome);
  }

  private static Contribution known(Operation operation, Outcome outcome) {
    TreeEpoch epoch = new TreeEpoch(1, NodeId.of("r"), 0);
    return new Contribution(
        operation, epoch, false, nodes(), nodes("b"), Value.NOTHING, outcome, false, false, 0, 6);
  }

  private static Answer answer(CombiningNetwork network, Value value) {
    List<Contribution> told = network.said("a", "r", Contribution.class);
    return new Answer(
        "x",
        told.get(told.size() - 1).number(),
        new Outcome.Completed(1, nodes("a", "r"), value),
        nodes());
  }

  @Test
  void results_take_half_of_the_room_at_most() {
    CombiningNetwork network = new CombiningNetwork(new CombiningLimits(100, 4 << 10, 64 << 10));
    network.commitAll(tree(1, "a", ""));
    for (int i = 0; i < 50; i++) {
      network.call("a", gather("x" + i), part("a", 4_000));
    }

    assertThat(counters(network).keptBytes()).isBetween(24L << 10, 32L << 10);
  }
}
