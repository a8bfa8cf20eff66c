package io.treecast.agent.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.treecast.agent.runtime.server.UnreadAnswers;
import io.treecast.proto.v1.AbandonedMessage;
import io.treecast.proto.v1.Chunk;
import io.treecast.proto.v1.MessageId;
import io.treecast.proto.v1.MissedMessages;
import io.treecast.proto.v1.MissedReason;
import io.treecast.proto.v1.SubscriptionEvent;
import org.junit.jupiter.api.Test;

/** The events of a subscription over HTTP, from the chunks of messages of several origins. */
class MessageEventsTest {
  private static final String FIRST_OF_A = "a/0000000000000001/1";
  private static final String FIRST_OF_B = "b/0000000000000001/1";

  /** For three unfinished chunks of a few bytes. */
  private final UnreadAnswers room = new UnreadAnswers(900);

  private final MessageEvents events = new MessageEvents(8, room);

  private static MessageId id(String origin) {
    return MessageId.newBuilder().setOrigin(origin).setIncarnation(1).setSequence(1).build();
  }

  private String chunk(String origin, int index, boolean last, String payload) {
    return text(
        SubscriptionEvent.newBuilder()
            .setChunk(
                Chunk.newBuilder()
                    .setMessageId(id(origin))
                    .setIndex(index)
                    .setLast(last)
                    .setPayload(ByteString.copyFromUtf8(payload))));
  }

  private String text(SubscriptionEvent.Builder event) {
    StringBuilder text = new StringBuilder();
    events.append(event.build(), text);
    return text.toString();
  }

  private static String missed(String id, String reason) {
    return "event: missed\ndata: {\"first\":\"%s\",\"last\":\"%s\",\"reason\":\"%s\"}\n\n"
        .formatted(id, id, reason);
  }

  @Test
  void chunks_of_several_origins_become_the_message_of_each() {
    assertThat(chunk("a", 0, false, "one ")).isEmpty();
    assertThat(chunk("b", 0, false, "two ")).isEmpty();
    assertThat(chunk("b", 1, true, ""))
        .isEqualTo("id: " + FIRST_OF_B + "\nevent: text\ndata: two \n\n");
  }

  @Test
  void a_message_of_several_chunks_counts_until_it_is_sent() {
    chunk("a", 0, false, "one ");
    chunk("a", 1, true, "two");

    assertThat(room.bytes()).isPositive();
    room.over(events.takeFinishedBytes());
    assertThat(room.bytes()).isZero();
  }

  @Test
  void a_message_without_room_counts_as_missed_and_frees_its_room() {
    chunk("a", 0, false, "x");
    chunk("b", 0, false, "x");
    chunk("b", 1, false, "x");
    chunk("b", 2, false, "x");
    assertThat(room.bytes()).isLessThan(300);

    assertThat(chunk("b", 3, true, "x")).isEqualTo(missed(FIRST_OF_B, "NO_ROOM"));
    assertThat(chunk("c", 0, true, "x")).endsWith("event: text\ndata: x\n\n");
  }

  @Test
  void a_message_that_is_too_large_counts_as_missed_and_frees_its_room() {
    chunk("a", 0, false, "12345");
    chunk("a", 1, false, "6789");
    assertThat(room.bytes()).isZero();

    assertThat(chunk("a", 2, true, "")).isEqualTo(missed(FIRST_OF_A, "TOO_LARGE"));
  }

  @Test
  void a_message_that_ends_without_its_last_chunk_frees_its_room() {
    chunk("a", 0, false, "x");
    chunk("b", 0, false, "x");

    assertThat(
            text(
                SubscriptionEvent.newBuilder()
                    .setAbandoned(AbandonedMessage.newBuilder().setMessageId(id("a")))))
        .isEqualTo(missed(FIRST_OF_A, "ABANDONED"));
    assertThat(
            text(
                SubscriptionEvent.newBuilder()
                    .setMissed(
                        MissedMessages.newBuilder()
                            .setOrigin("b")
                            .setIncarnation(1)
                            .setFirstSequence(1)
                            .setLastSequence(1)
                            .setReason(MissedReason.MISSED_REASON_NOT_RETAINED))))
        .isEqualTo(missed(FIRST_OF_B, "NOT_RETAINED"));
    assertThat(room.bytes()).isZero();
  }

  @Test
  void a_subscription_that_ends_frees_its_room() {
    chunk("a", 0, false, "x");
    events.release();

    assertThat(room.bytes()).isZero();
  }
}
