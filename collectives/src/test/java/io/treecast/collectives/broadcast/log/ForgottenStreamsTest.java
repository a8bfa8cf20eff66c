package io.treecast.collectives.broadcast.log;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.attach;
import static io.treecast.collectives.broadcast.Examples.chunk;
import static io.treecast.collectives.broadcast.Examples.gap;
import static io.treecast.collectives.broadcast.Examples.hearEnds;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.star;
import static io.treecast.collectives.broadcast.Examples.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.RecordingEffects;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Streams without a live publisher, of which nothing is retained: here those of c. */
class ForgottenStreamsTest {
  private static final long FORGET_NANOS = 100_000_000_000L;
  private static final long LATER = 1 + FORGET_NANOS;

  private final RecordingEffects effects = new RecordingEffects();

  /**
   * Returns a relay in a tree with a and b; it has had two messages of c, which are stable
   * according to a.
   */
  private BroadcastRelay relay() throws Exception {
    BroadcastRelay relay =
        new BroadcastRelay(SELF, FIRST_START, FORGET_NANOS, SMALL, effects, effects);
    relay.treeCommitted(star(A, B));
    relay.activeEdges(nodes(A, B));
    open(relay, A);
    open(relay, B);
    hearEnds(relay, effects, 1, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, message(C, 1, "x"));
    receive(relay, A, message(C, 2, "y"));
    effects.take();
    return relay;
  }

  private static void forget(BroadcastRelay relay) {
    relay.tick(1);
    relay.tick(LATER);
  }

  private static List<NodeId> known(BroadcastRelay relay) {
    return relay.positions().stream().map(position -> position.stream().origin()).toList();
  }

  @Test
  void orphans_are_forgotten_after_a_time_and_no_longer_named() throws Exception {
    BroadcastRelay relay = relay();
    relay.tick(1);
    relay.tick(LATER - 1);
    assertThat(known(relay)).containsExactly(C, SELF);

    relay.tick(2 * LATER);
    effects.take();
    attach(relay, A);

    assertThat(known(relay)).containsExactly(SELF);
    assertThat(effects.take()).containsExactly("digest to a: self1.0");
    assertThat(relay.counters().retainedBytes()).isZero();
  }

  @Test
  void a_stream_is_not_forgotten_while_its_origin_is_a_member_of_the_tree() throws Exception {
    BroadcastRelay relay = relay();
    receive(relay, A, message(A, 1, "x"));

    forget(relay);

    assertThat(known(relay)).containsExactly(A, SELF);
  }

  @Test
  void the_time_starts_over_when_the_origin_was_back() throws Exception {
    BroadcastRelay relay = relay();
    relay.tick(1);
    relay.treeCommitted(star(A, B, C));
    relay.treeCommitted(star(A, B));

    relay.tick(LATER);

    assertThat(known(relay)).containsExactly(C, SELF);
  }

  @Test
  void a_stream_retained_for_later_subscribers_stays_known() throws Exception {
    BroadcastRelay relay =
        new BroadcastRelay(
            SELF,
            FIRST_START,
            FORGET_NANOS,
            SMALL.withRetainedBytes(Chunk.cost(1)),
            effects,
            effects);
    relay.treeCommitted(star(A, B));
    relay.activeEdges(nodes(A, B));
    open(relay, A);
    receive(relay, A, message(C, 1, "x"));
    receive(relay, A, message(C, 2, "y"));
    relay.activeEdges(nodes());

    forget(relay);

    assertThat(known(relay)).containsExactly(C, SELF);
    assertThat(relay.counters().retainedBytes()).isEqualTo(Chunk.cost(1));
  }

  @Test
  void a_subscriber_that_lacks_some_is_waited_for() throws Exception {
    BroadcastRelay relay = relay();
    for (int i = 3; i <= 20; i++) {
      receive(relay, A, message(C, i, "1234"));
    }
    forget(relay);
    assertThat(known(relay)).containsExactly(C, SELF);

    for (int i = 0; i < 5; i++) {
      relay.consumed(1, 2 * Chunk.cost(1) + 3);
      relay.consumed(1, 0);
    }
    while (effects.take().stream().anyMatch(line -> line.startsWith("deliver"))) {
      relay.consumed(1, Chunk.cost(4));
    }
    relay.tick(2 * LATER);

    assertThat(known(relay)).containsExactly(SELF);
  }

