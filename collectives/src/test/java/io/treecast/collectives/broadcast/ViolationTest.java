package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.NONE_MISSED;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.detach;
import static io.treecast.collectives.broadcast.Examples.digest;
import static io.treecast.collectives.broadcast.Examples.grant;
import static io.treecast.collectives.broadcast.Examples.limits;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.position;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import org.junit.jupiter.api.Test;

/** Messages that a neighbour must not send; {@link ArrivalTest} covers the order of chunks. */
class ViolationTest {
  private final RecordingEffects effects = new RecordingEffects();

  @Test
  void a_chunk_from_a_node_without_an_open_stream_is_a_violation() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    receive(relay, B, message(B, 1, "x"));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by b: ")
        .contains("b/0000000000000001/1", "chunk 0", "1 bytes");
  }

  @Test
  void credit_from_a_node_without_an_open_stream_is_a_violation() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A));

    grant(relay, A, 1_000);

    assertThat(effects.take()).singleElement().asString().startsWith("violated by a: ");
  }

  @Test
  void a_chunk_from_a_detached_neighbour_is_a_violation() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    detach(relay, A);

    receive(relay, A, message(B, 1, "x"));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("b/0000000000000001/1", "chunk 0", "1 bytes");
    assertThat(relay.counters().waitingBytes()).isZero();
  }

  @Test
  void a_digest_with_a_position_never_published_here_is_a_violation() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    digest(relay, A, position(SELF, 1, 1));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("message 1", "chunk 1");
  }

  @Test
  void a_chunk_without_credit_is_a_violation() throws Exception {
    BroadcastRelay relay = relay(limits(2, 1), effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, message(A, 1, "1234"));
    receive(relay, A, message(A, 2, "1234"));
    receive(relay, A, message(A, 3, "1234"));
    effects.take();

    receive(relay, A, message(A, 4, ""));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("a/0000000000000001/4", "chunk 0", "0 bytes", "limits.edgeWindowBytes");
  }

  @Test
  void a_chunk_that_is_too_large_is_a_violation() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    receive(relay, A, message(A, 1, "12345"));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("a/0000000000000001/1", "chunk 0", "5 bytes", "limits.chunkBytes = 4");
  }

  @Test
  void credit_out_of_range_is_a_violation() {
    for (long bytes : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40}) {
      BroadcastRelay relay = relay(SMALL, effects, A);

      grant(relay, A, bytes);

      assertThat(effects.take())
          .singleElement()
          .asString()
          .startsWith("violated by a: ")
          .contains(bytes + " bytes");
    }
  }

  @Test
  void a_first_credit_without_room_for_one_chunk_is_a_violation() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.streamOpened(A, 0);
    effects.take();

    grant(relay, A, 259);

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("259 bytes", "limits.chunkBytes = 4");
  }

  @Test
  void a_first_credit_of_a_reopened_stream_without_room_for_one_chunk_is_a_violation() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.streamClosed(A);
    relay.streamOpened(A, 0);
    effects.take();

    grant(relay, A, 259);

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("259 bytes");
  }

  @Test
  void a_stream_beside_the_tree_is_forgotten_once_closed() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.streamOpened(B, 0);
    relay.streamClosed(B);
    effects.take();

    receive(relay, B, message(B, 1, "x"));

    assertThat(effects.take()).singleElement().asString().startsWith("violated by b: ");
  }

  @Test
  void messages_after_a_violation_are_ignored_until_the_stream_opens_again() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, message(A, 2, "x"));
    effects.take();

    receive(relay, A, message(A, 1, "x"));
    grant(relay, A, 0);
    relay.streamClosed(A);
    receive(relay, A, message(A, 1, "x"));
    assertThat(effects.take()).isEmpty();

    open(relay, A);
    receive(relay, A, message(A, 1, "x"));
    assertThat(effects.takeFlow()).containsExactly("grant a 2600", "deliver to s1: a1.0 'x' last");
  }

  @Test
  void a_violation_leaves_the_other_edges_alone() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    receive(relay, A, message(A, 2, "x"));
    effects.take();

    receive(relay, B, message(B, 1, "x"));

    assertThat(effects.take()).isEmpty();
    assertThat(relay.counters().waitingBytes())
        .as("until the edge is active no more")
        .isEqualTo(257);
    relay.activeEdges(nodes(B));
    assertThat(relay.counters())
        .isEqualTo(
            new BroadcastCounters(
                0, 0, 0, 0, 0, NONE_MISSED, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 257));
  }
}
