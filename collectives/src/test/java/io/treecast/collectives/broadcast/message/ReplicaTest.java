package io.treecast.collectives.broadcast.message;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.afterRestart;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.gap;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.relayOfUploads;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.RecordingEffects;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.message.EdgeMessage.Replicated;
import io.treecast.collectives.broadcast.receipt.AwaitedReplicas;
import io.treecast.collectives.broadcast.receipt.ReplicaReports;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Members report that they have a message, and its publisher is answered when enough have it. */
public class ReplicaTest {
  private static final long MILLI = 1_000_000L;
  private static final int WAIT_MILLIS = 10_000;

  private final RecordingEffects effects = new RecordingEffects();

  private static WantedReplicas wanted(int count) {
    return count == 0 ? WantedReplicas.NONE : new WantedReplicas(count, WAIT_MILLIS);
  }

  private static Chunk interestCounts(
      int count, NodeId origin, long sequence, int index, boolean last) {
    MessageId id = new MessageId(origin, FIRST_START, sequence);
    return new Chunk(
        id, index, last, 1, 0, bytes("1234"), 0, null, false, wanted(count), 0, Headers.NONE);
  }

  private static Chunk interestCounts(int count, NodeId origin) {
    return interestCounts(count, origin, 1, 0, true);
  }

  /** Reports, for a neighbour, the members that have the first message of an origin. */
  private static void replicated(
      BroadcastRelay relay, NodeId neighbour, int count, NodeId origin, NodeId... members) {
    List<Replica> replicas =
        Arrays.stream(members).map(member -> new Replica(member, FIRST_START)).toList();
    MessageId message = new MessageId(origin, FIRST_START, 1);
    relay.received(neighbour, new Replicated(message, wanted(count), replicas));
  }

  private static MessageId publish(BroadcastRelay relay, int count)
      throws BroadcastRefusedException {
    return relay.publish(Topic.DEFAULT, bytes("x"), 0, null, wanted(count));
  }

  private List<String> told() {
    return effects.take().stream().filter(line -> line.startsWith("replicated")).toList();
  }

  /** A tree in which SELF is between A and B, and C behind B. */
  private static CommittedTree line(long version) {
    return new CommittedTree(
        version,
        SELF,
        List.of(
            LinkWeight.between(A, SELF, 100),
            LinkWeight.between(SELF, B, 100),
            LinkWeight.between(B, C, 100)));
  }

  // At a member.

  @Test
  void a_member_reports_at_once_that_it_has_all_of_the_message() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    receive(relay, A, interestCounts(1, A, 1, 0, false));
    assertThat(told()).isEmpty();

    receive(relay, A, interestCounts(1, A, 1, 1, true));