  @Test
  void a_member_that_has_forgotten_streams_is_not_waited_for_when_their_origin_is_back()
      throws Exception {
    BroadcastRelay relay = relay();
    relay.activeEdges(nodes(A));
    forget(relay);
    assertThat(known(relay)).containsExactly(SELF);
    effects.take();

    relay.treeCommitted(new CommittedTree(2, A, star(A).edges()));
    relay.tick(2 * LATER);
    assertThat(effects.take()).noneMatch(line -> line.startsWith("have"));

    relay.treeCommitted(new CommittedTree(3, C, star(C).edges()));
    relay.activeEdges(nodes(C));
    open(relay, C);
    relay.tick(3 * LATER);
    assertThat(effects.take()).contains("have to c of v3: c3.0 awaiting, 1 briefly absent");
  }

  @Test
  void the_content_that_a_neighbour_remembers_is_a_duplicate() throws Exception {
    BroadcastRelay relay = relay();
    forget(relay);
    relay.streamClosed(B);
    open(relay, B);
    effects.take();

    receive(relay, B, gap(C, Position.START, new Position(2, 0)));
    receive(relay, B, message(C, 2, "y"));

    assertThat(effects.takeFlow()).noneMatch(line -> line.matches("(deliver|s1|send|violated).*"));
    assertThat(known(relay)).containsExactly(SELF);
    assertThat(relay.counters().duplicateChunks()).isEqualTo(1);
  }

  @Test
  void following_content_is_accepted_and_a_gap_is_sent_for_the_earlier_part() throws Exception {
    BroadcastRelay relay = relay();
    forget(relay);

    receive(relay, B, gap(C, Position.START, new Position(2, 0)));
    receive(relay, B, message(C, 2, "y"));
    receive(relay, B, message(C, 3, "z"));

    assertThat(effects.takeFlow())
        .filteredOn(line -> !line.startsWith("grant"))
        .containsExactly(
            "send to a: gap 1.0 to 3.0",
            "send to a: c3.0 'z' last",
            "deliver to s1: c3.0 'z' last");
  }

  @Test
  void a_subscriber_that_resumes_gets_no_message_twice_and_gets_the_gap() throws Exception {
    BroadcastRelay relay = relay();
    forget(relay);
    effects.take();

    relay.subscribe(2, after(2));
    relay.unsubscribe(2);
    assertThat(effects.takeFlow()).isEmpty();
    assertThat(known(relay)).containsExactly(SELF);

    relay.subscribe(4, after(1));
    relay.subscribe(5, after());
    assertThat(effects.takeFlow()).containsExactly("s4 missed c2 to 2", "s5 missed c1 to 2");

    receive(relay, B, gap(C, Position.START, new Position(2, 0)));
    receive(relay, B, message(C, 2, "y"));
    assertThat(effects.takeFlow()).noneMatch(line -> line.matches("(deliver|s\\d).*"));
  }

  @Test
  void a_subscriber_after_positions_gets_no_gap_when_its_streams_are_unknown() throws Exception {
    BroadcastRelay relay = relay();
    forget(relay);
    relay.subscribe(2, after(1));
    effects.take();
    for (String name : List.of("x1", "x2", "x3", "x4", "x5", "x6")) {
      receive(relay, A, message(NodeId.of(name), 1, "x"));
      relay.consumed(1, Chunk.cost(1));
      relay.consumed(2, Chunk.cost(1));
    }
    relay.tick(2 * LATER);
    relay.tick(3 * LATER);
    effects.take();

    receive(relay, A, message(C, 3, "z"));

    assertThat(effects.takeFlow())
        .contains("send to b: gap 1.0 to 3.0", "deliver to s2: c3.0 'z' last")
        .noneMatch(line -> line.startsWith("s2 missed"));
  }

