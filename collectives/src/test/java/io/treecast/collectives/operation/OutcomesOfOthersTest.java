package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static io.treecast.collectives.operation.OperationExamples.sum;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.mst.CommittedTree;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A member that does not take part in an operation is not asked before it is decided on another
 * tree, so the outcome that it knows is of its tree alone. In these stories {@code r} and {@code s}
 * lie between {@code a} and {@code b}, and the answers of {@code r} do not arrive.
 */
class OutcomesOfOthersTest {
  private static final Operation SUM = sum("x", "a", "b");
  private static final CommittedTree FIRST = tree(1, "r", "a-r b-r r-s");
  private static final CommittedTree NEXT = tree(2, "r", "a-s b-s r-s");
  private static final CommittedTree LAST = tree(3, "r", "a-r r-s b-s");

  private final CombiningNetwork network = new CombiningNetwork();
  private long b;

  @BeforeEach
  void onlyTheRelayKnowsWhatItCameTo() {
    network.commitAll(FIRST);
    network.hold("r", "a");
    network.hold("r", "b");
    network.call("a", SUM, longs(1), "first", SECOND);
    b = network.call("b", SUM, longs(2));
    assertThat(network.said("r", "a", CombiningMessage.Answer.class)).hasSize(1);
    network.close("r", "b");
  }

  @Test
  void an_outcome_of_others_is_forgotten_with_the_tree() {
    network.pass(12 * SECOND); // The contribution of a has expired.
    network.close("r", "a");
    network.commitAll(NEXT);
    network.hold("s", "a");
    long a = network.call("a", SUM, longs(10), "second", 100 * SECOND);
    network.close("s", "a");
    network.release("r", "a");
    network.commitAll(LAST);
    network.pass(3 * SECOND); // Member a asks for the outcome.

    Completed both = new Completed(2, nodes("a", "b"), longs(12));
    assertThat(network.completed(b)).isEqualTo(both);
    assertThat(network.completed(a)).isEqualTo(both);
  }

  @Test
  void an_outcome_of_others_is_not_sent_to_members_of_a_newer_tree() {
    network.close("r", "a");
    network.release("r", "a");
    network.release("r", "b");
    network.commit("a", LAST);
    network.commit("b", LAST);
    network.commit("s", LAST);
    long a = network.call("a", SUM, longs(1), "first", 100 * SECOND);
    network.pass(3 * SECOND);
    assertThat(network.outcome(a)).isNull();
    assertThat(network.outcome(b)).isNull();

    network.commit("r", LAST);

    Completed both = new Completed(3, nodes("a", "b"), longs(3));
    assertThat(network.completed(b)).isEqualTo(both);
    assertThat(network.completed(a)).isEqualTo(both);
  }

  @Test
  void a_question_on_a_newer_tree_is_remembered_and_answered() {
    network.commit("b", FIRST); // It dials r again, and gets the outcome.
    network.release("r", "b");
    assertThat(network.completed(b)).isEqualTo(new Completed(1, nodes("a", "b"), longs(3)));
    network.close("r", "a");
    CommittedTree line = tree(2, "s", "z-a a-s r-s b-r");
    network.commit("b", line);
    network.commit("z", line);
    network.commit("a", line);
    network.commit("s", line);
    long a = network.call("a", SUM, longs(1), "first", 100 * SECOND);
    network.pass(3 * SECOND);
    assertThat(network.said("s", "r", CombiningMessage.Question.class))
        .extracting(CombiningMessage.Question::patienceMillis)
        .as("once for what a gave before, and once for its call")
        .containsExactly(1_000L, 99_000L);
    assertThat(network.outcome(a)).isNull();

    network.commit("r", line);

    assertThat(network.completed(a)).isEqualTo(network.completed(b));
  }
}
