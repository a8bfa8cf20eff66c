package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Operation.Step;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The steps of a large operation: the opening, and the segments. */
class SegmentsTest {
  private static final int SEGMENTS = 20;

  private final CombiningNetwork network = new CombiningNetwork();

  private static Operation opening(String name) {
    return new Operation(name, Kind.REDUCE, Reduction.SUM_OF_LONGS, null, nodes())
        .withStep(Step.opening(1_000));
  }

  private static Operation segment(int number, boolean mayLoseMembers, String... participants) {
    return new Operation(
        "x~first/" + number,
        Kind.REDUCE,
        Reduction.SUM_OF_LONGS,
        null,
        nodes(participants),
        1,
        new Step(1_000, number, SEGMENTS, 3, mayLoseMembers));
  }

  @Test
  void an_opening_gives_all_the_least_of_each_number_of_members_and_agents() {
    network.commitAll(tree(1, "a", "a-b b-c"));
    long a = network.call("a", opening("x"), longs(Long.MAX_VALUE, 1, Long.MAX_VALUE, 7));
    network.call("b", opening("x"), longs(Long.MAX_VALUE, 1, Long.MAX_VALUE, 5));
    network.call("c", opening("x"), longs(Long.MAX_VALUE, 1, Long.MAX_VALUE, 9));
    // Agent b has two neighbours, and no chain. Half of its memory is for large operations.
    long offered = CombiningLimits.defaults().totalBytes() / 2 * 3 / 4 / 4;
    assertThat(network.completed(a).value()).isEqualTo(longs(offered, 0, offered, 5));
  }

  @Test
  void a_segment_has_the_name_of_the_whole_operation_before_the_attempt() {
    Operation plain = new Operation("a~b/1", Kind.BARRIER, null, null, nodes());
    assertThat(plain.nameOfWhole()).isEqualTo("a~b/1");
    assertThat(opening("a~b").nameOfWhole()).isEqualTo("a~b");
    assertThat(segment(7, true, "a").nameOfWhole()).isEqualTo("x");
  }

  @Test
  void a_second_operation_gets_as_large_a_part_of_the_memory_that_the_first_leaves() {
    network.commitAll(tree(1, "a", "a-b"));
    long first = opened("x");
    assertThat(opened("y")).isEqualTo(first / 4);
    for (String member : List.of("a", "b")) {
      network.call(member, segment(SEGMENTS, true, "a", "b"), longs(1));
    }
    assertThat(opened("z")).isGreaterThan(first / 2); // The first has ended.
  }

  private long opened(String name) {
    long a = network.call("a", opening(name), longs(Long.MAX_VALUE));
    network.call("b", opening(name), longs(Long.MAX_VALUE));
    return ((Value.Vector) network.completed(a).value()).longs()[0];
  }

  @Test
  void an_opening_without_numbers_has_a_result_without_numbers() {
    network.commitAll(tree(1, "a", "a-b"));
    long a = network.call("a", opening("x"), longs());
    network.call("b", opening("x"), longs());
    assertThat(network.completed(a).value()).isEqualTo(longs());
  }

  @Test
  void a_segment_is_complete_without_a_participant_that_leaves_the_tree() {
    network.commitAll(tree(1, "b", "a-b b-c"));
    List<Long> calls = new ArrayList<>();
    for (String member : List.of("a", "b")) {
      calls.add(network.call(member, segment(1, true, "a", "b", "c"), longs(1)));
    }
    assertThat(calls).allSatisfy(call -> assertThat(network.outcome(call)).isNull());
    network.commit("a", tree(2, "b", "a-b"));
    network.commit("b", tree(2, "b", "a-b"));
    for (long call : calls) {
      assertThat(network.completed(call).contributors()).isEqualTo(nodes("a", "b"));
      assertThat(network.completed(call).value()).isEqualTo(longs(2));
    }
  }

  @Test
  void a_segment_among_named_participants_waits_for_one_that_leaves_the_tree() {
    network.commitAll(tree(1, "b", "a-b b-c"));
    long a = network.call("a", segment(1, false, "a", "b", "c"), longs(1));
    network.call("b", segment(1, false, "a", "b", "c"), longs(1));
    network.commit("a", tree(2, "b", "a-b"));
    network.commit("b", tree(2, "b", "a-b"));
    network.pass(5 * SECOND);
    assertThat(network.outcome(a)).isNull();
  }

  @Test
  void members_that_were_never_apart_get_one_outcome_of_a_segment_with_a_lost_answer() {
    network.commitAll(tree(1, "b", "a-b b-c"));
    network.hold("b", "a"); // The answer does not arrive before the tree changes.
    long a = network.call("a", segment(1, true, "a", "b", "c"), longs(1));
    long b = network.call("b", segment(1, true, "a", "b", "c"), longs(1));
    network.call("c", segment(1, true, "a", "b", "c"), longs(1));
    assertThat(network.completed(b).contributors()).isEqualTo(nodes("a", "b", "c"));
    network.close("a", "b");
    network.commit("b", tree(2, "b", "a-b"));
    network.commit("a", tree(2, "b", "a-b"));
    network.release("b", "a");
    network.pass(5 * SECOND);
    assertThat(network.completed(a).contributors()).isEqualTo(nodes("a", "b", "c"));
    assertThat(network.completed(a).value()).isEqualTo(longs(3));
  }

  @Test
  void results_are_kept_until_all_members_have_them() {
    network.commitAll(tree(1, "a", "a-b"));
    List<Long> calls = new ArrayList<>();
    for (int number = 1; number <= 4; number++) {
      if (number == 2) {
        network.hold("a", "b"); // Answers, which b lacks for a window of segments.
      }
      network.call("a", segment(number, true, "a", "b"), longs(1));
      calls.add(network.call("b", segment(number, true, "a", "b"), longs(1)));
    }
    network.close("a", "b");
    network.commitAll(tree(2, "a", "a-b"));
    network.release("a", "b");
    network.pass(5 * SECOND);
    assertThat(calls)
        .allSatisfy(call -> assertThat(network.completed(call).value()).isEqualTo(longs(2)));
  }

  @Test
  void agents_keep_two_windows_of_results_of_all_segments() {
    network.commitAll(tree(1, "a", "a-b"));
    List<Long> keptBytes = new ArrayList<>();
    for (int number = 1; number <= SEGMENTS; number++) {
      for (String member : List.of("a", "b")) {
        network.call(member, segment(number, true, "a", "b"), longs(new long[100]));
      }
      keptBytes.add(network.member("a").counters().keptBytes());
    }
    assertThat(keptBytes.get(SEGMENTS - 1)).isLessThanOrEqualTo(keptBytes.get(12));
    assertThat(keptBytes.get(2)).isGreaterThan(keptBytes.get(0));
  }
}
