package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShortcutReceiverTest {
  private static final NodeId FAR = NodeId.of("far");

  private final RecordingEffects effects = new RecordingEffects().withAhead();

  @Test
  void a_published_message_may_go_ahead_after_it_was_sent_to_neighbours() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);

    relay.publish(Examples.bytes("x"));

    assertThat(effects.take())
        .containsExactly("send to a: self1.0 'x' last", "ahead: self1.0 'x' last");
  }

  @Test
  void forwarded_large_and_topic_messages_do_not_go_ahead() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);

    receive(relay, A, message(FAR, 1, "x"));
    relay.publish(Examples.bytes("larger than a chunk"));
    relay.publish("topic", Examples.bytes("y"), 0, null);

    assertThat(effects.take()).noneMatch(line -> line.startsWith("ahead"));
  }

  @Test
  void a_largest_message_goes_ahead_and_a_larger_one_does_not() {
    int most = ShortcutReceiver.MAX_PAYLOAD_BYTES;

    assertThat(ShortcutReceiver.isSmall(message(FAR, 1, "x".repeat(most)))).isTrue();
    assertThat(ShortcutReceiver.isSmall(message(FAR, 1, "x".repeat(most + 1)))).isFalse();
  }

  @Test
  void a_message_that_comes_ahead_is_passed_on_to_all_neighbours_and_delivered() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());

    relay.receivedByShortcut(FAR, message(FAR, 1, "x"));

    assertThat(effects.take())
        .containsExactly(
            "send to a: far1.0 'x' last",
            "send to b: far1.0 'x' last",
            "deliver to s1: far1.0 'x' last");
    assertThat(relay.counters().shortcutMessages()).isOne();
  }

  @Test
  void the_copy_that_comes_along_the_tree_afterwards_is_a_duplicate() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.receivedByShortcut(FAR, message(FAR, 1, "x"));
    effects.take();

    receive(relay, A, message(FAR, 1, "x"));

    assertThat(effects.take()).noneMatch(line -> line.startsWith("send"));
    assertThat(relay.counters().duplicateChunks()).isOne();
  }

  @Test
  void a_message_is_not_sent_back_to_the_neighbour_that_published_it() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);

    relay.receivedByShortcut(A, message(A, 1, "x"));

    assertThat(effects.take()).containsExactly("send to b: a1.0 'x' last");
  }

  @Test
  void a_copy_that_is_here_already_or_not_next_is_dropped() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    receive(relay, A, message(FAR, 1, "x"));
    effects.take();

    relay.receivedByShortcut(FAR, message(FAR, 1, "x"));
    relay.receivedByShortcut(FAR, message(FAR, 3, "z"));

    assertThat(effects.take()).isEmpty();
    assertThat(relay.counters().shortcutMessages()).isZero();
  }

  @Test
  void a_copy_that_would_wait_for_a_neighbour_is_dropped() {
    BroadcastRelay relay = new BroadcastRelay(SELF, Examples.FIRST_START, SMALL, effects);
    relay.treeCommitted(Examples.star(A, B));
    relay.activeEdges(Examples.nodes(A, B));
    Examples.open(relay, A);
    relay.streamOpened(B, 0);
    Examples.attach(relay, B);
    Examples.grant(relay, B, Chunk.cost(SMALL.chunkBytes()));
    receive(relay, A, message(A, 1, "x"));
    effects.take();

    relay.receivedByShortcut(FAR, message(FAR, 1, "y"));
    assertThat(effects.take()).isEmpty();

    Examples.grant(relay, B, Chunk.cost(SMALL.chunkBytes()));
    relay.receivedByShortcut(FAR, message(FAR, 1, "y"));
    assertThat(effects.take()).contains("send to b: far1.0 'y' last");
  }

  @Test
  void a_copy_that_would_wait_for_a_subscriber_is_dropped() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    for (int i = 1; i <= SMALL.subscriberWindowBytes() / Chunk.cost(1); i++) {
      receive(relay, A, message(A, i, "x"));
    }
    effects.take();

    relay.receivedByShortcut(FAR, message(FAR, 1, "y"));
    assertThat(effects.take()).isEmpty();

    relay.consumed(1, Chunk.cost(1));
    relay.receivedByShortcut(FAR, message(FAR, 1, "y"));
    assertThat(effects.take()).contains("deliver to s1: far1.0 'y' last");
  }

  @Test
  void a_sender_of_another_origins_message_breaks_the_protocol() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    relay.receivedByShortcut(FAR, message(A, 1, "x"));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by far: " + message(A, 1, "x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"topic", "chunk", "abandoned", "large"})
  void a_message_that_must_not_go_ahead_breaks_the_protocol(String what) {
    BroadcastRelay relay = relay(SMALL, effects, A);
    StreamId stream =
        what.equals("topic")
            ? new StreamId(FAR, Examples.FIRST_START, "topic", StreamId.WHOLE)
            : Examples.stream(FAR);
    ByteBuffer payload = ByteBuffer.allocate(what.equals("large") ? SMALL.chunkBytes() + 1 : 1);
    boolean isLast = !what.equals("chunk");
    Chunk chunk =
        new Chunk(
            new MessageId(stream, 1), 0, isLast, 1, 0, payload, 0, null, what.equals("abandoned"));

    relay.receivedByShortcut(FAR, chunk);

    assertThat(effects.take()).singleElement().asString().startsWith("violated by " + FAR + ": ");
  }
}
