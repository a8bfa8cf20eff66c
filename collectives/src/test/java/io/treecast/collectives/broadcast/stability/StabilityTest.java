package io.treecast.collectives.broadcast.stability;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.chunk;
import static io.treecast.collectives.broadcast.Examples.lastChunk;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.position;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static io.treecast.collectives.broadcast.Examples.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.RecordingEffects;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tree determines which content every member has; logs then release it. */
class StabilityTest {
  private static final long SECOND = 1_000_000_000L;

  /** Each of three members may have two full chunks in the log that others lack. */
  private static final BroadcastLimits SHARE_OF_TWO =
      BroadcastLimits.builder()
          .chunkBytes(4)
          .payloadBytes(4)
          .publishBufferBytes(100 * Chunk.cost(4))
          .logBytes(6 * Chunk.cost(4))
          .edgeWindowBytes(10 * Chunk.cost(4))
          .subscriberWindowBytes(10 * Chunk.cost(4))
          .subscribers(3)
          .topics(3)
          .origins(3)
          .build();

  private final RecordingEffects effects = new RecordingEffects();

  /** SELF in the middle of A and B, with A as the root. */
  private BroadcastRelay childOfA() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(tree(1, A));
    relay.activeEdges(nodes(A, B));
    open(relay, A);
    open(relay, B);
    effects.take();
    return relay;
  }

  private static CommittedTree tree(long version, NodeId root) {
    return new CommittedTree(version, root, star(A, B).edges());
  }

  private static void have(
      BroadcastRelay relay, NodeId child, long version, StreamPosition... positions) {
    relay.received(child, new Have(version, List.of(positions), false, 0));
  }

  private List<String> told(BroadcastRelay relay, long nowNanos) {
    effects.take();
    relay.tick(nowNanos);
    return effects.take();
  }

  @Test
  void the_root_announces_the_minimum_of_all_subtrees_and_releases_it() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.publish(bytes("1234"));
    have(relay, A, 1, position(SELF, 2, 0));
    assertThat(told(relay, 0)).isEmpty();
    assertThat(relay.counters().retainedBytes()).isEqualTo(Chunk.cost(4));

    have(relay, B, 1, position(SELF, 2, 0));

    assertThat(told(relay, 0))
        .containsExactly("stable to a of v1: self2.0", "stable to b of v1: self2.0");
    assertThat(relay.counters().retainedBytes()).isZero();
  }

  @Test
  void a_member_reports_the_minimum_of_its_subtree_to_its_parent() {
    BroadcastRelay relay = childOfA();
    receive(relay, A, message(A, 1, "x"));
    receive(relay, A, message(A, 2, "y"));
    assertThat(told(relay, 0)).isEmpty();

    have(relay, B, 1, position(A, 2, 0));

    assertThat(told(relay, 0)).containsExactly("have to a of v1: a2.0");
  }

  @Test
  void the_roots_announcement_is_passed_on_and_its_content_released() {
    BroadcastRelay relay = childOfA();
    receive(relay, A, message(A, 1, "x"));
    effects.take();

    relay.received(A, new Stable(1, List.of(position(A, 2, 0)), false, 0));

    assertThat(effects.take()).containsExactly("stable to b of v1: a2.0");
    assertThat(relay.counters().retainedBytes()).isZero();
  }

  @Test
  void
      what_the_root_says_of_streams_that_are_not_known_here_is_remembered_up_to_the_limit_of_origins() {
    BroadcastRelay relay = childOfA();
    receive(relay, A, message(A, 1, "x"));
    List<StreamPosition> positions =
        Stream.of("a", "b", "c", "d").map(id -> position(NodeId.of(id), 2, 0)).toList();
    relay.received(A, new Stable(1, positions, false, 0));
    relay.streamClosed(B);
    effects.take();

    open(relay, B);

    assertThat(effects.take()).contains("stable to b of v1: a2.0 b2.0 c2.0");
  }

  @Test
  void the_reports_of_a_child_are_remembered_up_to_four_times_the_limit_of_origins() {
    BroadcastRelay relay = childOfA();
    relay.received(A, new Interest(1, 1, List.of(), List.of(), false, true));
    relay.received(B, new Interest(1, 1, List.of(), List.of(), false, true));
    int most = 4 * SMALL.origins();
    List<StreamId> streams =
        IntStream.rangeClosed(0, most)
            .mapToObj(i -> new StreamId(B, FIRST_START, "topic" + i))
            .toList();
    have(relay, B, 1, streams.stream().map(s -> at(s, 2)).toArray(StreamPosition[]::new));
    assertThat(told(relay, 0)).containsExactly("have to a of v1:" + " b2.0".repeat(most));

    have(relay, B, 1, at(streams.get(most), 3), at(streams.get(0), 3));

    assertThat(told(relay, SECOND))
        .as("one that is known")
        .containsExactly("have to a of v1: b3.0");
  }

  private static StreamPosition at(StreamId stream, long sequence) {
    return new StreamPosition(stream, new Position(sequence, 0));
  }

  @Test
  void nothing_is_sent_while_nothing_changes() throws Exception {
    BroadcastRelay relay = childOfA();
    assertThat(relay.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    receive(relay, A, message(A, 1, "x"));
    have(relay, B, 1, position(A, 2, 0));
    assertThat(told(relay, 0)).hasSize(1);

    have(relay, B, 1, position(A, 2, 0));

    assertThat(relay.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(told(relay, 100 * SECOND)).isEmpty();
  }

  @Test
  void reports_are_not_sent_more_often_than_the_interval() {
    BroadcastRelay relay = childOfA();
    receive(relay, A, message(A, 1, "x"));
    have(relay, B, 1, position(A, 4, 0));
    assertThat(told(relay, 0)).hasSize(1);
    receive(relay, A, message(A, 2, "y"));
    receive(relay, A, message(A, 3, "z"));

    assertThat(told(relay, Stability.INTERVAL_NANOS - 1)).isEmpty();
    assertThat(relay.nextDeadlineNanos()).isEqualTo(Stability.INTERVAL_NANOS);
    assertThat(told(relay, Stability.INTERVAL_NANOS)).containsExactly("have to a of v1: a4.0");
  }

  @Test
  void reports_are_sent_sooner_while_publishers_are_about_to_wait() {
    BroadcastRelay relay = childOfA();
    receive(relay, A, message(A, 1, "x"));
    have(relay, B, 1, position(A, 1_000, 0));
    assertThat(told(relay, 0)).hasSize(1);

    for (int i = 2; i < 200; i++) {
      receive(relay, A, message(A, i, "1234"));
    }

    assertThat(told(relay, Stability.PRESSED_INTERVAL_NANOS))
        .containsExactly("have to a of v1: a200.0");
  }

  @Test
  void a_childs_report_for_an_earlier_tree_is_ignored_and_for_a_later_one_kept() {
    BroadcastRelay relay = childOfA();
    relay.treeCommitted(tree(2, A));
    receive(relay, A, message(A, 1, "x"));

    have(relay, B, 1, position(A, 2, 0));
    assertThat(told(relay, 0)).isEmpty();
    have(relay, B, 3, position(A, 2, 0));
    assertThat(told(relay, 0)).isEmpty();

    relay.treeCommitted(tree(3, A));
    assertThat(told(relay, 0)).containsExactly("have to a of v3: a2.0");
  }

  @Test
  void announcements_of_another_tree_or_not_from_the_parent_release_nothing() {
    BroadcastRelay relay = childOfA();
    receive(relay, A, message(A, 1, "x"));

    relay.received(A, new Stable(2, List.of(position(A, 2, 0)), false, 0));
    relay.received(B, new Stable(1, List.of(position(A, 2, 0)), false, 0));

    assertThat(relay.counters().retainedBytes()).isEqualTo(Chunk.cost(1));
  }

  @Test
  void all_positions_are_sent_again_on_a_new_data_stream() {
    BroadcastRelay relay = childOfA();
    receive(relay, A, message(A, 1, "x"));
    have(relay, B, 1, position(A, 2, 0));
    assertThat(told(relay, 0)).hasSize(1);
    relay.received(A, new Stable(1, List.of(position(A, 2, 0)), false, 0));

    relay.streamClosed(A);
    open(relay, A);
    assertThat(told(relay, SECOND)).containsExactly("have to a of v1: a2.0");

    relay.streamClosed(B);
    open(relay, B);
    assertThat(effects.take()).contains("stable to b of v1: a2.0");
  }

  @Test
  void the_beginning_of_a_message_is_kept_until_it_is_complete() {
    BroadcastRelay relay = childOfA();
    have(relay, B, 1, position(A, 9, 0));
    receive(relay, A, message(A, 1, "x"));
    receive(relay, A, chunk(A, 2, 0, "1234"));
    assertThat(told(relay, 0)).containsExactly("have to a of v1: a2.0");

    receive(relay, A, lastChunk(A, 2, 1, "5"));
    assertThat(told(relay, SECOND)).containsExactly("have to a of v1: a3.0");
  }

  @Test
  void content_that_another_member_needs_under_a_later_tree_is_not_released() {
    BroadcastRelay relay = childOfA();
    receive(
        relay, A, new Chunk(new MessageId(A, FIRST_START, 1), 0, true, 2, ByteBuffer.allocate(1)));

    relay.received(A, new Stable(1, List.of(position(A, 2, 0)), false, 0));

    assertThat(relay.counters().retainedBytes()).isEqualTo(Chunk.cost(1));
  }

  @Test
  void content_that_absent_members_lack_is_retained_until_they_are_given_up() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.treeCommitted(new CommittedTree(2, SELF, star(A).edges()));
    relay.publish(bytes("1234"));
    have(relay, A, 2, position(SELF, 2, 0));
    assertThat(told(relay, 0))
        .containsExactly("stable to a of v2: self2.0 retained, 1 briefly absent");
    assertThat(relay.counters().retainedBytes()).isEqualTo(Chunk.cost(4));

    assertThat(relay.nextDeadlineNanos()).as("uploads go on").isEqualTo(Absences.BRIEF_NANOS);
    assertThat(told(relay, Absences.BRIEF_NANOS)).containsExactly("stable to a of v2: retained");
    assertThat(relay.nextDeadlineNanos()).isEqualTo(Absences.PATIENCE_NANOS);
    assertThat(told(relay, Absences.PATIENCE_NANOS)).containsExactly("stable to a of v2:");
    assertThat(relay.counters().retainedBytes()).isZero();
  }

  @Test
  void content_retained_for_a_member_that_came_back_waits_for_it() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.treeCommitted(new CommittedTree(2, SELF, star(A).edges()));
    relay.publish(bytes("1234"));
    relay.publish(bytes("5678"));
    have(relay, A, 2, position(SELF, 3, 0));
    relay.tick(0);

    relay.treeCommitted(tree(3, SELF));
    have(relay, A, 3, position(SELF, 3, 0));
    have(relay, B, 3, position(SELF, 2, 0));

    assertThat(told(relay, SECOND)).hasSize(2);
    assertThat(relay.counters().retainedBytes()).isEqualTo(Chunk.cost(4));
  }

  @Test
  void an_absence_that_any_member_of_the_subtree_knows_is_reported_to_the_root() {
    BroadcastRelay relay = childOfA();
    receive(relay, A, message(A, 1, "x"));
    relay.received(B, new Have(1, List.of(position(A, 2, 0)), true, 2));
    assertThat(told(relay, 0)).containsExactly("have to a of v1: a2.0 awaiting, 2 briefly absent");

    relay.received(B, new Have(1, List.of(), true, 0));
    assertThat(told(relay, SECOND)).containsExactly("have to a of v1: awaiting");
    relay.received(B, new Have(1, List.of(), false, 0));
    assertThat(told(relay, 2 * SECOND)).containsExactly("have to a of v1:");
  }

  @Test
  void a_publisher_is_limited_to_its_share_until_slower_members_have_its_messages()
      throws Exception {
    BroadcastRelay relay = relay(SHARE_OF_TWO, effects, A, B);
    relay.publish(bytes("1234"));
    relay.publish(bytes("1234"));

    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> relay.publish(bytes("1234")))
        .withMessageContainingAll("4 bytes", "520 bytes", "limits.logBytes = 1560", "3 members");

    have(relay, A, 1, position(SELF, 2, 0));
    have(relay, B, 1, position(SELF, 2, 0));
    relay.tick(0);
    assertThat(relay.publish(bytes("1234")).sequence()).isEqualTo(3);
  }

  @Test
  void messages_published_since_a_lacked_one_count_though_no_member_lacks_them() throws Exception {
    BroadcastRelay relay = relay(SHARE_OF_TWO, effects, A, B);
    for (NodeId neighbour : List.of(A, B)) {
      relay.received(neighbour, new Interest(1, 1, List.of(), List.of(), false, true));
    }
    relay.publish(bytes("1234"));
    relay.publish("unwanted", bytes("1234"), 0, null);
    relay.tick(0);

    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> relay.publish(bytes("1234")))
        .withMessageContaining("520 bytes");
  }

  @Test
  void members_hurry_when_much_was_published_between_two_messages_that_they_get() {
    BroadcastRelay relay = childOfA();
    have(relay, B, 1, position(A, 4, 0));
    receive(relay, A, published(stream(A), 1, 0));
    assertThat(told(relay, 0)).containsExactly("have to a of v1: a2.0");
    receive(relay, A, published(stream(A), 2, 1));
    assertThat(told(relay, SECOND / 100)).isEmpty();

    receive(relay, A, published(stream(A), 3, 100));

    assertThat(told(relay, SECOND / 100)).containsExactly("have to a of v1: a4.0");
  }

  @Test
  void a_full_log_evicts_the_first_publication_first_whatever_the_topic() {
    BroadcastRelay relay = relay(SHARE_OF_TWO, effects, A, B);
    receive(relay, A, published(stream(A), 1, 2));
    receive(relay, A, published(new StreamId(A, FIRST_START, "t"), 1, 0));
    receive(relay, A, published(new StreamId(A, FIRST_START, "t"), 2, 1));
    for (int i = 2; i <= 5; i++) {
      receive(relay, A, published(stream(A), i, i + 1));
    }
    effects.take();

    relay.activeEdges(nodes(A, B, C));
    open(relay, C);

    assertThat(effects.take())
        .filteredOn(line -> line.startsWith("send to c"))
        .containsExactly(
            "send to c: a1.0 '1234' last",
            "send to c: a2.0 '1234' last",
            "send to c: a3.0 '1234' last",
            "send to c: a4.0 '1234' last",
            "send to c: a5.0 '1234' last");
  }

  /** Returns a full chunk whose origin has published the given number before. */
  private static Chunk published(StreamId stream, long sequence, int chunksBefore) {
    MessageId id = new MessageId(stream, sequence);
    long before = chunksBefore * Chunk.cost(4);
    return new Chunk(id, 0, true, 1, before, bytes("1234"), 0, null, false);
  }

  @Test
  void a_full_log_evicts_first_from_the_publisher_that_exceeds_its_share() throws Exception {
    BroadcastRelay relay = relay(SHARE_OF_TWO, effects, A, B);
    relay.treeCommitted(new CommittedTree(2, SELF, star(A).edges()));
    receive(relay, A, message(A, 1, "1234"));
    relay.publish(bytes("1234"));
    have(relay, A, 2, position(SELF, 2, 0));
    relay.tick(0);
    for (int i = 2; i <= 6; i++) {
      receive(relay, A, message(A, i, "1234"));
    }
    effects.take();

    relay.activeEdges(nodes(A));
    relay.activeEdges(nodes(A, B));
    relay.streamClosed(B);
    open(relay, B);

    assertThat(effects.take())
        .filteredOn(line -> line.startsWith("send to b"))
        .contains("send to b: gap 1.0 to 2.0", "send to b: self1.0 '1234' last")
        .filteredOn(line -> line.contains(": a"))
        .hasSize(5);
  }

  @Test
  void a_report_of_a_position_never_published_here_is_a_violation() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    have(relay, A, 1, position(SELF, 2, 0));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("message 2", "chunk 0");
  }
}
