package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.afterRestart;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.chunk;
import static io.treecast.collectives.broadcast.Examples.lastChunk;
import static io.treecast.collectives.broadcast.Examples.limits;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.position;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.ghs.NodeId;
import org.junit.jupiter.api.Test;

/** The order of arriving chunks: next, duplicate, or invalid. */
class ArrivalTest {
  private final RecordingEffects effects = new RecordingEffects();

  @Test
  void a_chunk_that_came_before_is_dropped_counted_and_its_credit_given_back() throws Exception {
    BroadcastRelay relay = relay(limits(1, 1), effects, A, B);
    receive(relay, A, chunk(A, 1, 0, "1234"));
    receive(relay, A, lastChunk(A, 1, 1, "5"));
    receive(relay, A, chunk(A, 2, 0, "6789"));
    effects.take();

    receive(relay, A, chunk(A, 1, 0, "1234"));
    receive(relay, A, lastChunk(A, 1, 1, "5"));
    receive(relay, A, chunk(A, 2, 0, "6789"));

    assertThat(effects.take()).containsExactly("grant a 260", "grant a 257", "grant a 260");
    assertThat(relay.counters().duplicateChunks()).isEqualTo(3);
  }

  @Test
  void a_chunk_that_comes_by_two_edges_is_delivered_once() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B, C);
    relay.subscribe(1, SubscribeOptions.defaults());

    receive(relay, A, message(C, 1, "x"));
    receive(relay, B, message(C, 1, "x"));

    assertThat(effects.take())
        .containsExactly(
            "send to b: c1.0 'x' last", "send to c: c1.0 'x' last", "deliver to s1: c1.0 'x' last");
  }

  @Test
  void the_entries_of_a_stream_share_one_name() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);

    receive(relay, A, chunk(A, 1, 0, "1234"));
    receive(relay, A, lastChunk(A, 1, 1, "5"));
    receive(relay, A, message(A, 2, "6789"));

    StreamId name = relay.positions().get(0).stream();
    assertThat(effects.sent()).hasSize(3).allSatisfy(c -> assertThat(c.stream()).isSameAs(name));
  }

  @Test
  void a_missing_chunk_is_a_violation() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    receive(relay, A, chunk(A, 1, 0, "1234"));
    effects.take();

    receive(relay, A, lastChunk(A, 1, 2, "x"));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("a/0000000000000001/1", "chunk 2", "1 bytes", "message 1", "chunk 1");
    assertThat(relay.counters().waitingBytes()).isZero();
  }

  @Test
  void a_missing_message_is_a_violation() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    receive(relay, A, message(A, 1, "x"));
    effects.take();

    receive(relay, A, message(A, 3, "x"));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("a/0000000000000001/3", "chunk 0", "1 bytes", "message 2");
  }

  @Test
  void an_origin_heard_from_for_the_first_time_begins_with_its_first_message() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);

    receive(relay, A, message(C, 2, "x"));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a:")
        .contains("message 1", "chunk 0");
    assertThat(relay.positions()).extracting(StreamPosition::stream).containsExactly(stream(SELF));
  }

  @Test
  void an_origins_new_incarnation_begins_again_even_in_the_middle_of_a_message() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    receive(relay, A, message(C, 1, "x"));
    receive(relay, A, chunk(C, 2, 0, "1234"));
    effects.take();

    receive(relay, A, afterRestart(C, 77, "y"));

    assertThat(effects.take())
        .contains("send to b: c1.0 'y' last")
        .noneMatch(line -> line.startsWith("violated"));
    assertThat(relay.positions())
        .contains(position(C, 2, 1), new StreamPosition(new StreamId(C, 77), new Position(2, 0)));
  }

  @Test
  void a_chunk_that_this_node_published_is_dropped_when_it_comes_back() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    relay.publish(bytes("x"));
    effects.take();

    receive(relay, A, message(SELF, 1, "x"));

    assertThat(effects.take()).isEmpty();
    assertThat(relay.counters().duplicateChunks()).isEqualTo(1);
  }

  @Test
  void a_message_from_before_this_nodes_restart_comes_back_like_any_other() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());

    receive(relay, A, afterRestart(SELF, FIRST_START + 1, "x"));

    assertThat(effects.take())
        .containsExactly("send to b: self1.0 'x' last", "deliver to s1: self1.0 'x' last");
  }

  @Test
  void the_streams_of_two_starts_of_an_origin_are_independent() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    receive(relay, A, message(C, 1, "x"));
    receive(relay, A, afterRestart(C, 77, "y"));
    effects.take();

    receive(relay, B, message(C, 2, "z"));

    assertThat(effects.take()).containsExactly("send to a: c2.0 'z' last");
  }

  @Test
  void a_chunk_that_this_node_never_published_is_a_violation() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);

    receive(relay, A, message(SELF, 1, "x"));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("self/0000000000000001/1", "chunk 0", "1 bytes");
  }

  @Test
  void a_tree_version_behind_that_of_an_earlier_chunk_is_a_violation() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, new Chunk(chunk(A, 1, 0, "1234").messageId(), 0, false, 2, bytes("1234")));
    effects.take();

    receive(relay, A, lastChunk(A, 1, 1, "5"));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("a/0000000000000001/1", "chunk 1", "1 bytes", "version 1", "version 2");
  }

  @Test
  void with_too_many_origins_the_longest_silent_one_outside_the_tree_is_forgotten() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    NodeId gone = NodeId.of("gone");
    NodeId left = NodeId.of("left");
    receive(relay, A, message(A, 1, "x"));
    receive(relay, A, message(gone, 1, "x"));
    receive(relay, A, message(left, 1, "x"));
    receive(relay, A, message(gone, 2, "x"));

    receive(relay, A, message(C, 1, "x"));

    assertThat(relay.positions())
        .extracting(StreamPosition::stream)
        .containsExactly(stream(A), stream(C), stream(gone), stream(SELF));
  }

  @Test
  void positions_state_the_progress_of_each_stream_in_order_of_ids() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    receive(relay, B, message(B, 1, "x"));
    receive(relay, B, message(B, 2, "x"));
    receive(relay, A, chunk(A, 1, 0, "1234"));
    relay.publish(bytes("x"));

    assertThat(relay.positions())
        .containsExactly(position(A, 1, 1), position(B, 3, 0), position(SELF, 2, 0));
  }
}
