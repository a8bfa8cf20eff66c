package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.attach;
import static io.treecast.collectives.broadcast.Examples.chunk;
import static io.treecast.collectives.broadcast.Examples.digest;
import static io.treecast.collectives.broadcast.Examples.gap;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.position;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.stream.Arrivals;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Live streams in excess of {@code limits.origins}, which is 3 here. */
class TooManyStreamsTest {
  private static final NodeId D = NodeId.of("d");
  private static final NodeId E = NodeId.of("e");

  private final RecordingEffects effects = new RecordingEffects();

  /** Returns a relay that knows a stream of each of three members; d is a fourth. */
  private BroadcastRelay full() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B, C, D);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, message(A, 1, "x"));
    receive(relay, B, message(B, 1, "x"));
    receive(relay, C, message(C, 1, "x"));
    effects.take();
    return relay;
  }

  /** Commits another tree, without c: its stream may be forgotten. */
  private void forgetC(BroadcastRelay relay) {
    relay.treeCommitted(new CommittedTree(2, SELF, star(A, B, D).edges()));
    relay.activeEdges(nodes(A, B, D));
    effects.take();
  }

  @Test
  void an_item_of_one_stream_too_many_becomes_a_gap_and_the_link_stays() throws Exception {
    BroadcastRelay relay = full();
    long waitingBytes = relay.counters().waitingBytes();

    receive(relay, D, message(D, 1, "x"));
    receive(relay, D, chunk(D, 2, 0, "1234"));
    receive(relay, A, gap(D, Position.START, new Position(2, 0)));
    receive(relay, D, message(A, 2, "y"));

    assertThat(effects.takeFlow())
        .containsExactly(
            "send to a: gap 1.0 to 2.0",
            "send to b: gap 1.0 to 2.0",
            "send to c: gap 1.0 to 2.0",
            "s1 missed d1 to 1",
            "dropped from d: d1.0 'x' last",
            "send to a: gap 1.0 to 2.1",
            "send to b: gap 1.0 to 2.1",
            "send to c: gap 1.0 to 2.1",
            "s1 missed d2 to 2",
            "send to a: a2.0 'y' last",
            "send to b: a2.0 'y' last",
            "send to c: a2.0 'y' last",
            "deliver to s1: a2.0 'y' last",
            "grant d 774");
    assertThat(relay.counters().droppedItems()).as("not the gap again").isEqualTo(2);
    assertThat(relay.counters().waitingBytes()).isEqualTo(waitingBytes);
  }

  @Test
  void the_credit_of_a_dropped_item_is_given_back() throws Exception {
    BroadcastRelay relay = full();

    for (int i = 1; i <= 100; i++) {
      receive(relay, D, message(D, i, "1234"));
    }

    assertThat(effects.takeFlow())
        .contains("grant d 780")
        .noneMatch(line -> line.startsWith("violated"));
  }

  @Test
  void dropped_items_are_reported_once_a_minute() throws Exception {
    BroadcastRelay relay = full();
    relay.tick(5);
    receive(relay, D, message(D, 1, "x"));
    relay.tick(5 + Arrivals.NOTE_NANOS - 1);
    receive(relay, D, message(D, 2, "x"));
    relay.tick(5 + Arrivals.NOTE_NANOS);
    receive(relay, D, message(D, 3, "x"));

    assertThat(effects.take())
        .filteredOn(line -> line.startsWith("dropped"))
        .containsExactly("dropped from d: d1.0 'x' last", "dropped from d: d3.0 'x' last");
  }

  @Test
  void a_stream_continues_behind_the_dropped_items_when_there_is_room() throws Exception {
    BroadcastRelay relay = full();
    receive(relay, D, message(D, 1, "x"));
    receive(relay, D, chunk(D, 2, 0, "1234"));
    forgetC(relay);

    receive(relay, D, chunk(D, 2, 1, "5678"));
    receive(relay, D, message(A, 2, "y"));

    assertThat(effects.takeFlow())
        .containsExactly(
            "send to a: gap 1.0 to 2.1",
            "send to a: d2.1 '5678'",
            "send to b: gap 1.0 to 2.1",
            "send to b: d2.1 '5678'",
            "grant d 777",
            "send to a: a2.0 'y' last",
            "send to b: a2.0 'y' last",
            "deliver to s1: a2.0 'y' last");
    assertThat(relay.counters().gaps()).isZero();
  }

  @Test
  void a_dropped_item_that_comes_by_another_edge_later_is_still_missed() throws Exception {
    BroadcastRelay relay = full();
    receive(relay, D, message(D, 1, "x"));
    receive(relay, D, message(D, 2, "x"));
    forgetC(relay);
    receive(relay, A, message(D, 1, "x"));

    receive(relay, D, message(D, 3, "z"));
    receive(relay, A, message(D, 2, "y"));

    assertThat(effects.takeFlow())
        .filteredOn(line -> line.contains("s1"))
        .containsExactly("deliver to s1: d3.0 'z' last");
    assertThat(relay.counters().duplicateChunks()).isEqualTo(2);
  }

  @Test
  void a_sender_of_dropped_items_learns_that_the_stream_is_known_when_there_is_room()
      throws Exception {
    BroadcastRelay relay = full();
    receive(relay, D, message(D, 1, "x"));
    forgetC(relay);
    relay.streamClosed(D);
    open(relay, D);
    effects.take();

    receive(relay, D, message(D, 1, "x"));

    assertThat(effects.take()).noneMatch(line -> line.startsWith("violated"));
    assertThat(relay.positions()).contains(position(D, 2, 0));
    receive(relay, D, message(D, 2, "y"));
    assertThat(effects.take()).contains("deliver to s1: d2.0 'y' last");
  }

  @Test
  void a_neighbour_that_comes_later_gets_a_gap_for_dropped_items() throws Exception {
    BroadcastRelay relay = full();
    receive(relay, D, message(D, 1, "x"));
    relay.treeCommitted(new CommittedTree(2, SELF, star(A, B, C, D, E).edges()));
    relay.activeEdges(nodes(A, B, C, D, E));
    effects.take();

    open(relay, E);

    assertThat(effects.takeFlow()).contains("send to e: gap 1.0 to 2.0");
  }

  @Test
  void an_orphan_that_is_not_waited_for_makes_room() throws Exception {
    BroadcastRelay relay = full();
    forgetC(relay);

    receive(relay, D, message(D, 1, "x"));

    assertThat(effects.take()).contains("deliver to s1: d1.0 'x' last");
    assertThat(relay.counters().droppedItems()).isZero();
    assertThat(relay.positions())
        .extracting(p -> p.stream().origin())
        .containsExactly(A, B, D, SELF);
  }

  @Test
  void an_orphan_makes_room_as_soon_as_it_is_not_waited_for() throws Exception {
    BroadcastRelay relay = full();
    for (int i = 2; i <= 11; i++) {
      receive(relay, C, message(C, i, "1234"));
    }
    forgetC(relay);
    receive(relay, D, message(D, 1, "x"));
    assertThat(relay.counters().droppedItems()).as("the subscriber lacks some of c").isEqualTo(1);

    relay.consumed(1, 3 * Chunk.cost(4) + Chunk.cost(0));
    receive(relay, D, message(D, 2, "y"));

    assertThat(relay.counters().droppedItems()).isEqualTo(1);
    assertThat(relay.positions())
        .extracting(p -> p.stream().origin())
        .containsExactly(A, B, D, SELF);
  }

  @Test
  void some_of_any_number_of_streams_that_a_neighbour_names_are_remembered() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    for (int i = 0; i < 9; i++) {
      digest(relay, A, new StreamPosition(new StreamId(C, i), new Position(2, 0)));
    }
    digest(relay, A, new StreamPosition(new StreamId(C, 5), new Position(3, 0)));
    relay.received(
        A, new EdgeMessage.Have(1, List.of(position(B, 2, 0), position(C, 2, 0)), false, 0));
    attach(relay, A);
    assertThat(effects.take()).noneMatch(line -> line.startsWith("violated"));

    for (int message = 1; message <= 2; message++) {
      MessageId id = new MessageId(new StreamId(C, 5), message);
      receive(relay, B, new Chunk(id, 0, true, 1, Examples.bytes("x")));
    }
    receive(relay, B, Examples.afterRestart(C, 6, "x"));

    assertThat(effects.takeFlow())
        .filteredOn(line -> line.startsWith("send"))
        .containsExactly("send to a: c1.0 'x' last");
  }
}
