package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.barrier;
import static io.treecast.collectives.operation.OperationExamples.gather;
import static io.treecast.collectives.operation.OperationExamples.gatherTo;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static io.treecast.collectives.operation.OperationExamples.parts;
import static io.treecast.collectives.operation.OperationExamples.scatterFrom;
import static io.treecast.collectives.operation.OperationExamples.sum;
import static io.treecast.collectives.operation.OperationExamples.sumTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.CombiningMessage.Answer;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.CombiningMessage.Missing;
import io.treecast.collectives.operation.contract.CombiningMessage.Question;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages that a neighbour must not send, and those that are ignored. The tree is {@code top -
 * high - up - root - self - near - far}, whose middle is the root, and {@code self - other}; the
 * test plays all but {@code self}.
 */
class CombiningViolationTest {
  private static final TreeEpoch EPOCH = new TreeEpoch(1, NodeId.of("root"), 0);
  private static final SortedSet<NodeId> NOBODY = nodes();

  private final CombiningNetwork network = new CombiningNetwork();

  @BeforeEach
  void commit() {
    Stream.of("top", "high", "up", "root", "near", "far", "other").forEach(network::play);
    network.commitAll(
        tree(1, "root", "top-high high-up up-root root-self self-near near-far self-other"));
  }

  private static Contribution told(
      Operation operation, SortedSet<NodeId> waiting, SortedSet<NodeId> done, Value value) {
    return contribution(operation, EPOCH, true, waiting, done, value, null);
  }

  private static Contribution contribution(
      Operation operation,
      TreeEpoch epoch,
      boolean complete,
      SortedSet<NodeId> waiting,
      SortedSet<NodeId> done,
      Value value,
      @Nullable Outcome outcome) {
    return new Contribution(
        operation, epoch, complete, waiting, done, value, outcome, false, false, 60_000, 1);
  }

  private static Contribution known(Operation operation, Value value) {
    Completed outcome = new Completed(1, nodes("near", "far"), value);
    return contribution(operation, EPOCH, false, NOBODY, nodes("near"), Value.NOTHING, outcome);
  }

  static Stream<Arguments> contributions() {
    SortedSet<NodeId> side = nodes("near", "far");
    Operation mean =
        new Operation("x", Operation.Kind.REDUCE, Reduction.SUM_OF_DOUBLES, null, NOBODY);
    String notBehind = " contribution to 'x' ";
    return Stream.of(
        Arguments.of(told(barrier("x"), nodes("near", "other"), NOBODY, Value.NOTHING), notBehind),
        Arguments.of(told(barrier("x"), NOBODY, nodes("root"), Value.NOTHING), notBehind),
        Arguments.of(told(barrier("x"), nodes("self"), NOBODY, Value.NOTHING), notBehind),
        unfit(told(barrier("x"), side, NOBODY, longs(1))),
        unfit(told(scatterFrom("root", "x"), side, NOBODY, parts("near", "far"))),
        unfit(told(sum("x"), side, NOBODY, Value.NOTHING)),
        unfit(told(sum("x"), side, NOBODY, Value.doubles(1))),
        unfit(told(mean, side, NOBODY, longs(1))),
        unfit(told(sum("x"), NOBODY, side, longs(1))),
        unfit(told(gather("x"), side, NOBODY, Value.NOTHING)),
        unfit(told(gather("x"), side, NOBODY, parts("near"))),
        unfit(told(gather("x"), side, NOBODY, parts("near", "far", "self"))),
        unfit(contribution(sum("x"), EPOCH, false, side, NOBODY, longs(1), null)),
        wrongOutcome(known(barrier("x"), longs(1))),
        wrongOutcome(known(sum("x"), Value.NOTHING)),
        wrongOutcome(known(sum("x"), parts("near"))),
        wrongOutcome(known(sumTo("near", "x"), longs(1))),
        wrongOutcome(known(gather("x"), longs(1))),
        wrongOutcome(known(gatherTo("near", "x"), parts("near"))),
        wrongOutcome(known(scatterFrom("near", "x"), longs(1))));
  }

  private static Arguments unfit(Contribution contribution) {
    return Arguments.of(contribution, " contribution to " + contribution.operation().described());
  }

