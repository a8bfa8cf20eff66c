package io.treecast.collectives.clock;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The rules of one member: what it believes, when it tells its children, and how errors add up. */
class ClusterClockTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final NodeId ROOT = NodeId.of("a");
  private static final NodeId SELF = NodeId.of("b");
  private static final NodeId CHILD = NodeId.of("c");

  /** The chain a - b - c with the root a. */
  private static final CommittedTree CHAIN = chain(1, ROOT);

  private static final TreeEpoch EPOCH = TreeEpoch.of(CHAIN);

  private record Sent(NodeId to, RootTime time) {}

  private final List<Sent> sent = new ArrayList<>();
  private final ClusterClock clock = clockOf(SELF);

  private static CommittedTree chain(long version, NodeId root) {
    return new CommittedTree(
        version, root, 1, List.of(new LinkWeight(1, ROOT, SELF), new LinkWeight(2, SELF, CHILD)));
  }

  private ClusterClock clockOf(NodeId id) {
    return new ClusterClock(
        id,
        new ClockEffects() {
          @Override
          public void send(NodeId neighbour, RootTime time) {
            sent.add(new Sent(neighbour, time));
          }

          @Override
          public long unixNanos() {
            return 1_000 * SECOND;
          }
        });
  }

  private static RootTime statement(TreeEpoch epoch, long atNanos, long errorNanos) {
    return new RootTime(epoch, atNanos, 1_000 * SECOND + atNanos, errorNanos);
  }

  private RootTime now(long nowNanos) {
    return Objects.requireNonNull(clock.now(nowNanos));
  }

  private void joined() {
    clock.treeCommitted(CHAIN, 0);
    clock.opened(ROOT, 0);
    clock.opened(CHILD, 0);
  }

  @Test
  void a_member_knows_no_time_before_the_first_statement() {
    joined();
    assertThat(clock.now(0)).isNull();
    assertThat(sent).isEmpty();
  }

  @Test
  void the_root_takes_the_time_of_its_machine_and_has_no_error() {
    ClusterClock root = clockOf(ROOT);
    root.treeCommitted(CHAIN, 0);
    assertThat(root.now(5 * SECOND)).isEqualTo(new RootTime(EPOCH, 5 * SECOND, 1_005 * SECOND, 0));
  }

  @Test
  void the_root_repeats_its_time_each_refresh_and_no_other_member_does() {
    ClusterClock root = clockOf(ROOT);
    root.treeCommitted(CHAIN, 0);
    root.opened(SELF, 0);
    assertThat(sent).hasSize(1);
    assertThat(root.nextDeadlineNanos()).isEqualTo(ClusterClock.REFRESH_NANOS);
    root.tick(ClusterClock.REFRESH_NANOS - 1);
    assertThat(sent).hasSize(1);
    root.tick(ClusterClock.REFRESH_NANOS);
    assertThat(sent).hasSize(2);

    joined();
    assertThat(clock.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_lone_member_is_its_own_root_and_sends_nothing() {
    clock.treeCommitted(new CommittedTree(1, SELF, 1, List.of()), 0);
    assertThat(now(SECOND).errorNanos()).isZero();
    assertThat(clock.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void the_error_grows_with_the_drift_of_two_clocks() {
    joined();
    clock.received(ROOT, statement(EPOCH, 0, MILLI), 0);
    assertThat(now(0).errorNanos()).isEqualTo(MILLI);
    assertThat(now(10 * SECOND).errorNanos()).isEqualTo(MILLI + 2 * MILLI);
    assertThat(now(10 * SECOND).rootNanos()).isEqualTo(1_010 * SECOND);
  }

  @Test
  void a_statement_passes_on_to_children_at_once() {
    joined();
    clock.received(ROOT, statement(EPOCH, 0, MILLI), SECOND);
    assertThat(sent).containsExactly(new Sent(CHILD, statement(EPOCH, 0, MILLI).at(SECOND)));
  }

  @Test
  void a_worse_statement_does_not_replace_a_better_one() {
    joined();
    clock.received(ROOT, statement(EPOCH, 0, MILLI), 0);
    clock.received(ROOT, statement(EPOCH, SECOND, 5 * MILLI), SECOND);
    assertThat(now(SECOND).errorNanos()).isEqualTo(MILLI + SECOND / RootTime.DRIFT_DIVISOR);
    clock.received(ROOT, statement(EPOCH, 2 * SECOND, MILLI), 2 * SECOND);
    assertThat(now(2 * SECOND).errorNanos()).isEqualTo(MILLI);
  }

  @Test
  void a_statement_of_another_member_than_the_parent_does_not_count() {
    joined();
    clock.received(CHILD, statement(EPOCH, 0, 0), 0);
    assertThat(clock.now(0)).isNull();
  }

  @Test
  void a_statement_that_comes_before_its_tree_counts_once_the_tree_is_committed() {
    joined();
    CommittedTree next = chain(2, ROOT);
    clock.received(ROOT, statement(TreeEpoch.of(next), 0, MILLI), 0);
    assertThat(clock.now(0)).isNull();
    clock.treeCommitted(next, SECOND);
    assertThat(now(SECOND).epoch()).isEqualTo(TreeEpoch.of(next));
  }

  @Test
  void the_time_of_the_epoch_before_is_valid_until_the_next_one_is_known() {
    joined();
    clock.received(ROOT, statement(EPOCH, 0, MILLI), 0);
    clock.treeCommitted(chain(2, CHILD), SECOND);
    assertThat(now(SECOND).epoch()).isEqualTo(EPOCH);
    // A time of the epoch before is not passed on.
    assertThat(sent).extracting(Sent::to).containsExactly(CHILD);
  }

  @Test
  void the_time_never_goes_back_in_an_epoch_and_the_bound_still_contains_the_truth() {
    joined();
    clock.received(ROOT, statement(EPOCH, 0, 5 * MILLI), 0);
    RootTime before = now(SECOND);
    RootTime better = new RootTime(EPOCH, SECOND, before.rootNanos() - 3 * MILLI, MILLI);
    clock.received(ROOT, better, SECOND);
    RootTime after = now(SECOND);
    assertThat(after.rootNanos()).isEqualTo(before.rootNanos());
    assertThat(after.errorNanos()).isEqualTo(better.errorNanos() + 3 * MILLI);
  }

  @Test
  void a_closed_stream_takes_its_statement_with_it_and_a_new_stream_gets_the_time() {
    joined();
    clock.received(ROOT, statement(EPOCH, 0, MILLI), 0);
    sent.clear();
    clock.closed(CHILD);
    clock.received(ROOT, statement(EPOCH, SECOND, MILLI), SECOND);
    assertThat(sent).isEmpty();
    clock.opened(CHILD, 2 * SECOND);
    assertThat(sent).extracting(Sent::to).containsExactly(CHILD);

    CommittedTree next = chain(2, ROOT);
    clock.received(ROOT, statement(TreeEpoch.of(next), 0, MILLI), 2 * SECOND);
    clock.closed(ROOT);
    clock.treeCommitted(next, 3 * SECOND);
    assertThat(now(3 * SECOND).epoch()).isEqualTo(EPOCH);
  }

  @Test
  void a_time_with_an_error_above_the_limit_is_not_passed_on() {
    joined();
    clock.received(ROOT, statement(EPOCH, 0, RootTime.MAX_ERROR_NANOS), SECOND);
    assertThat(sent).isEmpty();
  }

  @Test
  void a_statement_in_another_clock_has_the_error_of_the_difference_and_of_its_age() {
    RootTime converted = statement(EPOCH, 0, MILLI).byClock(100 * SECOND, 2 * MILLI, 10 * SECOND);
    assertThat(converted.atNanos()).isEqualTo(100 * SECOND);
    assertThat(converted.rootNanos()).isEqualTo(1_000 * SECOND);
    // 1 ms, 2 ms for the difference, 2 ms for ten seconds of drift, and the drift within those.
    assertThat(converted.errorNanos()).isBetween(5 * MILLI, 5 * MILLI + 2_000);
  }
}
