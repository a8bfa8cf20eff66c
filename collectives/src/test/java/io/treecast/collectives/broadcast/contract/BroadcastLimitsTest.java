package io.treecast.collectives.broadcast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.broadcast.message.Chunk;
import org.junit.jupiter.api.Test;

class BroadcastLimitsTest {
  private static final long CHUNK_COST = 1_000 + Chunk.OVERHEAD_BYTES;

  @Test
  void defaults_are_as_documented() {
    BroadcastLimits limits = BroadcastLimits.defaults();

    assertThat(limits.chunkBytes()).isEqualTo(65_536);
    assertThat(limits.payloadBytes()).isEqualTo(4_194_304);
    assertThat(limits.publishBufferBytes()).isEqualTo(16_777_216);
    assertThat(limits.edgeWindowBytes()).isEqualTo(8_388_608);
    assertThat(limits.subscriberWindowBytes()).isEqualTo(1_048_576);
    assertThat(limits.subscribers()).isEqualTo(64);
    assertThat(limits.origins()).isEqualTo(65_536);
  }

  @Test
  void the_defaults_take256_mebibytes_in_all_and_leave_room_for_ten_edges() {
    BroadcastLimits limits = BroadcastLimits.defaults();

    assertThat(limits.memoryBytes()).isEqualTo(268_435_456);
    assertThat(limits.logBytes()).isEqualTo(67_108_864);
    assertThat(limits.retainedBytes()).isEqualTo(16_777_216);
    assertThat(limits.edgesBytes())
        .isEqualTo(90_177_536)
        .isGreaterThan(10 * limits.edgeWindowBytes());
  }

  @Test
  void sixty_four_mebibytes_work_too() {
    BroadcastLimits limits = BroadcastLimits.forMemory(67_108_864);

    assertThat(limits.payloadBytes()).isEqualTo(4_194_304);
    assertThat(limits.edgesBytes())
        .isEqualTo(20_938_752)
        .isGreaterThan(9 * limits.edgeWindowBytes());
  }

