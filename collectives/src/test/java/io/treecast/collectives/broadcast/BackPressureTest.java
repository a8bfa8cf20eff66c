package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.PLENTY;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.attach;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.grant;
import static io.treecast.collectives.broadcast.Examples.limits;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import org.junit.jupiter.api.Test;

class BackPressureTest {
  /** Windows of one full chunk: every byte given back is granted at once. */
  private static final BroadcastLimits TINY = limits(1, 1);

  private final RecordingEffects effects = new RecordingEffects();

  @Test
  void an_opened_stream_grants_a_window_once_either_end_attaches() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.streamOpened(A, 0);
    assertThat(effects.takeFlow()).as("nobody sends").isEmpty();

    attach(relay, A);
    assertThat(effects.takeFlow()).containsExactly("grant a 2600");

    relay.activeEdges(nodes(A));
    assertThat(effects.takeFlow()).as("it has been granted").isEmpty();
  }

  /** Windows of ten chunks, with memory for two of them. */
  private BroadcastRelay narrow() {
    BroadcastLimits wide =
        BroadcastLimits.builder()
            .chunkBytes(1)
            .payloadBytes(1)
            .publishBufferBytes(2_570)
            .logBytes(257_000)
            .edgeWindowBytes(2_570)
            .subscriberWindowBytes(2_570)
            .subscribers(1)
            .topics(3)
            .origins(3)
            .build();
    long leastBytes = wide.memoryBytes() - wide.edgesBytes() + 2 * wide.edgeWindowBytes();
    return new BroadcastRelay(SELF, FIRST_START, wide.withMemoryBytes(leastBytes), effects);
  }

  @Test
  void a_neighbour_gets_half_of_the_free_memory_and_more_when_others_are_gone() {
    BroadcastRelay relay = narrow();
    relay.activeEdges(nodes(A, B, C));
    relay.streamOpened(A, 0);
    relay.streamOpened(B, 0);
    relay.streamOpened(C, 0);
    assertThat(effects.takeFlow()).containsExactly("grant a 2570", "grant b 1285", "grant c 642");

    relay.streamClosed(A);
    assertThat(effects.takeFlow()).containsExactly("grant b 964", "grant c 803");
  }

  @Test
  void nothing_is_sent_without_credit() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A));
    relay.activeEdges(nodes(A));
    relay.streamOpened(A, 0);
    attach(relay, A);
    effects.takeFlow();

    relay.publish(bytes("abcdefgh"));
    assertThat(effects.takeFlow()).isEmpty();

    grant(relay, A, 260 + 259);
    assertThat(effects.takeFlow()).containsExactly("send to a: self1.0 'abcd'");

    grant(relay, A, 1);
    assertThat(effects.takeFlow()).containsExactly("send to a: self1.1 'efgh' last");
  }

  @Test
  void a_small_chunk_does_not_overtake_a_large_one_that_waits_for_credit() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A));
    relay.activeEdges(nodes(A));
    relay.streamOpened(A, 0);
    attach(relay, A);
    grant(relay, A, 260 + 257);
    effects.takeFlow();

    relay.publish(bytes("abcd"));
    relay.publish(bytes("efgh"));
    relay.publish(bytes(""));

    assertThat(effects.takeFlow()).containsExactly("send to a: self1.0 'abcd' last");
  }

  @Test
  void a_neighbour_gets_its_credit_back_when_the_last_outlet_has_sent_the_chunk() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, TINY, effects);
    relay.treeCommitted(star(A, B, C));
    relay.activeEdges(nodes(A, B, C));
    relay.streamOpened(A, 0);
    relay.streamOpened(B, 0);
    relay.streamOpened(C, 0);
    attach(relay, A);
    attach(relay, B);
    attach(relay, C);
    effects.takeFlow();
    receive(relay, A, message(A, 1, "x"));

    grant(relay, B, PLENTY);
    assertThat(effects.takeFlow()).containsExactly("send to b: a1.0 'x' last");

    grant(relay, C, PLENTY);
    assertThat(effects.takeFlow()).containsExactly("send to c: a1.0 'x' last", "grant a 257");
  }

  @Test
  void a_leaf_without_subscribers_gives_credit_back_at_once() {
    BroadcastRelay relay = relay(TINY, effects, A);

    receive(relay, A, message(A, 1, "x"));

    assertThat(effects.takeFlow()).containsExactly("grant a 257");
  }

  @Test
  void credit_is_given_back_in_batches_of_a_quarter_of_the_window() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    receive(relay, A, message(A, 1, "1234"));
    receive(relay, A, message(A, 2, "1234"));
    assertThat(effects.takeFlow()).isEmpty();

    receive(relay, A, message(A, 3, "1234"));
    assertThat(effects.takeFlow()).containsExactly("grant a 780");
  }

  @Test
  void a_batch_never_keeps_a_neighbour_from_sending_one_chunk() {
    BroadcastLimits limits =
        BroadcastLimits.builder()
            .chunkBytes(1_000)
            .payloadBytes(1_000)
            .publishBufferBytes(2_000)
            .logBytes(10_000)
            .edgeWindowBytes(1_300)
            .subscriberWindowBytes(2_000)
            .subscribers(1)
            .topics(3)
            .origins(3)
            .build();
    BroadcastRelay relay = relay(limits, effects, A);

    receive(relay, A, message(A, 1, ""));

    assertThat(effects.takeFlow()).containsExactly("grant a 256");
  }

  @Test
  void a_slow_subscriber_holds_back_the_neighbour() throws Exception {
    BroadcastRelay relay = relay(limits(2, 1), effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());

    receive(relay, A, message(A, 1, "1234"));
    assertThat(effects.takeFlow())
        .containsExactly("deliver to s1: a1.0 '1234' last", "grant a 260");

    receive(relay, A, message(A, 2, "5678"));
    assertThat(effects.takeFlow()).isEmpty();
    assertThat(relay.counters().waitingBytes()).isEqualTo(260);

    relay.consumed(1, 259);
    assertThat(effects.takeFlow()).isEmpty();

    relay.consumed(1, 1);
    assertThat(effects.takeFlow())
        .containsExactly("deliver to s1: a2.0 '5678' last", "grant a 260");
  }

  @Test
  void a_slow_subscriber_does_not_hold_back_another_within_the_window() throws Exception {
    BroadcastRelay relay = relay(limits(10, 1), effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    relay.subscribe(2, SubscribeOptions.defaults());
    receive(relay, A, message(A, 1, "1234"));
    relay.consumed(2, 260);
    effects.takeFlow();

    receive(relay, A, message(A, 2, "5678"));

    assertThat(effects.takeFlow()).containsExactly("deliver to s2: a2.0 '5678' last");
  }

  @Test
  void a_removed_subscriber_holds_back_no_neighbour() throws Exception {
    BroadcastRelay relay = relay(TINY, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, message(A, 1, "1234"));
    receive(relay, A, message(A, 2, "1234"));
    effects.takeFlow();

    relay.unsubscribe(1);

    assertThat(effects.takeFlow()).containsExactly("grant a 260");
    assertThat(relay.counters().waitingBytes()).isZero();
    relay.consumed(1, 260);
    relay.unsubscribe(1);
  }

  @Test
  void a_subscriber_cannot_consume_more_than_it_was_given() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, message(A, 1, "1234"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> relay.consumed(1, 261))
        .withMessageContainingAll("subscriber 1", "261 bytes", "260");
    assertThatIllegalArgumentException().isThrownBy(() -> relay.consumed(1, -1));
    relay.consumed(1, 260);
  }

  @Test
  void the_bytes_that_still_wait_reduce_the_first_grant_of_a_reopened_stream() throws Exception {
    BroadcastRelay relay = relay(limits(4, 1), effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, message(A, 1, "1234"));
    receive(relay, A, message(A, 2, "1234"));
    receive(relay, A, message(A, 3, "1234"));
    relay.streamClosed(A);
    effects.takeFlow();

    relay.streamOpened(A, 0);
    assertThat(effects.takeFlow()).containsExactly("grant a 520");

    relay.consumed(1, 260);
    assertThat(effects.takeFlow())
        .containsExactly("deliver to s1: a2.0 '1234' last", "grant a 260");
  }

  @Test
  void a_reopened_stream_is_first_granted_at_least_one_chunk() throws Exception {
    BroadcastLimits limits =
        BroadcastLimits.builder()
            .chunkBytes(100)
            .payloadBytes(100)
            .publishBufferBytes(1_000)
            .logBytes(10_000)
            .edgeWindowBytes(712)
            .subscriberWindowBytes(356)
            .subscribers(1)
            .topics(3)
            .origins(3)
            .build();
    BroadcastRelay relay = relay(limits, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, message(A, 1, "x".repeat(100)));
    receive(relay, A, message(A, 2, "y".repeat(100)));
    receive(relay, A, message(A, 3, ""));
    relay.streamClosed(A);
    effects.takeFlow();

    relay.streamOpened(A, 0);
    assertThat(effects.takeFlow()).isEmpty();

    relay.consumed(1, 356);
    assertThat(effects.takeFlow())
        .containsExactly("deliver to s1: a2.0 '" + "y".repeat(100) + "' last", "grant a 456");
  }

  @Test
  void an_edge_that_comes_back_to_the_tree_still_counts_its_waiting_bytes() throws Exception {
    BroadcastRelay relay = relay(limits(4, 1), effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, message(A, 1, "1234"));
    receive(relay, A, message(A, 2, "1234"));
    relay.treeCommitted(star());
    relay.streamClosed(A);
    relay.treeCommitted(star(A));
    effects.takeFlow();

    relay.streamOpened(A, 0);

    assertThat(effects.takeFlow()).containsExactly("grant a 780");
  }

  @Test
  void a_reopened_stream_forgets_the_credit_of_the_earlier_one() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.streamClosed(A);
    relay.streamOpened(A, 0);
    effects.takeFlow();

    relay.publish(bytes("x"));

    assertThat(effects.takeFlow()).isEmpty();
  }
}
