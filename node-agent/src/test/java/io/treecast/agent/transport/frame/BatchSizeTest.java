package io.treecast.agent.transport.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.Chunk;
import org.junit.jupiter.api.Test;

/** A sender to which credit comes back. */
class BatchSizeTest {
  private static final long WINDOW = 8 << 20;
  private static final long MILLISECOND = 1_000_000;

  private final BatchSize size = new BatchSize();

  @Test
  void it_is_small_until_credit_has_come_back() {
    assertThat(size.bytes()).isEqualTo(BatchSize.LEAST_BYTES);

    size.credited(WINDOW, 5);
    assertThat(size.bytes()).isEqualTo(BatchSize.LEAST_BYTES);
  }

  @Test
  void it_is_what_is_carried_in_four_milliseconds() {
    size.credited(WINDOW, 0);
    size.credited(1_000_000, 20 * MILLISECOND);

    assertThat(size.bytes()).isEqualTo(200_000);
  }

  @Test
  void it_holds_four_usual_chunks_of_a_fast_stream_and_no_more() {
    size.credited(WINDOW, 0);
    size.credited(2 << 20, MILLISECOND);
    assertThat(size.bytes())
        .isEqualTo(BatchSize.MOST_BYTES)
        .isBetween(4 * Chunk.cost(65_536), 5 * 65_536L);

    size.credited(2 << 20, MILLISECOND);
    assertThat(size.bytes()).isEqualTo(BatchSize.MOST_BYTES);
  }

  @Test
  void a_slow_stream_and_a_pause_make_it_small_again() {
    size.credited(WINDOW, 0);
    size.credited(2 << 20, MILLISECOND);
    size.credited(2 << 20, 10_000 * MILLISECOND);

    assertThat(size.bytes()).isEqualTo(BatchSize.LEAST_BYTES);
  }
}
