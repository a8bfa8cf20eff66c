package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.PATIENCE;
import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.gather;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static io.treecast.collectives.operation.OperationExamples.part;
import static io.treecast.collectives.operation.OperationExamples.parts;
import static io.treecast.collectives.operation.OperationExamples.scatterFrom;
import static io.treecast.collectives.operation.OperationExamples.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.CombiningMessage.Answer;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.CombiningMessage.Credit;
import io.treecast.collectives.operation.contract.CombiningMessage.Question;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No more is under way to a neighbour than its credit and one message. */
class CreditTest {
  private static final long WINDOW_BYTES = 1_000;
  private static final TreeEpoch EPOCH = new TreeEpoch(1, NodeId.of("a"), 0);

  private final CombiningNetwork network =
      new CombiningNetwork(CombiningLimits.defaults(), WINDOW_BYTES);

  private static Contribution partOfB(String operation, int bytes) {
    return partOfB(gather(operation), EPOCH, bytes);
  }

  private static Contribution partOfB(Operation operation, TreeEpoch epoch, int bytes) {
    return new Contribution(
        operation,
        epoch,
        true,
        nodes("b"),
        nodes(),
        part("b", bytes),
        null,
        false,
        false,
        100_000,
        1);
  }

  private List<String> answered(String from, String to) {
    return network.said(from, to, Answer.class).stream().map(Answer::name).toList();
  }

  @Test
  void answers_wait_for_credit_and_are_kept_for_it() {
    network.play("b");
    network.commitAll(tree(1, "a", "a-b"));
    for (String name : List.of("x1", "x2", "x3")) {
      network.say("b", "a", partOfB(name, 900));
      network.call("a", gather(name), part("a", 100));
    }
    assertThat(answered("a", "b")).containsExactly("x1");
    assertThat(network.member("a").counters().underWay()).isEqualTo(2);

    network.say("b", "a", new Credit(1_000 + network.said("a", "b", Answer.class).get(0).cost()));
    assertThat(answered("a", "b")).containsExactly("x1", "x2");
    network.say("b", "a", new Credit(10_000));

    assertThat(answered("a", "b")).containsExactly("x1", "x2", "x3");
    assertThat(network.member("a").counters().underWay()).isZero();
  }

  @Test
  void contributions_wait_for_credit_too() {
    network.play("a");
    network.commitAll(tree(1, "a", "a-b"));
    for (String name : List.of("x1", "x2")) {
      network.call("b", gather(name), part("b", 1_000));
    }
    assertThat(network.said("b", "a")).hasSize(1);

    network.say("a", "b", new Credit(10_000));

    assertThat(network.said("b", "a", Contribution.class))
        .extracting(contribution -> contribution.operation().name())
        .containsExactly("x1", "x2");
  }

  @Test
  void a_known_outcome_is_sent_to_the_asking_neighbour_when_there_is_credit() {
    network.play("b");
    network.commitAll(tree(1, "a", ""));
    network.call("a", gather("x1"), part("a", 1_000));
    network.call("a", gather("x2"), part("a", 1_000));
    network.commitAll(tree(2, "a", "a-b b-c"));

    network.say("b", "a", new Question(gather("x1"), EPOCH, 1_000, 0));
    network.say("b", "a", new Question(gather("x2"), EPOCH, 1_000, 0));
    assertThat(network.said("a", "b", Contribution.class)).hasSize(1);
    network.say("b", "a", new Credit(10_000));

    assertThat(network.said("a", "b", Contribution.class))
        .extracting(contribution -> contribution.operation().name())
        .containsExactly("x1", "x2");
  }

  @Test
  void a_question_about_an_old_operation_is_answered_when_there_is_credit() {
    network.play("b");
    network.commitAll(tree(1, "a", ""));
    network.call("a", gather("x1"), part("a", 1_000));
    network.call("a", gather("x2"), part("a", 1_000));
    network.commitAll(tree(2, "a", "a-b b-c"));
    network.pass(2 * PATIENCE);
    network.say("b", "a", new Question(gather("x1"), EPOCH, 60_000, 0));
    network.say("b", "a", new Question(gather("x2"), EPOCH, 60_000, 0));

    network.pass(50 * SECOND);
    network.say("b", "a", new Credit(10_000));

    assertThat(network.said("a", "b", Contribution.class))
        .extracting(contribution -> contribution.operation().name())
        .containsExactly("x1", "x2");
  }

