package io.treecast.collectives.broadcast.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.broadcast.Examples;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ChunkTest {
  private static final MessageId ID = new MessageId(Examples.A, 0x1f, 4);

  @Test
  void a_chunk_counts_its_payload_and_a_fixed_overhead() {
    Chunk chunk = new Chunk(ID, 0, true, 1, ByteBuffer.allocate(100));

    assertThat(chunk.bytes()).isEqualTo(100);
    assertThat(chunk.cost()).isEqualTo(356).isEqualTo(Chunk.cost(100));
  }

  @Test
  void an_empty_chunk_counts_something() {
    assertThat(new Chunk(ID, 0, true, 1, ByteBuffer.allocate(0)).cost()).isEqualTo(256);
  }

  @Test
  void the_payload_is_a_view_and_not_copied() {
    ByteBuffer memory = ByteBuffer.allocate(1);
    Chunk chunk = new Chunk(ID, 0, true, 1, memory);
    memory.put(0, (byte) 7);

    assertThat(chunk.payload().array()).isSameAs(memory.array());
    assertThat(chunk.payload().get(0)).isEqualTo((byte) 7);
  }

  @Test
  void the_text_names_message_index_and_size() {
    assertThat(new Chunk(ID, 2, true, 1, ByteBuffer.allocate(24)))
        .hasToString("a/000000000000001f/4 chunk 2 (last, 24 bytes)");
    assertThat(new Chunk(ID, 0, false, 1, ByteBuffer.allocate(24)))
        .hasToString("a/000000000000001f/4 chunk 0 (24 bytes)");
  }

  @Test
  void a_negative_index_and_a_sequence_below_one_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Chunk(ID, -1, true, 1, ByteBuffer.allocate(0)))
        .withMessage("chunk index -1 is negative");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MessageId(Examples.A, 1, 0))
        .withMessage("message sequence 0; allowed are 1 to 9223372036854775806");
  }
}