  private static Arguments wrongOutcome(Contribution contribution) {
    return Arguments.of(contribution, " outcome of " + contribution.operation().described());
  }

  @ParameterizedTest
  @MethodSource("contributions")
  void impossible_contributions_are_violations(Contribution contribution, String problem) {
    network.say("near", "self", contribution);

    assertThat(network.violations)
        .singleElement()
        .asString()
        .startsWith("self says that near sent ")
        .contains(problem);
    assertThat(network.sent).isEmpty();
    assertThat(network.member("self").counters().underWay()).isZero();
  }

  @Test
  void on_another_tree_others_may_be_behind_a_neighbour() {
    TreeEpoch later = new TreeEpoch(2, NodeId.of("far"), 0);
    network.say(
        "near",
        "self",
        contribution(
            barrier("x"), later, true, nodes("near", "other"), NOBODY, Value.NOTHING, null));

    assertThat(network.violations).isEmpty();
    assertThat(network.sent).isEmpty(); // It counts on that tree alone.
  }

  @Test
  void a_contribution_for_a_later_tree_is_checked_at_its_commit() {
    TreeEpoch later = new TreeEpoch(2, NodeId.of("root"), 0);
    SortedSet<NodeId> all = nodes("root", "near", "far", "other");
    network.say(
        "near", "self", contribution(barrier("x"), later, true, all, NOBODY, Value.NOTHING, null));

    network.commit("self", tree(2, "root", "root-self self-near near-far self-other"));

    assertThat(network.violations)
        .singleElement()
        .asString()
        .startsWith("self says that near sent ")
        .contains("'x'");
    network.call("self", barrier("x"), Value.NOTHING);
    assertThat(network.sent).isEmpty(); // Those on this side have not arrived.
  }

  @Test
  void a_contribution_of_a_node_that_is_not_a_tree_neighbour_does_not_count() {
    TreeEpoch later = new TreeEpoch(2, NodeId.of("self"), 0);
    Completed outcome = new Completed(1, nodes("other"), Value.NOTHING);
    network.say(
        "other",
        "self",
        contribution(barrier("x"), later, false, NOBODY, NOBODY, Value.NOTHING, outcome));

    network.commit("self", tree(2, "self", "root-self self-near near-far far-other"));
    long call = network.call("self", barrier("x"), Value.NOTHING);

    assertThat(network.outcome(call)).isNull();
  }

  private long toldNumber() {
    List<CombiningMessage> said = network.said("self", "root");
    return ((Contribution) said.get(said.size() - 1)).number();
  }

  private void callWithAll(Operation operation, Value own, Value near, Value other) {
    network.call("self", operation, own);
    network.say("near", "self", told(operation, nodes("near", "far"), NOBODY, near));
    network.say("other", "self", told(operation, nodes("other"), NOBODY, other));
  }

  private Answer answer(Value value, String... members) {
    Completed outcome = new Completed(1, nodes("root", "self", "near", "far", "other"), value);
    return new Answer("x", toldNumber(), outcome, nodes(members));
  }

  @Test
  void an_impossible_answer_is_a_violation() {
    callWithAll(sum("x"), longs(1), longs(2), longs(1));

    network.say("root", "self", answer(Value.NOTHING));

    assertThat(network.violations)
        .singleElement()
        .asString()
        .startsWith("self says that root sent ")
        .endsWith(sum("x").described());
    assertThat(network.outcome(1)).isNull();
  }

  @Test
  void an_answer_to_an_unknown_operation_or_another_contribution_is_ignored() {
    callWithAll(barrier("x"), Value.NOTHING, Value.NOTHING, Value.NOTHING);
    Completed outcome = new Completed(1, nodes("self"), Value.NOTHING);

    network.say("root", "self", new Answer("y", toldNumber(), outcome, NOBODY));
    network.say("root", "self", new Answer("x", toldNumber() - 1, outcome, NOBODY));

    assertThat(network.outcome(1)).isNull();
    assertThat(network.violations).isEmpty();
  }

