package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.attach;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.chunk;
import static io.treecast.collectives.broadcast.Examples.gap;
import static io.treecast.collectives.broadcast.Examples.grant;
import static io.treecast.collectives.broadcast.Examples.hearEnds;
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

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.stability.Stability;
import io.treecast.mst.CommittedTree;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The log is bounded; content that it no longer has is named. */
class RetentionTest {
  private static final long CHUNK_COST = Chunk.cost(4);

  /** Room for three full chunks in the log. */
  private static final BroadcastLimits THREE =
      BroadcastLimits.builder()
          .chunkBytes(4)
          .payloadBytes(12)
          .publishBufferBytes(10 * CHUNK_COST)
          .logBytes(3 * CHUNK_COST)
          .edgeWindowBytes(100 * CHUNK_COST)
          .subscriberWindowBytes(10 * CHUNK_COST)
          .subscribers(3)
          .topics(3)
          .origins(5)
          .build()
          .withRetainedBytes(3 * CHUNK_COST);

  private final RecordingEffects effects = new RecordingEffects();

  private BroadcastRelay lone() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, THREE, effects);
    relay.treeCommitted(star());
    return relay;
  }

  /** Publishes one message after the other, each when the previous one is known to be stable. */
  private static void publish(BroadcastRelay relay, int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      relay.publish(bytes("1234"));
      relay.tick((i + 1) * Stability.INTERVAL_NANOS);
    }
  }

  @Test
  void content_that_is_not_held_is_retained_up_to_the_limit_and_the_oldest_is_evicted_first()
      throws Exception {
    BroadcastRelay relay = lone();
    publish(relay, 5);
    assertThat(relay.counters().retainedBytes()).isEqualTo(3 * CHUNK_COST);

    relay.activeEdges(nodes(A));
    open(relay, A);

    assertThat(effects.takeFlow())
        .containsExactly(
            "grant a 26000",
            "send to a: gap 1.0 to 3.0",
            "send to a: self3.0 '1234' last",
            "send to a: self4.0 '1234' last",
            "send to a: self5.0 '1234' last");
  }

  @Test
  void a_full_log_evicts_from_the_stream_that_takes_the_most() {
    BroadcastRelay relay = relay(THREE, effects, A);
    receive(relay, A, message(A, 1, "1234"));
    receive(relay, A, message(B, 1, "1234"));
    receive(relay, A, message(B, 2, "1234"));
    receive(relay, A, message(B, 3, "1234"));
    effects.take();

    relay.activeEdges(nodes(A, C));
    open(relay, C);

    assertThat(effects.takeFlow())
        .containsExactly(
            "grant c 26000",
            "send to c: gap 1.0 to 2.0",
            "send to c: a1.0 '1234' last",
            "send to c: b2.0 '1234' last",
            "send to c: b3.0 '1234' last");
  }

  @Test
  void a_neighbour_that_has_the_evicted_content_gets_no_gap() throws Exception {
    BroadcastRelay relay = lone();
    publish(relay, 5);
    relay.activeEdges(nodes(A));
    relay.streamOpened(A, 0);
    grant(relay, A, 1_000);
    attach(relay, A, position(SELF, 5, 0));

    assertThat(effects.takeFlow())
        .containsExactly("grant a 26000", "send to a: self5.0 '1234' last");
  }

  @Test
  void an_edge_beside_the_tree_that_falls_behind_the_log_gets_a_gap() throws Exception {
    BroadcastRelay relay = lone();
    relay.activeEdges(nodes(A));
    relay.streamOpened(A, 0);
    grant(relay, A, CHUNK_COST);
    attach(relay, A);
    publish(relay, 6);
    effects.take();
    assertThat(relay.counters().waitingBytes()).isZero();

    grant(relay, A, 4_000);

    assertThat(effects.take())
        .containsExactly(
            "send to a: gap 2.0 to 4.0",
            "send to a: self4.0 '1234' last",
            "send to a: self5.0 '1234' last",
            "send to a: self6.0 '1234' last");
  }

  @Test
  void a_slow_edge_of_the_tree_loses_nothing() throws Exception {
    BroadcastRelay relay = relay(THREE, effects);
    relay.treeCommitted(star(A, B));
    relay.activeEdges(nodes(A, B));
    open(relay, B);
    relay.streamOpened(A, 0);
    grant(relay, A, CHUNK_COST);
    attach(relay, A);
    for (int i = 1; i <= 6; i++) {
      receive(relay, B, message(B, i, "1234"));
    }
    effects.take();

    grant(relay, A, 4_000);

    assertThat(effects.take())
        .filteredOn(line -> line.startsWith("send to a"))
        .hasSize(5)
        .noneMatch(line -> line.contains("gap"));
  }

  @Test
  void a_gap_is_adopted_passed_on_once_and_reported_to_subscribers() throws Exception {
    BroadcastRelay relay = relay(THREE, effects, A, B, C);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, message(A, 1, "x"));
    effects.take();

    Gap gap = gap(A, Position.START, new Position(4, 0));
    receive(relay, A, gap);
    receive(relay, B, gap);
    receive(relay, A, message(A, 4, "y"));

    assertThat(effects.take())
        .containsExactly(
            "send to b: gap 2.0 to 4.0",
            "send to c: gap 2.0 to 4.0",
            "s1 missed a2 to 3",
            "send to b: a4.0 'y' last",
            "send to c: a4.0 'y' last",
            "deliver to s1: a4.0 'y' last");
    assertThat(relay.counters().gaps()).isEqualTo(1);
    assertThat(relay.counters().missedMessages()).containsEntry(MissedReason.AGENT_AWAY, 2L);
  }

  @Test
  void a_gap_beyond_the_next_place_is_a_violation() {
    BroadcastRelay relay = relay(THREE, effects, A);

    receive(relay, A, gap(A, new Position(2, 0), new Position(3, 0)));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("a/0000000000000001", "message 2", "chunk 0", "message 3", "message 1");
  }

  @Test
  void a_message_that_a_gap_ends_in_is_missed_whole() throws Exception {
    BroadcastRelay relay = relay(THREE, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(A, 1, 0, "1234"));
    effects.take();

    receive(relay, A, gap(A, new Position(1, 1), new Position(2, 1)));
    receive(relay, A, lastChunk(A, 2, 1, "5"));
    receive(relay, A, message(A, 3, "z"));

    assertThat(effects.take()).containsExactly("s1 missed a1 to 2", "deliver to s1: a3.0 'z' last");
  }

  @Test
  void a_message_of_a_lower_tree_version_is_delivered_like_any_other() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, THREE, effects);
    relay.treeCommitted(new CommittedTree(7, SELF, star(A, B).edges()));
    relay.activeEdges(nodes(A, B));
    open(relay, A);
    open(relay, B);
    hearEnds(relay, effects, 7, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    effects.take();

    receive(relay, A, published(1, 1, "x"));
    receive(relay, A, published(2, 8, "y"));
    receive(relay, A, new Gap(stream(C), Position.START, new Position(2, 0), 1));

    assertThat(effects.take())
        .containsExactly(
            "send to b: a1.0 'x' last",
            "deliver to s1: a1.0 'x' last",
            "send to b: a2.0 'y' last",
            "deliver to s1: a2.0 'y' last",
            "send to b: gap 1.0 to 2.0",
            "s1 missed c1 to 1");
  }

  private static Chunk published(long sequence, long treeVersion, String text) {
    return new Chunk(new MessageId(A, FIRST_START, sequence), 0, true, treeVersion, bytes(text));
  }

  @Test
  void a_subscriber_gets_a_gap_for_evictions_before_the_first_tree() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, THREE, effects);
    relay.streamOpened(A, 0);
    attach(relay, A);
    SubscriptionStart afterNothing = new SubscriptionStart.After(List.of());
    relay.subscribe(1, SubscribeOptions.defaults().withStart(afterNothing));
    for (int i = 1; i <= 5; i++) {
      receive(relay, A, message(A, i, "1234"));
    }
    effects.take();

    relay.treeCommitted(star(A));

    assertThat(effects.take())
        .containsExactly(
            "s1 missed a1 to 2",
            "deliver to s1: a3.0 '1234' last",
            "deliver to s1: a4.0 '1234' last",
            "deliver to s1: a5.0 '1234' last");
  }
}
