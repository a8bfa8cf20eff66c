package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.PLENTY;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.attach;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.grant;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relayOfUploads;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.log.Orphans;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.publish.Uploads;
import io.treecast.collectives.broadcast.stability.Stability;
import io.treecast.ghs.NodeId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Payloads that come piece by piece. */
class UploadTest {
  private static final long CHUNK_COST = Chunk.cost(4);

  private final RecordingEffects effects = new RecordingEffects();

  /**
   * Chunks of four bytes, two uploads of up to 20 bytes, with the given number of chunks waiting.
   */
  private static BroadcastLimits limits(int waitingChunks) {
    return BroadcastLimits.builder()
        .chunkBytes(4)
        .payloadBytes(40)
        .publishBufferBytes(10 * CHUNK_COST)
        .logBytes(1_000 * CHUNK_COST)
        .edgeWindowBytes(waitingChunks * CHUNK_COST)
        .subscriberWindowBytes(10 * CHUNK_COST)
        .subscribers(3)
        .topics(3)
        .origins(3)
        .build()
        .withUploads(2, 20);
  }

  /** Returns a relay in a tree with A, which has granted nothing, so that all publications wait. */
  private BroadcastRelay stalled(int waitingChunks) {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, limits(waitingChunks), effects);
    relay.treeCommitted(star(A));
    relay.activeEdges(nodes(A));
    relay.uploadEdges(nodes(A), nodes(A));
    relay.streamOpened(A, 0);
    attach(relay, A);
    attach(relay, A, Channel.UPLOADS);
    effects.take();
    return relay;
  }

  private static MessageId upload(int lane, long sequence) {
    return new MessageId(lane(SELF, lane), sequence);
  }

  private static StreamId lane(NodeId origin, int lane) {
    return new StreamId(origin, FIRST_START, Topic.DEFAULT, lane);
  }

  private long nowNanos;

  @Test
  void an_upload_cannot_be_for_selected_members() {
    assertThatIllegalArgumentException().isThrownBy(() -> Uploads.checkTopic("to/a,b"));
    assertThatCode(() -> Uploads.checkTopic("t")).doesNotThrowAnyException();
  }

  @Test
  void pieces_leave_as_they_come_and_the_end_is_a_chunk_of_its_own_that_has_the_checksum()
      throws Exception {
    Uploads uploads = relayOfUploads(limits(10), effects, A).uploads();

    assertThat(uploads.begin(7, Topic.DEFAULT, 0)).isEqualTo(upload(1, 1));
    uploads.add(7, bytes("abcdef"));
    assertThat(effects.takeFlow())
        .containsExactly("send to a: self1.0 'abcd'", "send to a: self1.1 'ef'", "took 1 of u7");

    uploads.end(7, 0x1234);
    assertThat(effects.takeFlow()).containsExactly("send to a: self1.2 '' last", "u7 ended");
    assertThat(effects.sent())
        .extracting(Chunk::crc32c)
        .containsExactly(Chunk.NO_CHECKSUM, Chunk.NO_CHECKSUM, 0x1234L);
  }

  @Test
  void the_borrower_takes_half_of_the_log_beyond_its_share() throws Exception {
    BroadcastLimits limits =
        BroadcastLimits.builder()
            .chunkBytes(4)
            .payloadBytes(40)
            .publishBufferBytes(10 * CHUNK_COST)
            .logBytes(20 * CHUNK_COST)
            .edgeWindowBytes(100 * CHUNK_COST)
            .subscriberWindowBytes(10 * CHUNK_COST)
            .subscribers(3)
            .topics(3)
            .origins(3)
            .build()
            .withUploads(2, 1_000);
    BroadcastRelay relay = relayOfUploads(limits, effects, A, B);
    assertThat(relay.uploads().needLoan()).isFalse();

    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().add(7, bytes("x".repeat(4 * 30)));
    int sentTwice = 2 * 3; // To A and B, a third of half of the log.
    assertThat(effects.sent()).hasSize(sentTwice);
    assertThat(relay.uploads().needLoan()).isTrue();

    relay.uploads().borrow(true);
    assertThat(effects.sent()).hasSize(sentTwice + 2 * 10);

    relay.uploads().borrow(false);
    assertThat(effects.sent()).as("more, without the loan").hasSize(sentTwice + 2 * 10);
    assertThat(relay.uploads().needLoan()).as("it still uses more than its share").isTrue();
  }

  @Test
  void an_empty_payload_is_its_end() throws Exception {
    Uploads uploads = relayOfUploads(limits(10), effects, A).uploads();
    uploads.begin(7, Topic.DEFAULT, 0);
    uploads.end(7, null);
    assertThat(effects.takeFlow()).containsExactly("send to a: self1.0 '' last", "u7 ended");
  }

  @Test
  void pieces_without_room_wait_until_there_is_room() throws Exception {
    BroadcastRelay relay = stalled(2);
    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().add(7, bytes("aaaabbbb"));
    relay.uploads().add(7, bytes("cccc"));
    assertThat(effects.takeFlow()).containsExactly("took 1 of u7");
    assertThat(relay.counters().waitingBytes()).isEqualTo(2 * CHUNK_COST);
    assertThat(relay.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);

    grant(relay, A, PLENTY);
    grant(relay, A, Channel.UPLOADS, PLENTY);
    effects.take();
    assertThat(relay.nextDeadlineNanos()).as("due at once").isLessThanOrEqualTo(5);
    relay.tick(5);
    assertThat(effects.takeFlow()).startsWith("send to a: self1.2 'cccc'", "took 1 of u7");
  }

  @Test
  void a_message_that_is_published_whole_does_not_wait_for_an_upload() throws Exception {
    BroadcastRelay relay = stalled(1);
    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().add(7, bytes("aaaabbbb"));
    relay.publish(bytes("m"));
    grant(relay, A, PLENTY);
    assertThat(effects.takeFlow()).containsExactly("send to a: self1.0 'm' last");
  }

  @Test
  void uploads_take_turns() throws Exception {
    BroadcastRelay relay = stalled(1);
    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().begin(8, Topic.DEFAULT, 0);
    relay.uploads().add(7, bytes("aaaabbbbcccc"));
    relay.uploads().add(8, bytes("eeeeffffgggg"));
    grant(relay, A, PLENTY);
    grant(relay, A, Channel.UPLOADS, PLENTY);
    relay.tick(1);
    assertThat(effects.sent())
        .extracting(chunk -> Examples.text(chunk.payload()))
        .containsExactly("aaaa", "bbbb", "eeee", "cccc", "ffff", "gggg");
  }

  @Test
  void uploads_leave_half_of_the_share_of_the_log_to_messages() throws Exception {
    // A share of 20 chunks of four bytes, of which a payload of 40 bytes takes ten.
    BroadcastLimits limits =
        BroadcastLimits.builder()
            .chunkBytes(4)
            .payloadBytes(40)
            .publishBufferBytes(1 << 20)
            .logBytes(40 * CHUNK_COST)
            .edgeWindowBytes(1 << 20)
            .subscriberWindowBytes(1 << 20)
            .subscribers(3)
            .topics(3)
            .origins(3)
            .build()
            .withUploads(2, 1 << 20);
    BroadcastRelay relay = relayOfUploads(limits, effects, A);
    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().add(7, bytes("x".repeat(200)));
    assertThat(effects.sent()).hasSize(10);

    relay.publish(bytes("y".repeat(40)));
    assertThat(effects.sent()).hasSize(20);
  }

  @Test
  void messages_that_wait_for_room_and_uploads_take_turns() throws Exception {
    BroadcastLimits limits =
        BroadcastLimits.builder()
            .chunkBytes(4)
            .payloadBytes(40)
            .publishBufferBytes(1 << 20)
            .logBytes(40 * CHUNK_COST)
            .edgeWindowBytes(1 << 20)
            .subscriberWindowBytes(1 << 20)
            .subscribers(3)
            .topics(3)
            .origins(3)
            .build()
            .withUploads(2, 1 << 20);
    BroadcastRelay relay = relayOfUploads(limits, effects, A);
    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().add(7, bytes("x".repeat(400)));
    assertThat(effects.sent()).hasSize(10);

    // A takes one chunk after the other; there is always a message that waits.
    Map<StreamId, StreamPosition> had = new LinkedHashMap<>();
    for (int i = 0; i < 80; i++) {
      if (i == 50) {
        relay.uploads().abandon(7);
      }
      while (relay.publisher().canPublish(4)) {
        relay.publish(bytes("yyyy"));
      }
      Chunk next = effects.sent().get(i);
      had.put(next.stream(), new StreamPosition(next.stream(), next.to()));
      relay.received(A, new EdgeMessage.Have(1, List.copyOf(had.values()), false, 0));
      relay.tick((i + 1) * Stability.INTERVAL_NANOS);
    }

    List<Boolean> ofUploads =
        effects.sent().stream().map(chunk -> chunk.stream().isOfUploads()).toList();
    for (int i = 12; i < 50; i++) {
      assertThat(ofUploads.get(i)).as("%d of %s", i, ofUploads).isNotEqualTo(ofUploads.get(i - 1));
    }
    assertThat(ofUploads.subList(70, 80)).as("when no upload waits").containsOnly(false);
  }

  @Test
  void the_part_of_an_upload_that_every_member_has_is_stable_before_its_end() throws Exception {
    BroadcastRelay relay = relayOfUploads(limits(10), effects, A);
    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().add(7, bytes("abcdef"));
    assertThat(relay.counters().retainedBytes()).isPositive();

    StreamPosition has = new StreamPosition(lane(SELF, 1), new Position(1, 2));
    relay.received(A, new EdgeMessage.Have(1, List.of(has), false, 0));
    relay.tick(Stability.INTERVAL_NANOS);
    assertThat(relay.counters().retainedBytes()).isZero();
  }

  @Test
  void an_upload_waits_for_a_member_that_only_another_member_knows_to_be_briefly_absent()
      throws Exception {
    BroadcastLimits limits =
        BroadcastLimits.builder()
            .chunkBytes(4)
            .payloadBytes(40)
            .publishBufferBytes(1 << 20)
            .logBytes(40 * CHUNK_COST)
            .edgeWindowBytes(1 << 20)
            .subscriberWindowBytes(1 << 20)
            .subscribers(3)
            .topics(3)
            .origins(3)
            .build()
            .withUploads(2, 1 << 20);
    BroadcastRelay relay = relayOfUploads(limits, effects, A);
    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().add(7, bytes("x".repeat(400)));

    long share = limits.uploadShareBytes(2) / CHUNK_COST;
    assertThat(effects.sent()).hasSize((int) share);

    assertThat(logged(relay, 4, 1)).as("the absent member may lack the share").isEqualTo(share);

    assertThat(logged(relay, 12, 0)).as("when it was away for long").isEqualTo(100);
  }

  /**
   * Logs all that fits, with A having everything, and knowing the given number of briefly absent
   * members.
   */
  private int logged(BroadcastRelay relay, int times, int brieflyAbsent) {
    for (int i = 0; i < times; i++) {
      StreamPosition has =
          new StreamPosition(lane(SELF, 1), new Position(1, effects.sent().size()));
      relay.received(A, new EdgeMessage.Have(1, List.of(has), true, brieflyAbsent));
      nowNanos += Stability.INTERVAL_NANOS;
      relay.tick(nowNanos);
      relay.tick(nowNanos);
    }
    return effects.sent().size();
  }

  @Test
  void an_abandoned_upload_ends_at_all_members() throws Exception {
    BroadcastRelay relay = relayOfUploads(limits(10), effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().add(7, bytes("ab"));
    effects.take();

    relay.uploads().abandon(7);
    assertThat(effects.takeFlow())
        .containsExactly("send to a: self1.1 '' abandoned", "s1 abandoned self1");
    assertThat(relay.counters().deliveredMessages()).isZero();
    assertThat(relay.counters().abandonedMessages()).isEqualTo(1);
    relay.consumed(1, Chunk.cost(2));
    assertThatIllegalArgumentException().isThrownBy(() -> relay.consumed(1, 1));
  }

  @Test
  void an_upload_that_is_abandoned_before_its_first_chunk_leaves_no_trace() throws Exception {
    BroadcastRelay relay = relayOfUploads(limits(10), effects, A);
    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().abandon(7);
    relay.uploads().abandon(7);
    assertThat(effects.takeFlow()).isEmpty();
    assertThat(relay.uploads().begin(8, Topic.DEFAULT, 0)).isEqualTo(upload(1, 1));
  }

  @Test
  void the_waiting_pieces_of_an_abandoned_upload_are_dropped() throws Exception {
    BroadcastRelay relay = stalled(1);
    relay.uploads().begin(7, Topic.DEFAULT, 0);
    relay.uploads().add(7, bytes("aaaabbbb"));
    relay.uploads().abandon(7);
    assertThat(relay.uploads().begin(8, Topic.DEFAULT, 0))
        .as("the lane is in use")
        .isEqualTo(upload(2, 1));
    grant(relay, A, PLENTY);
    grant(relay, A, Channel.UPLOADS, PLENTY);
    relay.tick(1);
    assertThat(effects.takeFlow())
        .containsExactly("send to a: self1.0 'aaaa'", "send to a: self1.1 '' abandoned");
    assertThat(relay.uploads().begin(9, Topic.DEFAULT, 0)).isEqualTo(upload(1, 2));
  }

  @Test
  void each_upload_has_a_lane_for_itself_and_leaves_it_to_the_next() throws Exception {
    Uploads uploads = relayOfUploads(limits(10), effects, A).uploads();
    assertThat(uploads.begin(7, Topic.DEFAULT, 0)).isEqualTo(upload(1, 1));
    assertThat(uploads.begin(8, Topic.DEFAULT, 0)).isEqualTo(upload(2, 1));
    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> uploads.begin(9, Topic.DEFAULT, 0))
        .withMessageContaining("limits.uploads = 2")
        .extracting(BroadcastRefusedException::reason)
        .isEqualTo(Reason.TOO_MANY_UPLOADS);

    uploads.end(7, null);
    assertThat(uploads.begin(9, Topic.DEFAULT, 0)).isEqualTo(upload(1, 2));
  }

  @Test
  void a_payload_beyond_the_limit_is_abandoned() throws Exception {
    Uploads uploads = relayOfUploads(limits(10), effects, A).uploads();
    uploads.begin(7, Topic.DEFAULT, 0);
    uploads.add(7, bytes("x".repeat(20)));
    effects.take();
    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> uploads.add(7, bytes("x")))
        .withMessageContaining("limits.uploadBytes = 20")
        .extracting(BroadcastRefusedException::reason)
        .isEqualTo(Reason.PAYLOAD_TOO_LARGE);
    assertThat(effects.takeFlow()).containsExactly("send to a: self1.5 '' abandoned");
    assertThatIllegalArgumentException().isThrownBy(() -> uploads.add(7, bytes("x")));
  }

  @Test
  void an_upload_needs_a_tree() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, limits(10), effects);
    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> relay.uploads().begin(7, Topic.DEFAULT, 0))
        .extracting(BroadcastRefusedException::reason)
        .isEqualTo(Reason.NO_TREE);
  }

  @Test
  void a_name_identifies_one_upload_at_a_time() throws Exception {
    Uploads uploads = relayOfUploads(limits(10), effects, A).uploads();
    uploads.begin(7, Topic.DEFAULT, 0);
    assertThatIllegalArgumentException().isThrownBy(() -> uploads.begin(7, Topic.DEFAULT, 0));
    uploads.end(7, null);
    assertThatIllegalArgumentException().isThrownBy(() -> uploads.end(7, null));
  }

  @Test
  void a_neighbour_that_sends_an_upload_of_this_member_broke_the_protocol() {
    BroadcastRelay relay = relayOfUploads(limits(10), effects, A, B);
    receive(relay, A, new Chunk(upload(2, 1), 0, true, 1, bytes("x")));
    assertThat(effects.takeFlow()).last().asString().startsWith("violated by a: ");

    StreamPosition claim = new StreamPosition(lane(SELF, 2), new Position(1, 1));
    attach(relay, B, Channel.UPLOADS, claim);
    assertThat(effects.takeFlow()).singleElement().asString().startsWith("violated by b: ");
  }

  @Test
  void lanes_of_one_start_do_not_make_each_other_orphans() throws Exception {
    BroadcastRelay relay = relayOfUploads(limits(10), effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, new Chunk(new MessageId(lane(A, 1), 1), 0, false, 1, bytes("x")));
    receive(relay, A, new Chunk(new MessageId(lane(A, 2), 1), 0, false, 1, bytes("y")));
    relay.tick(0);
    relay.tick(Orphans.PATIENCE_NANOS);
    assertThat(effects.takeFlow()).noneMatch(line -> line.contains("abandoned"));
  }
}
