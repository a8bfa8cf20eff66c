package io.treecast.collectives.broadcast.message;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.PLENTY;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.attach;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.grant;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.position;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.Examples;
import io.treecast.collectives.broadcast.RecordingEffects;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.edge.DataEdges;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Uploads take edges of their own. */
class ChannelTest {
  private static final long CHUNK_COST = Chunk.cost(4);
  private static final BroadcastLimits LIMITS =
      BroadcastLimits.builder()
          .chunkBytes(4)
          .payloadBytes(40)
          .publishBufferBytes(10 * CHUNK_COST)
          .logBytes(1_000 * CHUNK_COST)
          .edgeWindowBytes(2 * CHUNK_COST)
          .subscriberWindowBytes(10 * CHUNK_COST)
          .subscribers(3)
          .topics(3)
          .origins(3)
          .build()
          .withUploads(2, 20);

  private final RecordingEffects effects = new RecordingEffects();

  /** In a tree with A and B; uploads go to B only, and come from there. */
  private final BroadcastRelay relay = relay(LIMITS, effects, A, B);

  ChannelTest() {
    relay.uploadEdges(nodes(B), nodes(B));
    grant(relay, B, Channel.UPLOADS, PLENTY);
    attach(relay, B, Channel.UPLOADS);
    effects.take();
  }

  private static StreamId lane(String topic) {
    return new StreamId(A, FIRST_START, topic, 1);
  }

  private static Chunk piece(String topic, int index, String text) {
    return new Chunk(new MessageId(lane(topic), 1), index, false, 1, bytes(text));
  }

  @Test
  void an_upload_goes_along_the_edges_of_uploads_and_a_message_along_the_others() throws Exception {
    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().add(7, bytes("abcd"));
    relay.uploads().end(7, null);
    assertThat(effects.takeFlow())
        .containsExactly(
            "send to b: self1.0 'abcd'", "took 1 of u7", "send to b: self1.1 '' last", "u7 ended");

    relay.publish(bytes("m"));
    assertThat(effects.takeFlow())
        .containsExactly("send to a: self1.0 'm' last", "send to b: self1.0 'm' last");
  }

  @Test
  void an_upload_on_a_topic_goes_where_the_topic_is_wanted() throws Exception {
    relay.received(A, new EdgeMessage.Interest(1, 1, List.of("t"), List.of(), false, true));
    effects.take();
    relay.uploads().begin(7, "t", 0);
    relay.uploads().add(7, bytes("abcd"));
    assertThat(effects.takeFlow()).contains("send to a: self1.0 'abcd'");
  }

  @Test
  void an_item_without_room_on_one_channel_keeps_none_waiting_on_the_other() throws Exception {
    BroadcastRelay stalled = new BroadcastRelay(SELF, FIRST_START, LIMITS, effects);
    stalled.treeCommitted(Examples.star(A));
    stalled.activeEdges(nodes(A));
    stalled.uploadEdges(nodes(A), nodes(A));
    stalled.streamOpened(A, 0);
    attach(stalled, A);
    attach(stalled, A, Channel.UPLOADS);
    stalled.uploads().begin(7, Topic.DEFAULT, 0);
    stalled.uploads().add(7, bytes("abcd"));
    stalled.publish(bytes("m"));
    assertThat(effects.take()).contains("grant a 520", "grant a of uploads 260");

    grant(stalled, A, PLENTY);
    assertThat(effects.takeFlow()).containsExactly("send to a: self1.0 'm' last");
    grant(stalled, A, Channel.UPLOADS, PLENTY);
    assertThat(effects.takeFlow()).containsExactly("send to a: self1.0 'abcd'");
  }

  @Test
  void each_channel_has_a_digest_of_its_streams() {
    receive(relay, B, piece(Topic.DEFAULT, 0, "abcd"));
    receive(relay, A, message(A, 1, "m"));
    effects.take();

    attach(relay, A, Channel.UPLOADS);
    assertThat(effects.take()).contains("digest to a of uploads: a1.1");
    attach(relay, A);
    assertThat(effects.take()).contains("digest to a: a2.0 self1.0");
  }

  @Test
  void a_digest_of_streams_of_the_other_channel_breaks_the_protocol() {
    attach(relay, A, Channel.UPLOADS, position(A, 2, 0));
    assertThat(effects.takeFlow()).last().asString().contains("violated by a", "UPLOADS");
  }

  @Test
  void an_upload_from_a_neighbour_that_has_attached_for_messages_only_breaks_the_protocol() {
    receive(relay, A, piece(Topic.DEFAULT, 0, "abcd"));
    assertThat(effects.takeFlow()).singleElement().asString().contains("violated by a");
  }

  @Test
  void a_stream_is_of_use_while_one_channel_is() {
    relay.activeEdges(nodes());
    Examples.detach(relay, B);
    Examples.detach(relay, A);
    assertThat(relay.isDetached(A)).isTrue();
    assertThat(relay.isDetached(B)).as("uploads go to it and come from it").isFalse();
    assertThat(relay.isPeerAttached(B)).isTrue();

    relay.uploadEdges(nodes(), nodes());
    relay.received(B, new EdgeMessage.Detach(Channel.UPLOADS));
    assertThat(relay.isDetached(B)).isTrue();
    assertThat(relay.isPeerAttached(B)).isFalse();
  }

