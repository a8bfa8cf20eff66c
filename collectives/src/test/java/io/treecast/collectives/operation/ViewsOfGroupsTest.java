package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static io.treecast.collectives.operation.OperationExamples.longs;
import static io.treecast.collectives.operation.OperationExamples.nodes;
import static io.treecast.collectives.operation.OperationExamples.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.collectives.broadcast.SeedSweep;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.ghs.NodeId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Operations among the members of a view, on r-a-b and r-c; r is not a member. */
class ViewsOfGroupsTest {
  private static final GroupView VIEW =
      new GroupView(
          new GroupView.Id(new GroupPath("g"), new TreeEpoch(1, NodeId.of("r"), 0), 1),
          nodes("a", "b", "c"));

  private final CombiningNetwork network = new CombiningNetwork();

  @BeforeEach
  void commit() {
    network.commitAll(tree(1, "r", "r-a a-b r-c"));
  }

  private long call(String member, long number) {
    return network.call(member, sum("x").of(VIEW), longs(number));
  }

  @Test
  void an_operation_is_among_the_members_of_the_view() {
    long a = call("a", 1);
    long b = call("b", 2);
    long c = call("c", 4);

    assertThat(network.completed(a).value()).isEqualTo(longs(7));
    assertThat(network.completed(b)).isEqualTo(network.completed(a));
    assertThat(network.completed(c).contributors()).isEqualTo(VIEW.members());
  }

  @Test
  void it_fails_for_all_if_a_participant_that_has_not_called_knows_a_later_view() {
    long a = call("a", 1);
    long c = call("c", 4);
    network.leaveBehind("b", VIEW.id());
    network.pass(3 * SECOND);

    assertThat(network.failed(a).reason()).isEqualTo(Reason.VIEW_CHANGED);
    assertThat(network.failed(c).reason()).isEqualTo(Reason.VIEW_CHANGED);
    assertThat(network.failed(call("b", 2)).reason()).isEqualTo(Reason.VIEW_CHANGED);
  }

  @Test
  void it_fails_if_that_participant_knew_the_later_view_before() {
    network.leaveBehind("b", VIEW.id());
    long a = call("a", 1);
    assertThat(network.failed(call("b", 2)).reason()).isEqualTo(Reason.VIEW_CHANGED);

    assertThat(network.failed(a).reason()).isEqualTo(Reason.VIEW_CHANGED);
  }

  @Test
  void a_later_view_does_not_concern_participants_that_have_called() {
    long a = call("a", 1);
    long b = call("b", 2);
    network.leaveBehind("a", VIEW.id());
    network.leaveBehind("b", VIEW.id());
    network.pass(3 * SECOND);
    assertThat(network.outcome(a)).isNull();

    call("c", 4);

    assertThat(network.completed(a).value()).isEqualTo(longs(7));
    assertThat(network.completed(b).value()).isEqualTo(longs(7));
  }

  @Test
  void members_that_are_no_participants_do_not_end_it() {
    long a = call("a", 1);
    network.leaveBehind("r", VIEW.id());
    network.pass(3 * SECOND);

    assertThat(network.outcome(a)).isNull();
  }

  @Test
  void it_is_complete_without_a_participant_that_has_left_the_tree() {
    long a = call("a", 1);
    long b = call("b", 2);
    network.commitAll(tree(2, "r", "r-a a-b"));

    assertThat(network.completed(a).contributors()).isEqualTo(nodes("a", "b"));
    assertThat(network.completed(b).value()).isEqualTo(longs(3));
  }

  @Test
  void only_operations_among_named_members_have_a_view() {
    assertThatThrownBy(() -> sum("x").of(new GroupView(VIEW.id(), nodes())))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Tag("seeded")
  void all_callers_get_the_result_or_none_does() {
    SeedSweep.assertPasses(new ViewsRun(), 300);
  }
}
