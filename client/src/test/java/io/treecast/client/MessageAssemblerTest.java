package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.Chunk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MessageAssemblerTest {
  private static final int OVERHEAD = MessageAssembler.CHUNK_OVERHEAD_BYTES;

  private static final int MAX_MESSAGE_BYTES = 100;

  private final RecordingReceiver receiver = new RecordingReceiver();
  private final MessageAssembler assembler =
      new MessageAssembler(10 + 3L * OVERHEAD, MAX_MESSAGE_BYTES, receiver);

  @Test
  void a_message_of_one_chunk_is_there_at_once() {
    assertThat(add("a", 1, 0, true, "x")).isEqualTo(message("a", 1, "x"));
  }

  @Test
  void an_empty_payload_is_a_message_too() {
    assertThat(add("a", 1, 0, true, "")).isEqualTo(message("a", 1, ""));
  }

  @Test
  void chunks_of_origins_may_interleave() {
    assertThat(add("a", 1, 0, false, "ab")).isNull();
    assertThat(add("b", 5, 0, false, "xy")).isNull();
    assertThat(add("a", 1, 1, true, "c")).isEqualTo(message("a", 1, "abc"));
    assertThat(add("b", 5, 1, true, "z")).isEqualTo(message("b", 5, "xyz"));
  }

  @Test
  void chunks_of_two_incarnations_of_an_origin_may_interleave() {
    assertThat(assembler.add(chunk("a", 1, 1, 0, false, "old"))).isNull();
    assertThat(assembler.add(chunk("a", 2, 1, 0, true, "new")))
        .isEqualTo(new Message(new MessageId("a", 2, 1), utf8("new")));
    assertThat(assembler.add(chunk("a", 1, 1, 1, true, "er")))
        .isEqualTo(new Message(new MessageId("a", 1, 1), utf8("older")));
  }

  @Test
  void a_message_beyond_the_limit_is_passed_on_chunk_by_chunk() {
    add("a", 1, 0, false, "12345");
    add("b", 1, 0, false, "1234");
    add("c", 1, 0, false, "1");
    assertThat(receiver.lines).isEmpty();

    add("d", 7, 0, false, "6");
    add("d", 7, 1, true, "78");

    assertThat(receiver.lines).containsExactly("no room for 7", "chunk 6", "chunk 78", "complete");
    assertThat(add("a", 1, 1, true, "678")).isEqualTo(message("a", 1, "12345678"));
  }

  @Test
  void a_message_that_outgrows_the_room_makes_room_for_others() {
    add("a", 3, 0, false, "12345");
    add("b", 1, 0, false, "1234");
    add("a", 3, 1, false, "67");

    assertThat(receiver.lines).containsExactly("no room for 3", "chunk 12345", "chunk 67");
    add("c", 1, 0, false, "123456");
    assertThat(receiver.lines).hasSize(3);
  }

  @Test
  void a_message_that_is_complete_needs_no_room() {
    add("a", 1, 0, false, "1234567890");
    assertThat(add("b", 1, 0, true, "x".repeat(100))).isEqualTo(message("b", 1, "x".repeat(100)));
    assertThat(receiver.lines).isEmpty();
  }

  @Test
  void a_large_message_is_passed_on_chunk_by_chunk_and_not_held() {
    MessageAssembler ofFive = new MessageAssembler(10 + 3L * OVERHEAD, 5, receiver);
    ofFive.add(chunk("a", 1, 1, 0, false, "123"));
    ofFive.add(chunk("a", 1, 1, 1, false, "45"));
    assertThat(receiver.lines).isEmpty();
    for (int index = 2; index < 100; index++) {
      assertThat(ofFive.add(chunk("a", 1, 1, index, false, "6"))).isNull();
    }
    assertThat(ofFive.add(chunk("a", 1, 1, 100, true, ""))).isNull();
    assertThat(receiver.lines).startsWith("large 1", "chunk 123", "chunk 45", "chunk 6");
    assertThat(receiver.lines).hasSize(103).endsWith("complete");
  }

  @Test
  void lanes_of_an_incarnation_may_interleave() {
    assertThat(assembler.add(onLane(1, 0, false, "ab"))).isNull();
    assertThat(assembler.add(onLane(2, 0, true, "x")))
        .isEqualTo(new Message(new MessageId("a", 1, "", 2, 1), utf8("x")));
    assertThat(assembler.add(onLane(1, 1, true, "c")))
        .isEqualTo(new Message(new MessageId("a", 1, "", 1, 1), utf8("abc")));
  }

  @Test
  void a_message_with_a_valid_checksum_is_delivered() {
    // CRC32C of "123456789", from RFC 3720.
    assertThat(assembler.add(withChecksum(chunk("a", 1, 1, 0, true, "123456789"), 0xe3069283)))
        .isEqualTo(new Message(new MessageId("a", 1, 1), utf8("123456789")));
  }

  @Test
  void a_message_whose_checksum_does_not_hold_fails_by_name() {
    assertThat(assembler.add(withChecksum(chunk("a", 1, 1, 0, true, "123456780"), 0xe3069283)))
        .isNull();
    assertThat(receiver.lines).containsExactly("failed 1 CHECKSUM_MISMATCH");
    assertThat(add("a", 2, 0, true, "x")).as("the next one").isNotNull();
  }

  @Test
  void a_large_message_whose_checksum_does_not_hold_fails_at_its_sink() {
    MessageAssembler ofFive = new MessageAssembler(10 + 3L * OVERHEAD, 5, receiver);
    ofFive.add(withChecksum(chunk("a", 1, 1, 0, true, "123456780"), 0xe3069283));
    assertThat(receiver.lines)
        .containsExactly(
            "large 1",
            "chunk 123456780",
            "sink failed CHECKSUM_MISMATCH",
            "failed 1 CHECKSUM_MISMATCH");
  }

  @Test
  void a_message_that_will_not_be_completed_fails() {
    add("a", 1, 0, false, "x");
    add("b", 5, 0, false, "y");
    assembler.drop(new MessageId("a", 42, 1), "it was given up");
    assembler.drop(new MessageId("a", 42, 1), "it was given up");
    assertThat(receiver.lines).containsExactly("failed 1 INCOMPLETE");
  }

  @Test
  void a_lost_connection_is_reported_only_to_sinks_because_messages_may_arrive_again() {
    MessageAssembler ofFive = new MessageAssembler(10 + 3L * OVERHEAD, 5, receiver);
    ofFive.add(chunk("a", 1, 1, 0, false, "1"));
    ofFive.add(chunk("b", 1, 1, 0, false, "123456"));
    ofFive.clear("the connection was lost");
    assertThat(receiver.lines).containsExactly("large 1", "chunk 123456", "sink failed INCOMPLETE");
  }

  @Test
  void a_lost_connection_is_reported_to_all_sinks_even_if_one_throws() {
    List<String> told = new ArrayList<>();
    MessageAssembler ofThrowing =
        new MessageAssembler(
            10,
            5,
            new MessageAssembler.Receiver() {
              @Override
              public PayloadSink large(MessageId id, MissedReason why) {
                return new PayloadSink() {
                  @Override
                  public void chunk(ByteBuffer bytes) {}

                  @Override
                  public void complete() {}

                  @Override
                  public void failed(TreecastException why) {
                    told.add(id.origin());
                    throw new IllegalStateException("thrown-by-" + told.get(0));
                  }
                };
              }

              @Override
              public void failed(MessageId id, TreecastException why) {}
            });
    ofThrowing.add(chunk("a", 1, 1, 0, false, "123456"));
    ofThrowing.add(chunk("b", 1, 1, 0, false, "123456"));

    assertThatThrownBy(() -> ofThrowing.clear("the connection was lost"))
        .hasMessage("thrown-by-" + told.get(0));

    assertThat(told).containsExactlyInAnyOrder("a", "b");
  }

  private static Chunk onLane(int lane, int index, boolean last, String payload) {
    Chunk chunk = chunk("a", 1, 1, index, last, payload);
    return chunk.toBuilder().setMessageId(chunk.getMessageId().toBuilder().setLane(lane)).build();
  }

  private static Chunk withChecksum(Chunk chunk, int crc32c) {
    return chunk.toBuilder().setCrc32C(crc32c).build();
  }

  @Test
  void a_finished_message_frees_its_room() {
    for (long sequence = 1; sequence <= 100; sequence++) {
      add("a", sequence, 0, false, "12345");
      assertThat(add("a", sequence, 1, true, "12345"))
          .isEqualTo(message("a", sequence, "1234512345"));
    }
  }

  @Test
  void clearing_drops_unfinished_messages_and_frees_their_room() {
    add("a", 1, 0, false, "1234567890");

    assembler.clear("lost");

    assertThat(add("b", 1, 0, false, "1234567890")).isNull();
    assertThat(add("a", 2, 0, true, "x")).isEqualTo(message("a", 2, "x"));
  }

  @Test
  void a_chunk_that_is_not_due_is_a_violation() {
    assertFails(() -> add("a", 3, 1, true, "x"), Reason.PROTOCOL_VIOLATION)
        .hasMessageContaining("a/000000000000002a/3");

    add("b", 1, 0, false, "x");
    assertFails(() -> add("b", 1, 2, true, "x"), Reason.PROTOCOL_VIOLATION)
        .hasMessageContaining("b/000000000000002a/1");
    assertFails(() -> add("b", 2, 0, true, "x"), Reason.PROTOCOL_VIOLATION)
        .hasMessageContaining("b/000000000000002a/2");
  }

  private @Nullable Message add(
      String origin, long sequence, int index, boolean last, String text) {
    return assembler.add(chunk(origin, 42, sequence, index, last, text));
  }

  private static Chunk chunk(
      String origin, long incarnation, long sequence, int index, boolean last, String text) {
    return Chunk.newBuilder()
        .setMessageId(
            io.treecast.proto.v1.MessageId.newBuilder()
                .setOrigin(origin)
                .setIncarnation(incarnation)
                .setSequence(sequence))
        .setIndex(index)
        .setLast(last)
        .setPayload(ByteString.copyFromUtf8(text))
        .build();
  }

  private static Message message(String origin, long sequence, String text) {
    return new Message(new MessageId(origin, 42, sequence), utf8(text));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ?> assertFails(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, Reason reason) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