  @Test
  void a_memory_that_is_too_small_names_all_other_limits() {
    BroadcastLimits limits = BroadcastLimits.defaults();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> limits.withMemoryBytes(100_000_000))
        .withMessageContainingAll(
            "limits.memoryBytes is 100000000",
            "195035136 to 1099511627776",
            "limits.publishBufferBytes = 16777216",
            "limits.logBytes = 67108864",
            "limits.subscribers = 64",
            "limits.subscriberWindowBytes = 1048576",
            "limits.uploads = 8",
            "limits.edgeWindowBytes = 8388608");
  }

  @Test
  void the_loan_and_the_shares_beside_it_fit_in_the_log() {
    for (long memoryBytes : new long[] {1L << 26, 1L << 28, 1L << 32}) {
      BroadcastLimits limits = BroadcastLimits.forMemory(memoryBytes);
      for (int members = 1; members <= 1_000; members++) {
        long loanBytes = limits.uploadLoanBytes(members);
        long shareBytes = limits.uploadShareBytes(members);
        assertThat(loanBytes + members * shareBytes).isLessThanOrEqualTo(limits.logBytes());
      }
    }
  }

  @Test
  void there_is_a_loan_where_half_of_the_log_holds_no_largest_payload_of_each_member() {
    BroadcastLimits limits = BroadcastLimits.defaults();

    assertThat(limits.uploadLoanBytes(7)).isZero();
    assertThat(limits.uploadLoanBytes(8)).isEqualTo(limits.logBytes() / 2);
  }

  @Test
  void the_log_bounds_the_retained_bytes() {
    BroadcastLimits limits = BroadcastLimits.defaults();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> limits.withRetainedBytes(67_108_865))
        .withMessageContainingAll(
            "limits.retainedBytes is 67108865", "0 to 67108864", "limits.logBytes");
  }

  @Test
  void a_window_may_hold_just_one_chunk_and_the_buffer_and_the_log_just_one_payload() {
    assertThatCode(
            () ->
                BroadcastLimits.builder()
                    .chunkBytes(1_000)
                    .payloadBytes(2_001)
                    .publishBufferBytes(2_001 + 3 * 256)
                    .logBytes(2_001 + 3 * 256)
                    .edgeWindowBytes(CHUNK_COST)
                    .subscriberWindowBytes(CHUNK_COST)
                    .subscribers(1)
                    .topics(1)
                    .origins(1)
                    .build())
        .doesNotThrowAnyException();
  }

  @Test
  void a_window_too_small_for_a_chunk_is_named() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                BroadcastLimits.builder()
                    .chunkBytes(1_000)
                    .payloadBytes(2_000)
                    .publishBufferBytes(10_000)
                    .logBytes(10_000)
                    .edgeWindowBytes(CHUNK_COST - 1)
                    .subscriberWindowBytes(CHUNK_COST)
                    .subscribers(1)
                    .topics(1)
                    .origins(1)
                    .build())
        .withMessageContainingAll(
            "limits.edgeWindowBytes is 1255", "1256 to 1099511627776", "limits.chunkBytes = 1000");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                BroadcastLimits.builder()
                    .chunkBytes(1_000)
                    .payloadBytes(2_000)
                    .publishBufferBytes(10_000)
                    .logBytes(10_000)
                    .edgeWindowBytes(CHUNK_COST)
                    .subscriberWindowBytes(CHUNK_COST - 1)
                    .subscribers(1)
                    .topics(1)
                    .origins(1)
                    .build())
        .withMessageStartingWith("limits.subscriberWindowBytes is 1255; allowed are 1256 to");
  }

  @Test
  void a_publish_buffer_too_small_for_a_payload_is_named() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                BroadcastLimits.builder()
                    .chunkBytes(1_000)
                    .payloadBytes(2_001)
                    .publishBufferBytes(2_001 + 3 * 256 - 1)
                    .logBytes(10_000)
                    .edgeWindowBytes(CHUNK_COST)
                    .subscriberWindowBytes(CHUNK_COST)
                    .subscribers(1)
                    .topics(1)
                    .origins(1)
                    .build())
        .withMessageContainingAll(
            "limits.publishBufferBytes is 2768",
            "2769 to 1099511627776",
            "limits.payloadBytes = 2001");
  }

  @Test
  void a_log_too_small_for_a_payload_is_named() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                BroadcastLimits.builder()
                    .chunkBytes(1_000)
                    .payloadBytes(2_001)
                    .publishBufferBytes(10_000)
                    .logBytes(2_001 + 3 * 256 - 1)
                    .edgeWindowBytes(CHUNK_COST)
                    .subscriberWindowBytes(CHUNK_COST)
                    .subscribers(1)
                    .topics(1)
                    .origins(1)
                    .build())
        .withMessageContainingAll(
            "limits.logBytes is 2768", "2769 to 1099511627776", "limits.payloadBytes = 2001");
  }

  @Test
  void every_other_limit_is_checked_too() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                BroadcastLimits.builder()
                    .chunkBytes(0)
                    .payloadBytes(1)
                    .publishBufferBytes(1_000)
                    .logBytes(1_000)
                    .edgeWindowBytes(1_000)
                    .subscriberWindowBytes(1_000)
                    .subscribers(1)
                    .topics(1)
                    .origins(1)
                    .build())
        .withMessage("limits.chunkBytes is 0; allowed are 1 to 1048576");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                BroadcastLimits.builder()
                    .chunkBytes(1)
                    .payloadBytes(0)
                    .publishBufferBytes(1_000)
                    .logBytes(1_000)
                    .edgeWindowBytes(1_000)
                    .subscriberWindowBytes(1_000)
                    .subscribers(1)
                    .topics(1)
                    .origins(1)
                    .build())
        .withMessage("limits.payloadBytes is 0; allowed are 1 to 1073741824");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                BroadcastLimits.builder()
                    .chunkBytes(1)
                    .payloadBytes(1)
                    .publishBufferBytes(1_000)
                    .logBytes(1_000)
                    .edgeWindowBytes(1_000)
                    .subscriberWindowBytes(1_000)
                    .subscribers(0)
                    .topics(1)
                    .origins(1)
                    .build())
        .withMessage("limits.subscribers is 0; allowed are 1 to 16777216");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                BroadcastLimits.builder()
                    .chunkBytes(1)
                    .payloadBytes(1)
                    .publishBufferBytes(1_000)
                    .logBytes(1_000)
                    .edgeWindowBytes(1_000)
                    .subscriberWindowBytes(1_000)
                    .subscribers(1)
                    .topics(1)
                    .origins(0)
                    .build())
        .withMessage("limits.origins is 0; allowed are 1 to 16777216");
  }
}
