package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.nodes;
import static io.treecast.collectives.operation.OperationExamples.barrier;
import static io.treecast.collectives.operation.OperationExamples.gatherTo;
import static io.treecast.collectives.operation.OperationExamples.scatterFrom;
import static io.treecast.collectives.operation.OperationExamples.sumTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.operation.Operation.Kind;
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
        refused("the operation has no name", () -> barrier("")),
        refused(
            "a REDUCE needs a reduction", () -> new Operation("x", Kind.REDUCE, null, null, ALL)),
        refused(
            "a GATHER has no reduction",
            () -> new Operation("x", Kind.GATHER, Reduction.SUM_OF_LONGS, null, ALL)),
        refused(
            "a SCATTER needs a hub, the member that has the parts",
            () -> new Operation("x", Kind.SCATTER, null, null, ALL)),
        refused(
            "a BARRIER has no hub, but one is given: a",
            () -> new Operation("x", Kind.BARRIER, null, A, ALL)),
        refused(
            "10001 participants; allowed are 10000",
            () -> new Operation("x", Kind.BARRIER, null, null, tooMany())),
        refused("a is not among the participants", () -> gatherTo("a", "x", "b")),
        refused(
            "the minimum of members is 0; allowed are 1 to 10000",
            () -> barrier("x").withMinimum(0)),
        refused(
            "the minimum of members is 10001; allowed are 1 to 10000",
            () -> barrier("x").withMinimum(10_001)),
        refused(
            "the minimum of members is 3; allowed are 1 to 2",
            () -> barrier("x", "a", "b").withMinimum(3)),
        refused(
            "limits.collectives is 0; allowed are 1 to 1048576",
            () -> new CombiningLimits(0, 1_024, 4_096)),
        refused(
            "limits.collectiveBytes is 1023; allowed are 1024 to 4194304",
            () -> new CombiningLimits(1, 1_023, 4_096)),
        refused(
            "limits.collectivesBytes is 4095; allowed are 4096 to 1099511627776",
            () -> new CombiningLimits(1, 1_024, 4_095)),
        refused(
            "tree version 0 is less than 1", () -> new Outcome.Completed(0, ALL, Value.NOTHING)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("problems")
  void invalid_operations_are_refused(String problem, ThrowingCallable attempt) {
    assertThatIllegalArgumentException().isThrownBy(attempt).withMessage(problem);
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