  @Test
  void an_answer_from_another_neighbour_than_the_one_asked_is_ignored() {
    callWithAll(barrier("x"), Value.NOTHING, Value.NOTHING, Value.NOTHING);

    network.say("near", "self", answer(Value.NOTHING));

    assertThat(network.outcome(1)).isNull();
    assertThat(network.violations).isEmpty();
  }

  @Test
  void parts_for_members_that_do_not_wait_are_not_passed_on() {
    callWithAll(scatterFrom("root", "x"), Value.NOTHING, Value.NOTHING, Value.NOTHING);

    network.say("root", "self", answer(parts("near", "root"), "near", "root"));

    assertThat(network.outcome(1)).isNull(); // Its own part is not among them.
    assertThat(network.said("self", "other")).isEmpty();
    assertThat(network.said("self", "near"))
        .singleElement()
        .isInstanceOfSatisfying(
            Answer.class,
            passedOn -> {
              assertThat(passedOn.members()).isEqualTo(nodes("near"));
              assertThat(((Completed) passedOn.outcome()).value()).isEqualTo(parts("near"));
            });
    network.say("root", "self", answer(parts("self"), "self"));
    assertThat(network.completed(1).value()).isEqualTo(parts("self"));
  }

  @Test
  void missing_members_are_accepted_only_from_the_path_to_the_centre_in_this_tree() {
    network.call("self", barrier("x"), Value.NOTHING, "t", 2 * SECOND);
    TreeEpoch other = new TreeEpoch(2, NodeId.of("root"), 0);
    network.say("root", "self", new Missing("x", EPOCH, nodes("root", "unknown")));
    network.say("near", "self", new Missing("x", EPOCH, nodes("wrong")));
    network.say("root", "self", new Missing("x", other, nodes("wrong")));
    network.say("root", "self", new Missing("y", EPOCH, nodes("wrong")));

    network.pass(2 * SECOND);

    assertThat(network.failed(1).text()).contains("): far, near, other, root ");
  }

  @Test
  void a_message_without_a_stream_is_ignored() {
    network.close("self", "near");

    network.say("near", "self", told(barrier("x"), nodes("near"), NOBODY, Value.NOTHING));
    network.say("near", "self", told(barrier("x"), nodes("root"), NOBODY, longs(1)));
    network.say("stranger", "self", new Question(barrier("x"), EPOCH, 1, 0));

    assertThat(network.violations).isEmpty();
    assertThat(network.sent).isEmpty();
    assertThat(network.member("self").counters().underWay()).isZero();
  }

  @Test
  void a_receiver_of_a_part_may_report_the_largest_number_of_members_as_done() {
    Operation scatter = scatterFrom("root", "x", "root", "self", "near");
    TreeEpoch later = new TreeEpoch(2, NodeId.of("root"), 0);
    network.call("self", scatter, Value.NOTHING);
    network.say("near", "self", told(scatter, nodes("near"), NOBODY, Value.NOTHING));
    long told = network.said("self", "root", Contribution.class).get(0).number();

    SortedSet<NodeId> many = named(CombiningMessage.MAX_MEMBERS);
    network.say(
        "near",
        "self",
        contribution(scatter, later, true, nodes("near"), many, Value.NOTHING, null));
    Completed parts = new Completed(1, nodes("self", "near"), parts("self", "near"));
    network.say("root", "self", new Answer("x", told, parts, nodes("self", "near")));

    assertThat(network.said("self", "near", Answer.class))
        .extracting(Answer::members)
        .containsExactly(nodes("near"));
  }

  private static SortedSet<NodeId> named(int count) {
    TreeSet<NodeId> names = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      names.add(NodeId.of("n" + i));
    }
    return names;
  }

  @Test
  void the_components_of_messages_are_bounded() {
    SortedSet<NodeId> tooMany = named(CombiningMessage.MAX_MEMBERS + 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Missing("x", EPOCH, tooMany))
        .withMessage("10001 members; allowed are 10000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Question(barrier("x"), EPOCH, -1, 0))
        .withMessage("patience of -1 ms");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Contribution(
                    barrier("x"),
                    EPOCH,
                    true,
                    NOBODY,
                    NOBODY,
                    Value.NOTHING,
                    null,
                    false,
                    false,
                    -1,
                    1))
        .withMessage("patience of -1 ms");
  }
}
