package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.NONE_MISSED;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.chunk;
import static io.treecast.collectives.broadcast.Examples.lastChunk;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.ghs.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForwardingTest {
  private static final NodeId FAR = NodeId.of("far");

  private final RecordingEffects effects = new RecordingEffects();

  @Test
  void a_chunk_goes_to_every_neighbour_but_the_one_it_came_from_then_to_subscribers_in_their_order()
      throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, C, B, A);
    relay.subscribe(9, SubscribeOptions.defaults());
    relay.subscribe(4, SubscribeOptions.defaults());

    receive(relay, B, message(FAR, 1, "x"));

    assertThat(effects.take())
        .containsExactly(
            "send to a: far1.0 'x' last",
            "send to c: far1.0 'x' last",
            "deliver to s9: far1.0 'x' last",
            "deliver to s4: far1.0 'x' last");
  }

  @Test
  void chunks_are_forwarded_before_their_message_is_complete() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());

    receive(relay, A, chunk(FAR, 1, 0, "abcd"));

    assertThat(effects.take())
        .containsExactly("send to b: far1.0 'abcd'", "deliver to s1: far1.0 'abcd'");
  }

  @Test
  void messages_of_different_origins_interleave() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);

    receive(relay, A, chunk(FAR, 1, 0, "abcd"));
    receive(relay, A, message(A, 1, "x"));
    receive(relay, A, lastChunk(FAR, 1, 1, "e"));

    assertThat(effects.take())
        .filteredOn(line -> line.startsWith("send"))
        .containsExactly(
            "send to b: far1.0 'abcd'", "send to b: a1.0 'x' last", "send to b: far1.1 'e' last");
  }

  @Test
  void a_chunk_before_this_nodes_commit_is_forwarded_at_once_and_delivered_after_it()
      throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.activeEdges(nodes(A, B));
    open(relay, A);
    open(relay, B);
    SubscriptionStart afterNothing = new SubscriptionStart.After(List.of());
    relay.subscribe(1, SubscribeOptions.defaults().withStart(afterNothing));
    effects.take();

    receive(relay, A, message(A, 1, "x"));
    receive(relay, B, message(B, 1, "y"));
    assertThat(effects.take())
        .containsExactly("send to b: a1.0 'x' last", "send to a: b1.0 'y' last");

    relay.treeCommitted(star(A, B));
    assertThat(effects.take())
        .containsExactly("deliver to s1: a1.0 'x' last", "deliver to s1: b1.0 'y' last");
  }

  @Test
  void an_inactive_edge_is_listened_to_and_gets_nothing() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.activeEdges(nodes(A));
    effects.take();

    receive(relay, B, message(B, 1, "x"));
    relay.publish(Examples.bytes("y"));

    assertThat(effects.take())
        .containsExactly("send to a: b1.0 'x' last", "send to a: self1.0 'y' last");
  }

  @Test
  void an_active_edge_beside_the_tree_carries_data() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.activeEdges(nodes(A, B));
    open(relay, B);
    effects.take();

    relay.publish(Examples.bytes("x"));

    assertThat(effects.take())
        .containsExactly("send to a: self1.0 'x' last", "send to b: self1.0 'x' last");
  }

  @Test
  void only_edges_of_the_tree_hold_back_others() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A));
    relay.activeEdges(nodes(A, B));

    relay.publish(Examples.bytes("x"));
    assertThat(relay.counters().waitingBytes()).isEqualTo(257);

    relay.treeCommitted(star(B));
    assertThat(relay.counters().waitingBytes()).isZero();
    relay.publish(Examples.bytes("y"));
    assertThat(relay.counters().waitingBytes()).isEqualTo(257);
    assertThat(relay.counters().retainedBytes()).isEqualTo(257);
  }

  @Test
  void content_held_by_a_lost_edge_moves_on_and_is_sent_on_the_next_stream() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.streamClosed(A);
    relay.activeEdges(nodes());
    relay.publish(Examples.bytes("x"));
    assertThat(relay.counters().waitingBytes()).isZero();
    effects.take();

    relay.activeEdges(nodes(A));
    open(relay, A);

    assertThat(effects.take())
        .containsExactly(
            "grant a 2600",
            "attach to a",
            "digest to a: self2.0",
            "interest to a of v1:",
            "digest to a: self2.0",
            "send to a: self1.0 'x' last");
  }

  @Test
  void content_that_came_by_a_closed_edge_is_still_forwarded() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.treeCommitted(star(A, B));
    relay.activeEdges(nodes(A, B));
    receive(relay, A, message(A, 1, "x"));
    relay.streamClosed(A);
    effects.take();

    open(relay, B);

    assertThat(effects.take()).last().isEqualTo("send to b: a1.0 'x' last");
    assertThat(relay.counters().waitingBytes()).isZero();
  }

  @Test
  void an_error_of_the_driver_is_reported() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    assertThatIllegalStateException()
        .isThrownBy(() -> relay.streamOpened(A, 0))
        .withMessageContaining(" a ");
    BroadcastRelay stranger = new BroadcastRelay(B, FIRST_START, SMALL, effects);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> stranger.treeCommitted(star(A)))
        .withMessageMatching("b .*\\bv1 root self\\b.*");
  }

  @Test
  void the_counters_count_the_work_done() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    relay.subscribe(2, SubscribeOptions.defaults());
    relay.publish(Examples.bytes("12345"));
    receive(relay, A, message(A, 1, "x"));
    receive(relay, A, message(A, 1, "x"));

    assertThat(relay.counters())
        .isEqualTo(
            new BroadcastCounters(
                1, 5, 4, 12, 2, NONE_MISSED, 0, 0, 5, 1, 0, 0, 0, 0, 0, 0, 0, 2 * 256 + 5 + 257));
  }
}