  @Test
  void a_subscription_after_positions_brings_nothing_back_whether_or_not_it_is_refused()
      throws Exception {
    BroadcastRelay relay = relay();
    forget(relay);
    relay.subscribe(2, after());
    relay.subscribe(3, after());
    effects.take();

    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> relay.subscribe(4, after()))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.TOO_MANY_SUBSCRIBERS));

    assertThat(known(relay)).containsExactly(SELF);
    attach(relay, A);
    assertThat(effects.take()).containsExactly("digest to a: self1.0");
  }

  private static SubscribeOptions after(long... sequence) {
    List<MessageId> had =
        sequence.length == 0 ? List.of() : List.of(new MessageId(C, FIRST_START, sequence[0]));
    return SubscribeOptions.defaults().withStart(new SubscriptionStart.After(had));
  }

  @Test
  void a_message_that_was_never_completed_is_forgotten_too() throws Exception {
    BroadcastRelay relay = relay();
    receive(relay, A, chunk(C, 3, 0, "1234"));
    relay.tick(1);
    relay.tick(LATER);
    relay.tick(2 * LATER);

    assertThat(known(relay)).containsExactly(SELF);
    assertThat(relay.counters().retainedBytes()).isZero();
  }

  @Test
  void a_stream_that_continues_with_its_position_unknown_has_a_gap_and_the_link_stays()
      throws Exception {
    BroadcastRelay relay = relay();
    for (String name : List.of("x1", "x2", "x3", "x4", "x5", "x6")) {
      receive(relay, A, message(NodeId.of(name), 1, "x"));
      relay.consumed(1, Chunk.cost(1));
    }
    forget(relay);
    effects.take();

    receive(relay, A, message(C, 3, "z"));

    assertThat(effects.takeFlow())
        .containsSubsequence("send to b: gap 1.0 to 3.0", "send to b: c3.0 'z' last")
        .contains("deliver to s1: c3.0 'z' last");
    relay.streamClosed(A);
    open(relay, A);
    receive(relay, A, message(NodeId.of("x1"), 2, "z"));
    assertThat(effects.take())
        .as("on the next data stream it knows")
        .anyMatch(line -> line.startsWith("violated by a"));
  }

  @Test
  void a_stream_that_takes_the_place_of_another_resumes_at_its_position() throws Exception {
    BroadcastRelay relay = relay();
    for (String name : List.of("x1", "x2")) {
      receive(relay, A, message(NodeId.of(name), 1, "x"));
    }
    relay.consumed(1, 2 * Chunk.cost(1));
    forget(relay);
    for (String name : List.of("x3", "x4", "x5")) {
      receive(relay, A, message(NodeId.of(name), 1, "x"));
    }
    relay.consumed(1, 3 * Chunk.cost(1));
    effects.take();

    receive(relay, A, message(C, 3, "z"));

    assertThat(effects.takeFlow())
        .filteredOn(line -> !line.startsWith("grant"))
        .as("the subscriber misses none")
        .containsExactly(
            "send to b: gap 1.0 to 3.0",
            "send to b: c3.0 'z' last",
            "deliver to s1: c3.0 'z' last");
  }

  @Test
  void no_more_forgotten_streams_are_known_than_the_limit() throws Exception {
    BroadcastRelay relay = relay();
    for (String name : List.of("x1", "x2", "x3", "x4", "x5", "x6")) {
      receive(relay, A, message(NodeId.of(name), 1, "x"));
      relay.consumed(1, Chunk.cost(1));
    }
    forget(relay);
    effects.take();

    receive(relay, A, message(NodeId.of("x6"), 1, "x"));
    receive(relay, A, message(C, 1, "x"));

    assertThat(effects.takeFlow())
        .filteredOn(line -> line.startsWith("deliver"))
        .containsExactly("deliver to s1: c1.0 'x' last");
  }

  private static StreamLog left(StreamId id, boolean hadContent) {
    StreamLog left = new StreamLog(id);
    Gap all = new Gap(id, Position.START, new Position(3, 0), 1);
    if (hadContent) {
      left.leaveOut(all);
    } else {
      left.learn(all);
    }
    return left;
  }

  @Test
  void streams_that_only_others_had_do_not_displace_those_that_were_here() {
    ForgottenStreams forgotten = new ForgottenStreams(1);

    assertThat(forgotten.add(left(stream(A), true))).isFalse();
    assertThat(forgotten.add(left(stream(B), false))).isFalse();
    assertThat(forgotten.add(left(stream(C), false))).as("b is not known any more").isTrue();

    assertThat(forgotten.all()).extracting(StreamLog::id).containsExactly(stream(A), stream(C));
  }
}
