package io.treecast.collectives.broadcast.contract;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.chunk;
import static io.treecast.collectives.broadcast.Examples.gap;
import static io.treecast.collectives.broadcast.Examples.lastChunk;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.Examples;
import io.treecast.collectives.broadcast.RecordingEffects;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.log.Orphans;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The start of subscriptions: the first messages, the reported positions, and when they are live.
 */
class SubscriptionStartTest {
  private static final long CHUNK_COST = Chunk.cost(4);

  /** Room for the given number of full chunks in the log, some of them retained when stable. */
  private static BroadcastLimits log(int chunks, int retained) {
    return BroadcastLimits.builder()
        .chunkBytes(4)
        .payloadBytes(4 * chunks)
        .publishBufferBytes(10 * CHUNK_COST)
        .logBytes(chunks * CHUNK_COST)
        .edgeWindowBytes(100 * CHUNK_COST)
        .subscriberWindowBytes(2 * CHUNK_COST)
        .subscribers(9)
        .topics(9)
        .origins(5)
        .build()
        .withRetainedBytes(retained * CHUNK_COST);
  }

  private final RecordingEffects effects = new RecordingEffects().withStarts();

  private static SubscribeOptions retained() {
    return SubscribeOptions.defaults().withStart(new SubscriptionStart.Retained());
  }

  private static SubscribeOptions after(MessageId... messages) {
    return SubscribeOptions.defaults().withStart(new SubscriptionStart.After(List.of(messages)));
  }

  private static MessageId id(io.treecast.ghs.NodeId origin, long sequence) {
    return new MessageId(origin, FIRST_START, sequence);
  }

  private List<String> toSubscribers() {
    return effects.take().stream().filter(line -> line.matches("(deliver|s\\d).*")).toList();
  }

  @Test
  void a_subscription_from_now_names_the_messages_before_it_and_is_live_at_once() throws Exception {
    BroadcastRelay relay = relay(log(9, 0), effects, A);
    receive(relay, A, message(A, 1, "x"));
    receive(relay, A, chunk(B, 1, 0, "1234"));
    effects.take();

    relay.subscribe(1, SubscribeOptions.defaults());

    assertThat(effects.take()).containsExactly("s1 begins after a1 b1", "s1 live");
  }