  @Test
  void both_windows_end_with_the_stream() {
    receive(relay, B, piece(Topic.DEFAULT, 0, "abcd"));
    relay.streamClosed(B);
    relay.streamOpened(B, 0);
    assertThat(effects.take())
        .contains("grant b 520", "grant b of uploads 260", "attach to b of uploads");
  }

  @Test
  void one_chunk_of_uploads_is_granted_until_the_first_comes() {
    assertThat(effects.credits()).contains(uploads(CHUNK_COST));
    receive(relay, B, piece(Topic.DEFAULT, 0, "abcd"));
    assertThat(effects.credits())
        .filteredOn(credit -> credit.channel() == Channel.UPLOADS)
        .containsExactly(
            uploads(CHUNK_COST), uploads(CHUNK_COST), new Credit(Channel.UPLOADS, CHUNK_COST, 0));
  }

  /** Credit that makes the window larger. */
  private static Credit uploads(long bytes) {
    return new Credit(Channel.UPLOADS, bytes, bytes);
  }

  @Test
  void a_sender_without_uploads_returns_the_credit_beyond_one_chunk() throws Exception {
    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().add(7, bytes("abcd"));
    effects.take();
    relay.tick(1);
    assertThat(effects.take()).as("some was used").noneMatch(line -> line.startsWith("give back"));

    relay.tick(1 + DataEdges.UNUSED_NANOS);
    assertThat(effects.take()).contains("give back to b " + (PLENTY - 2 * CHUNK_COST));
    relay.tick(1 + 2 * DataEdges.UNUSED_NANOS);
    assertThat(effects.take()).noneMatch(line -> line.startsWith("give back"));
    relay.uploads().add(7, bytes("efgh"));
    relay.uploads().add(7, bytes("ijkl"));
    assertThat(effects.takeFlow())
        .filteredOn(line -> line.startsWith("send"))
        .containsExactly("send to b: self1.1 'efgh'");
  }

  @Test
  void returned_credit_is_for_others() {
    BroadcastLimits roomy =
        BroadcastLimits.builder()
            .chunkBytes(4)
            .payloadBytes(40)
            .publishBufferBytes(10 * CHUNK_COST)
            .logBytes(1_000 * CHUNK_COST)
            .edgeWindowBytes(4 * CHUNK_COST)
            .subscriberWindowBytes(CHUNK_COST)
            .subscribers(3)
            .topics(3)
            .origins(3)
            .build();
    long edgesBytes = 16 * CHUNK_COST;
    BroadcastLimits shared =
        roomy.withMemoryBytes(roomy.memoryBytes() - roomy.edgesBytes() + edgesBytes);
    BroadcastRelay full = Examples.relayOfUploads(shared, effects, A, B);
    receive(full, B, piece(Topic.DEFAULT, 0, "abcd"));
    receive(full, A, piece(Topic.DEFAULT, 1, "efgh"));
    effects.credits().clear();

    long bWindow = (edgesBytes - 9 * CHUNK_COST) / 2;
    long aWindow = (edgesBytes - 8 * CHUNK_COST - bWindow) / 2;
    full.received(B, new EdgeMessage.UnusedCredit(bWindow - CHUNK_COST));
    assertThat(effects.credits()).containsExactly(uploads(bWindow - aWindow));
  }

  @Test
  void returned_credit_is_granted_again_when_an_upload_comes() {
    receive(relay, B, piece(Topic.DEFAULT, 0, "abcd"));
    effects.credits().clear();
    relay.received(B, new EdgeMessage.UnusedCredit(CHUNK_COST));
    assertThat(effects.credits()).isEmpty();

    receive(relay, B, piece(Topic.DEFAULT, 1, "efgh"));
    assertThat(effects.credits())
        .filteredOn(credit -> credit.channel() == Channel.UPLOADS)
        .containsExactly(uploads(CHUNK_COST), new Credit(Channel.UPLOADS, CHUNK_COST, 0));
  }

  @Test
  void a_neighbour_that_returns_more_credit_than_it_has_breaks_the_protocol() {
    relay.received(B, new EdgeMessage.UnusedCredit(CHUNK_COST + 1));
    assertThat(effects.take())
        .anyMatch(line -> line.startsWith("violated by b: " + (CHUNK_COST + 1) + " bytes "));
  }

  @Test
  void credit_for_items_of_an_earlier_stream_is_part_of_the_window() throws Exception {
    BroadcastRelay slow = relay(Examples.limits(2, 1).withUploads(2, 20), effects, A);
    slow.subscribe(1, SubscribeOptions.defaults());
    for (int i = 1; i <= 3; i++) {
      receive(slow, A, message(A, i, "abcd"));
    }
    int before = effects.credits().size();
    slow.streamClosed(A);
    Examples.open(slow, A);
    slow.consumed(1, CHUNK_COST);
    slow.consumed(1, CHUNK_COST);

    assertThat(effects.credits().subList(before, effects.credits().size()))
        .allMatch(credit -> credit.bytes() == credit.windowBytes())
        .extracting(Credit::bytes)
        .containsExactly(CHUNK_COST, CHUNK_COST);
  }

  @Test
  void credit_for_items_passed_on_is_not_part_of_the_window() {
    receive(relay, A, message(A, 1, "abcd"));
    assertThat(effects.credits())
        .startsWith(new Credit(Channel.MESSAGES, 2 * CHUNK_COST, 2 * CHUNK_COST))
        .endsWith(new Credit(Channel.MESSAGES, CHUNK_COST, 0));
  }
}
