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

import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.mst.CommittedTree;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An answer applies to the last contribution only: its sender may have counted a later contribution
 * than the one that it answers. In these stories {@code a} has no room for an operation at first,
 * reports that, and is heard only when it has room and counts {@code b}.
 */
class LateAnswersTest {
  private final CombiningNetwork network = new CombiningNetwork();
  private final Operation other = barrier("other", "a", "z");

  @BeforeEach
  void aHasNoRoom() {
    network.limit("a", new CombiningLimits(1, 1 << 10, 1 << 20));
  }

  private void commit(CommittedTree tree) {
    network.commitAll(tree);
    network.call("a", other, Value.NOTHING);
    network.hold("a", "b");
  }

  private void writable() {
    network.call("z", other, Value.NOTHING);
    assertThat(network.member("a").counters().underWay()).isZero();
  }

  @Test
  void an_answer_to_a_contribution_of_an_earlier_tree_is_ignored() {
    commit(tree(1, "a", "a-b a-z"));
    long b = network.call("b", sum("x", "a", "b"), longs(2));
    writable();
    network.commit("b", tree(2, "a", "a-b a-z"));
    network.commit("a", tree(2, "a", "a-b a-z"));

    network.release("a", "b");
    long a = network.call("a", sum("x", "a", "b"), longs(1));

    Completed both = new Completed(2, nodes("a", "b"), longs(3));
    assertThat(network.completed(a)).isEqualTo(both);
    assertThat(network.completed(b)).isEqualTo(both);
  }

  @Test
  void an_answer_to_the_first_of_two_contributions_is_ignored() {
    commit(tree(1, "a", "a-b b-c a-z"));
    long b = network.call("b", sum("x", "a", "b", "c"), longs(2));
    network.pass(SECOND); // Now b has waited for long, and sends what it has.
    writable();
    long c = network.call("c", sum("x", "a", "b", "c"), longs(3));

    network.release("a", "b");
    long a = network.call("a", sum("x", "a", "b", "c"), longs(1));

    Completed all = new Completed(1, nodes("a", "b", "c"), longs(6));
    assertThat(network.completed(a)).isEqualTo(all);
    assertThat(network.completed(b)).isEqualTo(all);
    assertThat(network.completed(c)).isEqualTo(all);
  }

  @Test
  void an_answer_to_an_earlier_attempt_is_ignored_while_there_is_none_to_answer() {
    commit(tree(1, "a", "a-b b-c b-d a-z"));
    Operation operation = sum("x", "a", "c", "d");
    network.call("c", operation, longs(2), "first", SECOND / 2);
    network.call("d", operation, longs(3), "first", SECOND / 2);
    network.pass(12 * SECOND); // No call waits for it any more; it is forgotten.
    writable();
    long c = network.call("c", operation, longs(2), "second", PATIENCE);

    network.release("a", "b");
    long d = network.call("d", operation, longs(3), "second", PATIENCE);
    long a = network.call("a", operation, longs(1));

    Completed all = new Completed(1, nodes("a", "c", "d"), longs(6));
    assertThat(network.completed(a)).isEqualTo(all);
    assertThat(network.completed(c)).isEqualTo(all);
    assertThat(network.completed(d)).isEqualTo(all);
  }

  @Test
  void an_answer_to_an_earlier_attempt_with_another_hub_is_ignored() {
    commit(tree(1, "a", "a-b b-c b-d a-z"));
    network.call("c", sumTo("a", "x", "a", "c"), longs(2), "first", SECOND / 2);
    network.pass(12 * SECOND);
    long c = network.call("c", sumTo("d", "x", "c", "d"), longs(2), "second", PATIENCE);

    network.release("a", "b");
    long d = network.call("d", sumTo("d", "x", "c", "d"), longs(3));

    assertThat(network.completed(d)).isEqualTo(new Completed(1, nodes("c", "d"), longs(5)));
    assertThat(network.completed(c)).isEqualTo(new Completed(1, nodes("c", "d"), Value.NOTHING));
  }

  @Test
  void an_answer_in_time_counts() {
    commit(tree(1, "a", "a-b a-z"));
    long b = network.call("b", sum("x", "a", "b"), longs(2));

    network.release("a", "b");

    assertThat(network.failed(b).reason()).isEqualTo(Reason.NO_ROOM);
  }
}
