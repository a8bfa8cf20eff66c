package io.treecast.collectives.operation.contract;

import static io.treecast.collectives.operation.OperationExamples.barrier;
import static io.treecast.collectives.operation.OperationExamples.gatherTo;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static io.treecast.collectives.operation.OperationExamples.scatterFrom;
import static io.treecast.collectives.operation.OperationExamples.sumTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.ghs.NodeId;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid operations, limits and outcomes, and the description of operations. */
class OperationTest {
  private static final SortedSet<NodeId> ALL = nodes();
  private static final NodeId A = NodeId.of("a");

  private static Arguments refused(String problem, ThrowingCallable attempt) {
    return Arguments.of(problem, attempt);
  }

  private static SortedSet<NodeId> tooMany() {
    TreeSet<NodeId> members = new TreeSet<>();
    for (int i = 0; i <= Operation.MAX_PARTICIPANTS; i++) {
      members.add(NodeId.of("n" + i));
    }
    return members;
  }

  static Stream<Arguments> problems() {
    return Stream.of(
        refused("name", () -> barrier("")),
        refused("REDUCE", () -> new Operation("x", Kind.REDUCE, null, null, ALL)),
        refused("GATHER", () -> new Operation("x", Kind.GATHER, Reduction.SUM_OF_LONGS, null, ALL)),
        refused("SCATTER", () -> new Operation("x", Kind.SCATTER, null, null, ALL)),
        refused("BARRIER", () -> new Operation("x", Kind.BARRIER, null, A, ALL)),
        refused(
            "10001 participants", () -> new Operation("x", Kind.BARRIER, null, null, tooMany())),
        refused("participants", () -> gatherTo("a", "x", "b")),
        refused("members is 0", () -> barrier("x").withMinimum(0)),
        refused("members is 10001", () -> barrier("x").withMinimum(10_001)),
        refused("members is 3", () -> barrier("x", "a", "b").withMinimum(3)),
        refused("limits.collectives is 0", () -> new CombiningLimits(0, 1_024, 4_096)),
        refused("limits.collectiveBytes is 1023", () -> new CombiningLimits(1, 1_023, 4_096)),
        refused("limits.collectivesBytes is 4095", () -> new CombiningLimits(1, 1_024, 4_095)),
        refused("version 0", () -> new Outcome.Completed(0, ALL, Value.NOTHING)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("problems")
  void invalid_operations_are_refused(String problem, ThrowingCallable attempt) {
    assertThatIllegalArgumentException().isThrownBy(attempt).withMessageContaining(problem);
  }

  @Test
  void a_description_names_kind_hub_and_participants() {
    assertThat(barrier("x").described()).isEqualTo("barrier");
    assertThat(sumTo("a", "x", "b", "a").described())
        .isEqualTo("reduce by sum of whole numbers to a among a, b");
    assertThat(scatterFrom("a", "x").described()).isEqualTo("scatter from a");
  }

  @Test
  void a_text_that_is_too_long_is_cut() {
    Outcome.Failed failed = new Outcome.Failed(Outcome.Reason.NO_ROOM, "x".repeat(1_001));

    assertThat(failed.text()).isEqualTo("x".repeat(997) + "...");
    assertThat(new Outcome.Failed(Outcome.Reason.NO_ROOM, "x".repeat(1_000)).text())
        .isEqualTo("x".repeat(1_000));
  }
}
