package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.afterRestart;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.chunk;
import static io.treecast.collectives.broadcast.Examples.hearEnds;
import static io.treecast.collectives.broadcast.Examples.lastChunk;
import static io.treecast.collectives.broadcast.Examples.limits;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.position;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.log.Orphans;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages whose origin left before they were complete. */
class AbandonTest {
  private static final long LATER = 1_000 + Orphans.PATIENCE_NANOS;

  private final RecordingEffects effects = new RecordingEffects();

  @Test
  void the_message_in_progress_of_an_origin_outside_the_tree_is_abandoned_after_a_while()
      throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(C, 1, 0, "1234"));
    effects.take();

    relay.tick(1_000);
    assertThat(relay.nextDeadlineNanos()).isEqualTo(LATER);
    relay.tick(LATER - 1);
    assertThat(effects.take()).isEmpty();

    relay.tick(LATER);
    assertThat(effects.take()).containsExactly("s1 abandoned c1");
    assertThat(relay.counters().abandonedMessages()).isEqualTo(1);
    assertThat(relay.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void the_message_in_progress_of_a_member_is_not_abandoned() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(A, 1, 0, "1234"));

    relay.tick(1_000);

    assertThat(relay.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void the_message_in_progress_of_a_restarted_origin_is_abandoned() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(A, 1, 0, "1234"));
    receive(relay, A, afterRestart(A, 77, "x"));
    effects.take();

    relay.tick(1_000);
    relay.tick(LATER);

    assertThat(effects.take()).containsExactly("s1 abandoned a1");
  }

  @Test
  void an_earlier_incarnation_is_not_alive_because_it_is_heard_of_later() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, afterRestart(A, 77, "x"));
    receive(relay, A, chunk(A, 1, 0, "1234"));
    effects.take();

    relay.tick(1_000);
    relay.tick(LATER);

    assertThat(effects.take()).containsExactly("s1 abandoned a1");
  }

  @Test
  void a_message_is_waited_for_while_more_of_it_comes() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(C, 1, 0, "1234"));
    relay.tick(1_000);
    receive(relay, A, chunk(C, 1, 1, "5678"));
    relay.tick(LATER);
    effects.take();

    relay.tick(LATER + 1);
    assertThat(effects.take()).isEmpty();

    receive(relay, A, lastChunk(C, 1, 2, "9"));
    assertThat(relay.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_message_whose_rest_arrives_late_is_delivered_again_from_its_first_chunk()
      throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(C, 1, 0, "1234"));
    relay.tick(1_000);
    relay.tick(LATER);
    effects.take();

    receive(relay, B, lastChunk(C, 1, 1, "5"));
    receive(relay, B, message(C, 2, "x"));

    assertThat(effects.take())
        .containsExactly(
            "send to a: c1.1 '5' last",
            "deliver to s1: c1.0 '1234'",
            "deliver to s1: c1.1 '5' last",
            "send to a: c2.0 'x' last",
            "deliver to s1: c2.0 'x' last");
    assertThat(relay.counters().deliveredMessages()).isEqualTo(2);
  }

  @Test
  void the_beginning_of_an_abandoned_message_is_retained_though_all_others_have_all_of_it()
      throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.treeCommitted(new CommittedTree(2, A, star(A, B).edges()));
    hearEnds(relay, effects, 2, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(C, 1, 0, "1234"));
    relay.tick(1_000);
    relay.tick(LATER);
    relay.received(A, new Stable(2, List.of(position(C, 2, 0)), false, 0));
    effects.take();

    receive(relay, B, lastChunk(C, 1, 1, "5"));

    assertThat(effects.take())
        .contains("deliver to s1: c1.0 '1234'", "deliver to s1: c1.1 '5' last");
  }

  @Test
  void a_message_whose_beginning_was_evicted_is_missed() throws Exception {
    long cost = Chunk.cost(4);
    BroadcastRelay relay =
        relay(
            BroadcastLimits.builder()
                .chunkBytes(4)
                .payloadBytes(4)
                .publishBufferBytes(10 * cost)
                .logBytes(cost)
                .edgeWindowBytes(10 * cost)
                .subscriberWindowBytes(10 * cost)
                .subscribers(3)
                .topics(3)
                .origins(3)
                .build(),
            effects,
            A,
            B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(C, 1, 0, "1234"));
    relay.tick(1_000);
    relay.tick(LATER);
    consumeAll(relay);
    receive(relay, A, message(A, 1, "1234"));
    consumeAll(relay);
    effects.take();

    receive(relay, B, lastChunk(C, 1, 1, "5"));

    assertThat(effects.take()).contains("s1 missed c1 to 1");
  }

  @Test
  void a_subscriber_that_leaves_after_an_abandoned_message_has_not_got_it() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, asking(0, false));
    receive(relay, A, afterRestart(A, 77, "x"));
    relay.tick(1_000);
    relay.tick(LATER);
    assertThat(effects.take()).contains("s1 abandoned a1");

    relay.unsubscribe(1);
    receive(relay, B, asking(1, true));

    assertIsNotConfirmed(relay);
  }

  @Test
  void a_subscriber_that_leaves_before_the_second_delivery_has_not_got_the_message()
      throws Exception {
    BroadcastRelay relay = relay(limits(10, 1), effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, asking(0, false));
    receive(relay, A, afterRestart(A, 77, "x"));
    relay.tick(1_000);
    relay.tick(LATER);
    assertThat(effects.take()).contains("s1 abandoned a1");

    receive(relay, B, asking(1, true));
    relay.unsubscribe(1);

    assertIsNotConfirmed(relay);
  }

  @Test
  void a_subscriber_that_leaves_within_the_second_delivery_has_not_got_the_message()
      throws Exception {
    BroadcastRelay relay = relay(limits(10, 2), effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, asking(0, false));
    receive(relay, A, asking(1, false));
    receive(relay, A, afterRestart(A, 77, ""));
    relay.tick(1_000);
    relay.tick(LATER);
    relay.consumed(1, 2 * Chunk.cost(4));
    effects.take();
    receive(relay, B, asking(2, true));
    assertThat(effects.take()).contains("deliver to s1: a1.0 '1234'");

    relay.unsubscribe(1);

    assertIsNotConfirmed(relay);
  }

  @Test
  void a_subscriber_that_leaves_after_the_second_delivery_has_got_the_message() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, asking(0, false));
    receive(relay, A, afterRestart(A, 77, "x"));
    relay.tick(1_000);
    relay.tick(LATER);
    receive(relay, B, asking(1, true));
    relay.unsubscribe(1);

    relay.tick(2 * LATER);
    assertThat(effects.take()).contains("delivered to a: a1 by self<b");
  }

  /** Holds even after others had time to confirm it. */
  private void assertIsNotConfirmed(BroadcastRelay relay) {
    relay.tick(2 * LATER);
    assertThat(effects.take())
        .noneMatch(line -> line.startsWith("delivered") && !line.endsWith(" by never self"));
  }

  private static Chunk asking(int index, boolean last) {
    MessageId id = new MessageId(A, FIRST_START, 1);
    return new Chunk(id, index, last, 1, 0, bytes("1234"), 60_000, null, false);
  }

  private static void consumeAll(BroadcastRelay relay) {
    relay.consumed(1, Chunk.cost(4));
  }

  @Test
  void a_slow_subscriber_learns_of_the_abandonment_once_it_has_the_rest() throws Exception {
    BroadcastRelay relay = relay(limits(10, 1), effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(C, 1, 0, "1234"));
    receive(relay, A, chunk(C, 1, 1, "5678"));
    relay.tick(1_000);
    relay.tick(LATER);
    effects.take();

    relay.consumed(1, Chunk.cost(4));

    assertThat(effects.takeFlow())
        .contains("deliver to s1: c1.1 '5678'")
        .endsWith("s1 abandoned c1");
  }

  @Test
  void messages_of_other_streams_are_not_held_up() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(C, 1, 0, "1234"));
    effects.take();

    relay.publish(bytes("x"));

    assertThat(effects.take()).contains("deliver to s1: self1.0 'x' last");
  }
}