    assertThat(told()).containsExactly("replicated to a: a1 at self");
  }

  @Test
  void a_message_that_wants_no_replicas_is_not_reported() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);

    receive(relay, A, interestCounts(0, A));

    assertThat(told()).isEmpty();
    assertThat(relay.counters().receiptMessages()).isZero();
  }

  @Test
  void a_member_that_missed_the_beginning_does_not_report_the_message() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    receive(relay, A, gap(A, Position.START, new Position(1, 1)));

    receive(relay, A, interestCounts(1, A, 1, 1, true));

    assertThat(told()).isEmpty();
  }

  @Test
  void a_member_further_away_than_the_number_of_replicas_does_not_report_itself() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.treeCommitted(line(2));

    receive(relay, B, interestCounts(1, C));
    assertThat(told()).isEmpty();
    receive(relay, B, interestCounts(2, C, 2, 0, true));

    assertThat(told()).containsExactly("replicated to b: c2 at self");
  }

  @Test
  void a_member_that_comes_nearer_to_the_origin_reports_the_message() {
    BroadcastRelay relay = relay(SMALL, effects, B, C);
    relay.treeCommitted(line(2));
    receive(relay, B, interestCounts(1, C));
    assertThat(told()).isEmpty();

    relay.treeCommitted(new CommittedTree(3, SELF, star(B, C).edges()));

    assertThat(told()).containsExactly("replicated to c: c1 at self");
  }

  @Test
  void a_member_that_comes_nearer_by_the_same_neighbour_reports_the_message() {
    BroadcastRelay relay = relay(SMALL, effects, B);
    LinkWeight toNeighbour = LinkWeight.between(SELF, B, 100);
    LinkWeight fromOrigin = LinkWeight.between(A, C, 100);
    relay.treeCommitted(
        new CommittedTree(
            2, SELF, List.of(toNeighbour, LinkWeight.between(B, A, 100), fromOrigin)));
    receive(relay, B, interestCounts(2, C));
    assertThat(told()).isEmpty();

    relay.treeCommitted(
        new CommittedTree(
            3, SELF, List.of(toNeighbour, LinkWeight.between(B, C, 100), fromOrigin)));

    assertThat(told()).containsExactly("replicated to b: c1 at self");
  }

  @Test
  void reports_of_others_are_passed_on_towards_the_origin() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);

    replicated(relay, B, 3, A, B, C);

    assertThat(told()).containsExactly("replicated to a: a1 at b c");
    replicated(relay, B, 3, A, C);
    assertThat(told()).as("told already").isEmpty();
  }

  @Test
  void all_reports_are_sent_again_on_a_new_stream_and_to_another_neighbour() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    receive(relay, A, interestCounts(2, A));
    replicated(relay, B, 2, A, B);
    effects.take();

    relay.streamClosed(A);
    open(relay, A);
    assertThat(told()).containsExactly("replicated to a: a1 at b self");

    relay.treeCommitted(
        new CommittedTree(
            2, SELF, List.of(LinkWeight.between(SELF, B, 100), LinkWeight.between(A, B, 100))));

    assertThat(told()).containsExactly("replicated to b: a1 at b self");
  }

  @Test
  void reports_that_the_origin_no_longer_awaits_are_not_sent_again() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    receive(relay, A, interestCounts(2, A));
    effects.take();
    relay.tick(WAIT_MILLIS * MILLI);

    relay.streamClosed(A);
    open(relay, A);

    assertThat(told()).isEmpty();
  }

  // At the origin.

  @Test
  void the_publisher_is_answered_when_the_wanted_number_of_members_have_the_message()
      throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    publish(relay, 2);
    replicated(relay, A, 2, SELF, A);
    replicated(relay, A, 2, SELF, A);
    assertThat(told()).as("one member counts once").isEmpty();

    replicated(relay, B, 2, SELF, C, B);

    assertThat(told()).as("and c is not in the tree").containsExactly("replicated: self1 2");
    assertThat(relay.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    replicated(relay, B, 2, SELF, B);
    assertThat(told()).as("once").isEmpty();
  }

  @Test
  void the_origin_does_not_count() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    publish(relay, 1);

    replicated(relay, A, 1, SELF, SELF);

    assertThat(told()).isEmpty();
  }

  @Test
  void the_publisher_learns_the_number_of_replicas_when_its_time_is_over() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.tick(5 * MILLI);
    publish(relay, 3);
    replicated(relay, A, 3, SELF, A);
    replicated(relay, B, 3, SELF, B);
    assertThat(relay.nextDeadlineNanos()).isEqualTo((5 + WAIT_MILLIS) * MILLI);
    relay.tick((5 + WAIT_MILLIS) * MILLI - 1);
    assertThat(told()).isEmpty();

    relay.tick((5 + WAIT_MILLIS) * MILLI);

    assertThat(told()).containsExactly("replicated: self1 2");
  }

  @Test
  void a_member_that_is_not_in_the_tree_any_more_does_not_count() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    publish(relay, 2);
    replicated(relay, B, 2, SELF, B);
    relay.treeCommitted(new CommittedTree(2, SELF, star(A).edges()));

    replicated(relay, A, 2, SELF, A);
    assertThat(told()).isEmpty();

    relay.treeCommitted(new CommittedTree(3, SELF, star(A, B).edges()));
    assertThat(told()).as("it is back").containsExactly("replicated: self1 2");
  }

  @Test
  void a_member_that_has_restarted_since_does_not_count() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    publish(relay, 2);
    replicated(relay, B, 2, SELF, B);
    receive(relay, B, afterRestart(B, FIRST_START + 1, "back"));

    replicated(relay, A, 2, SELF, A);

    assertThat(told()).isEmpty();
    relay.received(
        B,
        new Replicated(
            new MessageId(SELF, FIRST_START, 1),
            wanted(2),
            List.of(new Replica(B, FIRST_START + 1))));
    assertThat(told()).as("its later life has it, too").containsExactly("replicated: self1 2");
  }

  @Test
  void a_later_incarnation_of_a_member_replaces_the_earlier_one() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B, C);
    publish(relay, 3);
    replicated(relay, B, 3, SELF, B);
    receive(relay, B, afterRestart(B, FIRST_START + 1, "back"));
    relay.received(
        B,
        new Replicated(
            new MessageId(SELF, FIRST_START, 1),
            wanted(3),
            List.of(new Replica(B, FIRST_START + 1))));

    replicated(relay, A, 3, SELF, A);
    replicated(relay, C, 3, SELF, C);

    assertThat(told()).containsExactly("replicated: self1 3");
  }

  @Test
  void no_publisher_waits_any_longer_when_the_agent_leaves() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    publish(relay, 2);
    replicated(relay, B, 2, SELF, B);

    relay.settleReplicas();

    assertThat(told()).containsExactly("replicated: self1 1");
  }

  @Test
  void an_upload_ends_when_the_wanted_number_of_members_have_all_of_it() throws Exception {
    BroadcastRelay relay = relayOfUploads(SMALL, effects, A, B);
    MessageId upload = relay.uploads().begin(7, Topic.DEFAULT, 0, wanted(1));
    relay.uploads().add(7, bytes("1234"));
    relay.tick(WAIT_MILLIS * MILLI);
    relay.uploads().end(7, null);
    assertThat(effects.take()).doesNotContain("u7 ended");
    assertThat(relay.nextDeadlineNanos())
        .as("the time begins with its end")
        .isEqualTo(2 * WAIT_MILLIS * MILLI);

    relay.received(A, new Replicated(upload, wanted(1), List.of(new Replica(A, FIRST_START))));

    assertThat(effects.take()).containsExactly("u7 ended with 1 replicas");
  }

  @Test
  void no_publisher_waits_for_an_abandoned_upload() throws Exception {
    BroadcastRelay relay = relayOfUploads(SMALL, effects, A);
    relay.uploads().begin(7, Topic.DEFAULT, 0, wanted(1));
    relay.uploads().add(7, bytes("1234"));
    relay.uploads().abandon(7);
    relay.uploads().begin(8, Topic.DEFAULT, 0, wanted(1));
    relay.uploads().abandon(8);

    relay.tick(WAIT_MILLIS * MILLI);

    assertThat(effects.take()).noneMatch(line -> line.contains("ended"));
    assertThat(relay.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_replica_of_an_unpublished_message_is_dropped_without_a_violation() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);

    replicated(relay, A, 1, SELF, A);
    assertThat(effects.take()).isEmpty();
    publish(relay, 1);

    assertThat(told()).as("a does not have what was published later").isEmpty();
    replicated(relay, A, 1, SELF, A);
    assertThat(told()).containsExactly("replicated: self1 1");
  }

  @Test
  void no_member_has_all_of_an_upload_before_its_end() throws Exception {
    BroadcastRelay relay = relayOfUploads(SMALL, effects, A);
    MessageId upload = relay.uploads().begin(7, Topic.DEFAULT, 0, wanted(1));
    relay.uploads().add(7, bytes("1234"));
    effects.take();

    relay.received(A, new Replicated(upload, wanted(1), List.of(new Replica(A, FIRST_START))));
    relay.uploads().end(7, null);

    assertThat(effects.take()).noneMatch(line -> line.contains("ended"));
  }

  @Test
  void replicas_of_an_earlier_incarnations_messages_are_ignored() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    relay.received(
        A,
        new Replicated(
            new MessageId(SELF, FIRST_START + 1, 1), wanted(1), List.of(new Replica(A, 1))));

    assertThat(effects.take()).isEmpty();
  }

  @Test
  void the_members_that_publishers_wait_for_together_are_limited() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    int full = AwaitedReplicas.MAX_AWAITED_MEMBERS / WantedReplicas.MAX_COUNT;
    for (int i = 0; i < full; i++) {
      publishNothing(relay, WantedReplicas.MAX_COUNT);
    }

    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> publishNothing(relay, WantedReplicas.MAX_COUNT))
        .returns(Reason.TOO_MANY_CONFIRMATIONS, BroadcastRefusedException::reason);

    relay.tick(WAIT_MILLIS * MILLI);
    publishNothing(relay, WantedReplicas.MAX_COUNT);
  }

  private static void publishNothing(BroadcastRelay relay, int count)
      throws BroadcastRefusedException {
    relay.publish(Topic.DEFAULT, bytes(""), 0, null, wanted(count));
  }

  // Bounds of requests.

  @Test
  void numbers_out_of_range_are_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new WantedReplicas(-1, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WantedReplicas(WantedReplicas.MAX_COUNT + 1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new WantedReplicas(1, -1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WantedReplicas(1, WantedReplicas.MAX_MILLIS + 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new WantedReplicas(0, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Replicated(new MessageId(A, FIRST_START, 1), WantedReplicas.NONE, List.of()));
  }

  // Memory.

  @Test
  void the_oldest_reports_are_forgotten_when_there_are_too_many() {
    ReplicaReports reports = new ReplicaReports(SELF, neighbour -> true, effects::send);
    reports.treeCommitted(star(A));
    int kept = ReplicaReports.MAX_REPORTS / 2;
    for (int sequence = 1; sequence <= kept + 3; sequence++) {
      reports.add(
          new MessageId(A, FIRST_START, sequence),
          wanted(1),
          List.of(new Replica(SELF, FIRST_START)));
    }
    effects.take();

    reports.opened(A);

    assertThat(told()).hasSize(kept).first().isEqualTo("replicated to a: a4 at self");
  }
}