  @Test
  void parts_of_a_scatter_that_find_no_room_wait_for_it_where_they_are() {
    List<String> names = List.of("x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8");
    network.play("c");
    network.commitAll(tree(1, "a", "a-b b-c"));
    for (String name : names) {
      network.call("b", scatterFrom("a", name), Value.NOTHING);
      network.say("c", "b", waitsForPart(name));
    }
    for (String name : names) {
      network.call("a", scatterFrom("a", name), parts("b", "c"));
    }
    assertThat(answered("b", "c")).hasSizeBetween(1, 7);
    network.sent.removeIf(sent -> sent.from().equals(NodeId.of("a")));

    network.say("c", "b", new Credit(10_000));

    assertThat(answered("a", "b")).isEmpty(); // The hub might no longer know them.

    assertThat(answered("b", "c")).containsExactlyInAnyOrderElementsOf(names);
    assertThat(network.said("b", "c", Answer.class))
        .allSatisfy(answer -> assertThat(answer.members()).isEqualTo(nodes("c")));
  }

  @Test
  void parts_of_a_scatter_for_which_there_is_no_memory_are_asked_for_again() {
    CombiningNetwork small =
        new CombiningNetwork(new CombiningLimits(20, 1 << 10, 8 << 10), WINDOW_BYTES);
    List<String> names = List.of("x1", "x2", "x3", "x4");
    small.limit("a", CombiningLimits.defaults());
    small.play("c");
    small.commitAll(tree(1, "a", "a-b b-c"));
    names.forEach(name -> small.say("c", "b", waitsForPart(name)));
    for (String name : names) {
      small.call("b", scatterFrom("a", name), Value.NOTHING);
      small.call("a", scatterFrom("a", name), part("c", 1_000));
    }
    assertThat(small.said("b", "c", Answer.class)).hasSizeBetween(1, 3);

    for (int i = 1; i <= 4; i++) {
      small.say("c", "b", new Credit(i * 2_000L));
    }

    assertThat(small.said("b", "c", Answer.class))
        .extracting(Answer::name)
        .containsExactlyInAnyOrderElementsOf(names);
    assertThat(small.said("a", "b", Answer.class)).hasSizeGreaterThan(4);
  }

  @Test
  void results_that_find_neither_room_nor_memory_are_asked_for_again() {
    int operations = 40;
    long mostBytes = 64 << 10;
    CombiningNetwork small = new CombiningNetwork(CombiningLimits.defaults(), 8_000);
    small.limit("a", new CombiningLimits(100, 8 << 10, mostBytes));
    small.play("b");
    small.commitAll(tree(1, "r", "s-q q-r r-a a-b"));
    for (int i = 0; i < operations; i++) {
      small.say(
          "b", "a", partOfB(gather("x" + i, "r", "b"), new TreeEpoch(1, NodeId.of("r"), 0), 1));
    }
    for (int i = 0; i < operations; i++) {
      small.call("r", gather("x" + i, "r", "b"), part("r", 7_000));
    }
    assertThat(small.member("a").counters().keptBytes()).isLessThan(mostBytes);

    long credit = 8_000;
    for (int i = 0; i < operations; i++) {
      credit += 8_000;
      small.say("b", "a", new Credit(credit));
      assertThat(small.member("a").counters().keptBytes()).isLessThan(mostBytes);
    }

    assertThat(small.said("a", "b", Answer.class))
        .extracting(Answer::name)
        .doesNotHaveDuplicates()
        .hasSize(operations);
    assertThat(small.said("r", "a", Answer.class)).hasSizeBetween(operations, 2 * operations);
    assertThat(small.member("a").counters().underWay()).isZero();
  }

  private static Contribution waitsForPart(String operation) {
    return new Contribution(
        scatterFrom("a", operation),
        EPOCH,
        true,
        nodes("c"),
        nodes(),
        Value.NOTHING,
        null,
        false,
        false,
        100_000,
        1);
  }

  @Test
  void credit_is_given_whenever_a_quarter_has_been_dealt_with() {
    network.play("b");
    network.commitAll(tree(1, "a", "a-b"));
    long heard = 0;
    for (int i = 0; i < 10; i++) {
      network.say("b", "a", partOfB("x" + i, 100));
      heard += partOfB("x" + i, 100).cost();
    }

    List<Credit> given = network.said("a", "b", Credit.class);

    assertThat(given).hasSize(10); // Each is more than a quarter.
    assertThat(given.get(9).bytes()).isEqualTo(heard + WINDOW_BYTES);
  }

  @Test
  void a_new_stream_begins_with_a_window() {
    network.play("a");
    network.commitAll(tree(1, "a", "a-b"));
    network.call("b", sum("x1"), longs(new long[200]));
    network.call("b", sum("x2"), longs(new long[200]));
    assertThat(network.said("b", "a")).hasSize(1);
    network.close("a", "b");
    network.sent.clear();

    network.open("a", "b");

    assertThat(network.said("b", "a")).hasSize(1);
  }

  @Test
  void a_sum_is_not_negative() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Credit(-1))
        .withMessage("credit of -1 bytes");
  }
}