  @Test
  void no_subscription_begins_before_there_is_a_tree() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, log(9, 0), effects);
    relay.subscribe(1, retained());
    assertThat(effects.take()).isEmpty();

    relay.treeCommitted(star());

    assertThat(effects.take()).containsExactly("s1 begins after", "s1 live");
  }

  @Test
  void a_subscription_from_now_begins_behind_content_that_is_older_than_the_first_tree()
      throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, log(9, 0), effects);
    relay.subscribe(1, SubscribeOptions.defaults());
    relay.activeEdges(nodes(A));
    open(relay, A);
    receive(relay, A, gap(A, Position.START, new Position(3, 0)));
    receive(relay, A, message(A, 3, "x"));
    receive(relay, A, message(B, 1, "y"));
    relay.streamClosed(A); // A is lost before the first tree contains it.
    effects.take();

    relay.treeCommitted(new CommittedTree(2, SELF, List.of()));

    assertThat(effects.take()).containsExactly("s1 begins after a3 b1", "s1 live");
  }

  @Test
  void a_subscription_from_retained_gets_the_log_then_is_live_then_gets_new_messages()
      throws Exception {
    BroadcastRelay relay = relay(log(9, 0), effects, A);
    receive(relay, A, message(A, 1, "x"));
    receive(relay, A, message(B, 1, "y"));
    effects.take();

    relay.subscribe(1, retained());
    receive(relay, A, message(A, 2, "z"));
    relay.consumed(1, Chunk.cost(1));

    assertThat(toSubscribers())
        .containsExactly(
            "s1 begins after",
            "deliver to s1: a1.0 'x' last",
            "deliver to s1: b1.0 'y' last",
            "s1 live",
            "deliver to s1: a2.0 'z' last");
  }

  @Test
  void a_subscription_from_retained_begins_with_a_whole_message_without_a_gap() throws Exception {
    BroadcastRelay relay = relay(log(3, 0), effects, A);
    receive(relay, A, chunk(A, 1, 0, "1234"));
    receive(relay, A, lastChunk(A, 1, 1, "5678"));
    receive(relay, A, message(A, 2, "1234"));
    receive(relay, A, message(A, 3, "1234"));
    effects.take();

    relay.subscribe(1, retained());
    relay.consumed(1, 0);

    assertThat(toSubscribers())
        .containsExactly(
            "s1 begins after a1",
            "deliver to s1: a2.0 '1234' last",
            "deliver to s1: a3.0 '1234' last",
            "s1 live");
  }

  @Test
  void a_subscription_is_live_only_when_it_has_room_for_the_last_earlier_message()
      throws Exception {
    BroadcastRelay relay = relay(log(9, 0), effects, A);
    for (int i = 1; i <= 3; i++) {
      receive(relay, A, message(A, i, "1234"));
    }
    relay.subscribe(1, retained());
    assertThat(toSubscribers()).hasSize(3).doesNotContain("s1 live");

    relay.consumed(1, CHUNK_COST);

    assertThat(toSubscribers()).containsExactly("deliver to s1: a3.0 '1234' last", "s1 live");
  }

  @Test
  void a_subscription_after_positions_gets_other_streams_from_their_first_message()
      throws Exception {
    BroadcastRelay relay = relay(log(9, 0), effects, A);
    receive(relay, A, message(A, 1, "x"));
    receive(relay, A, message(A, 2, "y"));
    receive(relay, A, message(B, 1, "z"));
    effects.take();

    relay.subscribe(1, after(id(A, 1)));

    assertThat(toSubscribers())
        .containsExactly(
            "s1 begins after",
            "deliver to s1: a2.0 'y' last",
            "deliver to s1: b1.0 'z' last",
            "s1 live");
  }

  @Test
  void evicted_messages_are_named_as_a_gap() throws Exception {
    BroadcastRelay relay = relay(log(1, 0), effects, A);
    for (int i = 1; i <= 4; i++) {
      receive(relay, A, message(A, i, "1234"));
    }
    effects.take();

    relay.subscribe(1, after(id(A, 1)));

    assertThat(toSubscribers())
        .containsExactly(
            "s1 begins after", "s1 missed a2 to 3", "deliver to s1: a4.0 '1234' last", "s1 live");
    assertThat(relay.counters().missedMessages()).containsEntry(MissedReason.NOT_RETAINED, 2L);
  }

  @Test
  void a_subscriber_that_is_ahead_of_its_new_agent_gets_nothing_twice() throws Exception {
    BroadcastRelay relay = relay(log(9, 0), effects, A);
    relay.subscribe(1, after(id(A, 2)));

    receive(relay, A, gap(A, Position.START, new Position(2, 0)));
    receive(relay, A, message(A, 2, "x"));
    receive(relay, A, message(A, 3, "y"));

    assertThat(toSubscribers())
        .containsExactly("s1 begins after", "s1 live", "deliver to s1: a3.0 'y' last");
  }

  @Test
  void later_subscribers_do_not_wait_for_a_message_that_was_given_up() throws Exception {
    BroadcastRelay relay = relay(log(9, 0), effects, A);
    receive(relay, A, chunk(B, 1, 0, "1234"));
    relay.tick(0);
    relay.tick(Orphans.PATIENCE_NANOS);
    effects.take();

    relay.subscribe(1, retained());

    assertThat(toSubscribers())
        .containsExactly(
            "s1 begins after", "deliver to s1: b1.0 '1234'", "s1 abandoned b1", "s1 live");
  }

  @Test
  void a_position_that_was_never_published_here_is_refused() throws Exception {
    BroadcastRelay relay = relay(log(9, 0), effects, A);
    relay.publish(bytes("x"));
    relay.subscribe(1, after(id(SELF, 1)));

    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> relay.subscribe(2, after(id(SELF, 2))))
        .withMessageMatching(".*\\bself/0000000000000001/2\\b.*\\b1\\b.*")
        .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NOT_A_POSITION));
  }

  @Test
  void positions_of_known_streams_count_first_if_there_are_too_many() throws Exception {
    BroadcastRelay relay = relay(log(9, 0), effects, A);
    receive(relay, A, message(A, 1, "x"));
    effects.take();
    // One for each start of its agent, of which this one is the first; 5 streams are remembered.
    MessageId[] had =
        Stream.iterate(FIRST_START, start -> start + 1)
            .limit(100)
            .map(start -> new MessageId(A, start, 1))
            .toArray(MessageId[]::new);

    relay.subscribe(1, after(had));

    assertThat(toSubscribers()).containsExactly("s1 begins after", "s1 live");
  }

  @Test
  void two_positions_in_one_stream_are_an_error() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> after(id(A, 1), id(A, 2)))
        .withMessageContaining("a/0000000000000001");
  }

  // Content that the log retains.

  private BroadcastRelay withStable(BroadcastLimits limits, int messages) throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, limits, effects);
    relay.treeCommitted(star());
    relay.activeEdges(nodes());
    for (int i = 0; i < messages; i++) {
      relay.publish(bytes("1234"));
    }
    relay.tick(0);
    return relay;
  }

  @Test
  void the_configured_amount_of_stable_content_stays() throws Exception {
    BroadcastRelay relay = withStable(log(9, 2), 5);

    assertThat(relay.counters().retainedBytes()).isEqualTo(2 * CHUNK_COST);
    relay.subscribe(1, retained());
    assertThat(toSubscribers())
        .containsExactly(
            "s1 begins after self3",
            "deliver to s1: self4.0 '1234' last",
            "deliver to s1: self5.0 '1234' last",
            "s1 live");
  }

  @Test
  void retained_content_takes_nothing_from_the_publishers_share_in_any_tree() throws Exception {
    BroadcastRelay relay = withStable(log(10, 10), 10);
    relay.treeCommitted(new CommittedTree(2, SELF, List.of()));

    for (int i = 0; i < 10; i++) {
      relay.publish(bytes("1234"));
    }

    assertThat(relay.counters().retainedBytes()).isEqualTo(10 * CHUNK_COST);
  }

  @Test
  void content_that_a_reader_has_not_taken_stays_though_it_becomes_stable() throws Exception {
    BroadcastRelay relay = relay(log(9, 0), effects, A);
    relay.treeCommitted(new CommittedTree(1, A, star(A).edges()));
    for (int i = 1; i <= 4; i++) {
      receive(relay, A, message(A, i, "1234"));
    }
    relay.subscribe(1, retained());
    relay.received(A, new Stable(1, List.of(Examples.position(A, 5, 0)), false, 0));
    assertThat(relay.counters().retainedBytes()).isEqualTo(4 * CHUNK_COST);
    effects.take();

    relay.consumed(1, 2 * CHUNK_COST);

    assertThat(toSubscribers()).hasSize(3).contains("deliver to s1: a3.0 '1234' last", "s1 live");
    assertThat(relay.counters().retainedBytes()).isZero();
  }
}
