package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.PATIENCE;
import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.barrier;
import static io.treecast.collectives.operation.OperationExamples.gather;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.sum;
import static io.treecast.collectives.operation.OperationExamples.sumTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Members call different operations by one name: it fails for all. */
class DisagreementTest {
  private final CombiningNetwork network = new CombiningNetwork();

  @BeforeEach
  void commit() {
    network.commitAll(tree(1, "r", "r-a a-b r-c"));
  }

  static Stream<Operation> others() {
    return Stream.of(
        barrier("x"),
        new Operation(
            "x", Operation.Kind.REDUCE, Reduction.MIN_OF_LONGS, null, sum("x").participants()),
        sumTo("r", "x"),
        sum("x", "r", "a", "b", "c"));
  }

  @ParameterizedTest
  @MethodSource("others")
  void waiting_and_later_calls_learn_of_the_disagreement(Operation other) {
    long b = network.call("b", sum("x"), longs(1));
    long a = network.call("a", sum("x"), longs(1));

    Value value = other.kind() == Operation.Kind.BARRIER ? Value.NOTHING : longs(1);
    long c = network.call("c", other, value);

    assertThat(network.failed(b).reason()).isEqualTo(Reason.DISAGREEMENT);
    assertThat(network.failed(a)).isEqualTo(network.failed(b));
    assertThat(network.failed(c).reason()).isEqualTo(Reason.DISAGREEMENT);
    long r = network.call("r", sum("x"), longs(1));
    assertThat(network.failed(r)).isEqualTo(network.failed(b));
  }

  @Test
  void the_text_names_both_operations_and_their_members() {
    long b = network.call("b", sum("x"), longs(1));
    network.call("a", sum("x"), longs(1));

    network.call("c", sumTo("c", "x"), longs(1));
    network.call("r", sum("x"), longs(1));
    network.pass(SECOND); // Then c, which waits for r, asks it.

    assertThat(network.failed(b).text())
        .startsWith("'x' ")
        .containsSubsequence(sum("x").described(), " c,", sumTo("c", "x").described());
  }

  @Test
  void each_side_learns_its_own_operation_and_that_of_the_other_side() {
    long b = network.call("b", sum("x"), longs(1));
    network.call("a", sum("x"), longs(1));

    Operation least =
        new Operation(
            "x", Operation.Kind.REDUCE, Reduction.MIN_OF_DOUBLES, null, sum("x").participants());
    long c = network.call("c", least, Value.doubles(1));

    assertThat(network.failed(b).text())
        .containsSubsequence("'x' ", sum("x").described(), " c ", least.described());
    assertThat(network.failed(c).text())
        .containsSubsequence("'x' ", least.described(), " a ", sum("x").described());
  }

  @Test
  void a_conflicting_call_at_a_forwarding_member_fails_the_others() {
    long b = network.call("b", barrier("x"), Value.NOTHING);

    long a = network.call("a", sum("x"), longs(1));

    assertThat(network.failed(a).reason()).isEqualTo(Reason.DISAGREEMENT);
    assertThat(network.failed(a).text())
        .containsSubsequence(sum("x").described(), " b ", barrier("x").described());
    assertThat(network.failed(b).reason()).isEqualTo(Reason.DISAGREEMENT);
    assertThat(network.failed(b).text())
        .containsSubsequence(barrier("x").described(), " a ", sum("x").described());
  }

  @Test
  void a_second_call_that_means_another_thing_fails_alone() {
    List<Long> calls =
        Stream.of("a", "b", "c").map(m -> network.call(m, barrier("x"), Value.NOTHING)).toList();

    long odd = network.call("a", sum("x"), longs(1), "another", PATIENCE);
    network.call("r", barrier("x"), Value.NOTHING);

    assertThat(network.failed(odd).reason()).isEqualTo(Reason.DISAGREEMENT);
    assertThat(network.failed(odd).text())
        .containsSubsequence(sum("x").described(), " a ", barrier("x").described());
    calls.forEach(call -> assertThat(network.completed(call).value()).isEqualTo(Value.NOTHING));
  }

  @Test
  void a_conflicting_call_after_all_of_its_side_fails_alone() {
    long b = network.call("b", sum("x", "b", "c", "r"), longs(1)); // Member a has passed it on.

    long odd = network.call("a", barrier("x"), Value.NOTHING);
    network.call("c", sum("x", "b", "c", "r"), longs(2));
    network.call("r", sum("x", "b", "c", "r"), longs(3));

    assertThat(network.failed(odd).reason()).isEqualTo(Reason.DISAGREEMENT);
    assertThat(network.completed(b).value()).isEqualTo(longs(6));
  }

  @Test
  void a_conflicting_question_fails_both_operations() {
    long r = network.call("r", barrier("x"), Value.NOTHING);
    network.pass(SECOND / 2);
    long a = network.call("a", sum("x"), longs(1)); // Waits for b, and sends nothing yet.

    network.pass(SECOND / 2);

    assertThat(network.failed(r).reason()).isEqualTo(Reason.DISAGREEMENT);
    assertThat(network.failed(a).reason()).isEqualTo(Reason.DISAGREEMENT);
  }

  @Test
  void vectors_of_two_lengths_fail_it_for_all() {
    List<Long> calls =
        List.of(
            network.call("a", sum("x"), longs(1, 2, 3)),
            network.call("b", sum("x"), longs(1, 2, 3)),
            network.call("c", sum("x"), longs(1, 2)),
            network.call("r", sum("x"), longs(1, 2, 3)));

    assertThat(calls)
        .extracting(network::failed)
        .containsOnly(network.failed(calls.get(0)))
        .allMatch(failed -> failed.reason() == Reason.DISAGREEMENT)
        .extracting(Failed::text)
        .allMatch(text -> text.matches("'x' .*: r .*\\b3\\b.* c .*\\b2\\b.*"));
  }

  @Test
  void vectors_of_two_lengths_that_meet_on_the_way_fail_it_for_all() {
    Operation operation =
        new Operation(
            "x", Operation.Kind.REDUCE, Reduction.SUM_OF_DOUBLES, null, gather("x").participants());
    long r = network.call("r", operation, Value.doubles(1));
    long a = network.call("a", operation, Value.doubles(1));

    long b = network.call("b", operation, Value.doubles(1, 2));

    assertThat(network.failed(a).text()).matches("'x' .*: a .*\\b1\\b.* b .*\\b2\\b.*");
    assertThat(network.failed(b)).isEqualTo(network.failed(a));
    assertThat(network.failed(r)).isEqualTo(network.failed(a));
  }
}
