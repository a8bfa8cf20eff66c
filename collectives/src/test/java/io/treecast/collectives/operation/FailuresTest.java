package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.gather;
import static io.treecast.collectives.operation.OperationExamples.gatherTo;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static io.treecast.collectives.operation.OperationExamples.part;
import static io.treecast.collectives.operation.OperationExamples.parts;
import static io.treecast.collectives.operation.OperationExamples.scatterFrom;
import static io.treecast.collectives.operation.OperationExamples.sum;
import static io.treecast.collectives.operation.OperationExamples.sumTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.mst.CommittedTree;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A failed operation fails for all members that wait, and for those that call later. */
class FailuresTest {
  private static final CommittedTree TREE = tree(1, "r", "r-a a-b r-c");

  private final CombiningNetwork network =
      new CombiningNetwork(new CombiningLimits(10, 1 << 10, 1 << 20));

  @BeforeEach
  void commit() {
    network.commitAll(TREE);
  }

  @Test
  void a_sum_that_does_not_fit_fails() {
    List<Long> calls =
        List.of(
            network.call("r", sum("x"), longs(1)),
            network.call("c", sum("x"), longs(1)),
            network.call("b", sum("x"), longs(Long.MAX_VALUE)),
            network.call("a", sum("x"), longs(1)));

    assertThat(calls)
        .extracting(network::failed)
        .allMatch(failed -> failed.reason() == Reason.OVERFLOW)
        .extracting(Failed::text)
        .allMatch(text -> text.startsWith("'x' (" + sum("x").described() + "): "));
  }

  @Test
  void a_partial_sum_that_does_not_fit_fails_even_if_the_total_would() {
    network.call("r", sum("x"), longs(-1));
    network.call("c", sum("x"), longs(0));
    long b = network.call("b", sum("x"), longs(Long.MAX_VALUE));
    network.call("a", sum("x"), longs(1));

    assertThat(network.failed(b).reason()).isEqualTo(Reason.OVERFLOW);
  }

  @Test
  void a_contribution_that_is_too_large_fails() {
    long r = network.call("r", gather("x"), part("r", 10));

    long b = network.call("b", gather("x"), part("b", 1_000));

    assertThat(network.failed(b).reason()).isEqualTo(Reason.TOO_LARGE);
    assertThat(network.failed(b).text())
        .startsWith("'x' (gather): 1064 bytes")
        .contains("limits.collectiveBytes", "1024");
    assertThat(network.failed(r)).isEqualTo(network.failed(b));
    long c = network.call("c", gather("x"), part("c", 10));
    assertThat(network.failed(c)).isEqualTo(network.failed(b));
  }

  @Test
  void a_combination_that_is_too_large_fails() {
    List<Long> calls =
        List.of(
            network.call("r", gatherTo("r", "x"), part("r", 300)),
            network.call("c", gatherTo("r", "x"), part("c", 300)),
            network.call("a", gatherTo("r", "x"), part("a", 300)),
            network.call("b", gatherTo("r", "x"), part("b", 300)));

    assertThat(calls)
        .extracting(network::failed)
        .allMatch(failed -> failed.reason() == Reason.TOO_LARGE)
        .containsOnly(network.failed(calls.get(0)));
  }

  @Test
  void a_scatter_that_is_too_large_fails_the_waiting_members() {
    long b = network.call("b", scatterFrom("r", "x"), Value.NOTHING);

    network.call("r", scatterFrom("r", "x"), part("b", 1_000));

    assertThat(network.outcome(b)).isNull(); // Member a has not arrived, so r has not heard of b.
    network.call("a", scatterFrom("r", "x"), Value.NOTHING);
    assertThat(network.failed(b).reason()).isEqualTo(Reason.TOO_LARGE);
  }

  @Test
  void a_restarted_hub_has_lost_the_result() {
    List.of("r", "a", "b", "c").forEach(m -> network.call(m, sumTo("a", "x"), longs(1)));
    network.restart("a", TREE);

    long again = network.call("a", sumTo("a", "x"), longs(1));
    assertThat(network.outcome(again)).isNull();
    network.pass(SECOND);

    assertThat(network.failed(again).reason()).isEqualTo(Reason.RESULT_LOST);
    assertThat(network.failed(again).text())
        .startsWith("'x' (" + sumTo("a", "x").described() + "): ")
        .contains("agent a,");
    long late = network.call("b", sumTo("a", "x"), longs(1));
    assertThat(network.completed(late))
        .isEqualTo(new Completed(1, nodes("r", "a", "b", "c"), Value.NOTHING));
  }

  @Test
  void another_restarted_member_gets_the_result_again() {
    List.of("r", "a", "b", "c").forEach(m -> network.call(m, sum("x"), longs(1)));
    network.restart("r", TREE);

    long again = network.call("r", sum("x"), longs(100));
    network.pass(SECOND);

    assertThat(network.completed(again))
        .isEqualTo(new Completed(1, nodes("r", "a", "b", "c"), longs(4)));
  }

  @Test
  void a_restarted_hub_of_a_scatter_has_the_parts_again() {
    Value all = parts("r", "a", "b", "c");
    List.of("r", "a", "b", "c")
        .forEach(m -> network.call(m, scatterFrom("a", "x"), m.equals("a") ? all : Value.NOTHING));
    network.restart("a", TREE);

    long again = network.call("a", scatterFrom("a", "x"), all);
    network.pass(SECOND);

    assertThat(network.completed(again)).isEqualTo(new Completed(1, nodes("a"), parts("a")));
  }
}
