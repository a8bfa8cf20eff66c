package io.treecast.monitor.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransferThroughputTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long CHUNK = 64 << 10;

  private final TransferThroughput transfer = new TransferThroughput();

  @Test
  void acknowledged_bytes_were_carried_since_the_stream_was_empty() {
    transfer.sent(10 * CHUNK, 0, SECOND);
    transfer.acknowledged(5 * CHUNK, SECOND + 50_000_000);
    assertThat(transfer.takeKbps()).isEqualTo(Throughput.kbps(5 * CHUNK, 50_000_000));
    assertThat(transfer.takeKbps()).as("told once").isZero();
  }

  @Test
  void the_time_in_which_nothing_is_under_way_does_not_count() {
    transfer.sent(8 * CHUNK, 0, 0);
    transfer.acknowledged(8 * CHUNK, 40_000_000);
    transfer.sent(8 * CHUNK, 0, 100 * SECOND);
    transfer.acknowledged(8 * CHUNK, 100 * SECOND + 20_000_000);
    assertThat(transfer.takeKbps()).isEqualTo(Throughput.kbps(8 * CHUNK, 20_000_000));
  }

  @Test
  void little_and_short_transfers_show_nothing() {
    transfer.sent(3 * CHUNK, 0, 0);
    transfer.acknowledged(3 * CHUNK, SECOND);
    transfer.sent(100 * CHUNK, 0, 2 * SECOND);
    transfer.acknowledged(100 * CHUNK, 2 * SECOND + 19_000_000);
    assertThat(transfer.takeKbps()).isZero();
  }

  @Test
  void credit_that_acknowledges_nothing_does_not_count() {
    transfer.acknowledged(1_000 * CHUNK, 0);
    transfer.sent(8 * CHUNK, 0, SECOND);
    transfer.acknowledged(1_000 * CHUNK, 2 * SECOND);
    assertThat(transfer.takeKbps()).isEqualTo(Throughput.kbps(8 * CHUNK, SECOND));
  }

  @Test
  void bytes_that_are_not_carried_show_nothing() {
    transfer.sent(40 * CHUNK, 30 * CHUNK, 0);
    transfer.acknowledged(40 * CHUNK, SECOND);
    assertThat(transfer.takeKbps()).isEqualTo(Throughput.kbps(10 * CHUNK, SECOND));

    transfer.sent(40 * CHUNK, 40 * CHUNK, 2 * SECOND);
    transfer.acknowledged(40 * CHUNK, 3 * SECOND);
    assertThat(transfer.takeKbps()).isZero();
  }

  @Test
  void bytes_under_way_at_the_end_of_a_stream_are_forgotten() {
    transfer.sent(100 * CHUNK, 0, 0);
    transfer.ended();
    transfer.acknowledged(100 * CHUNK, SECOND);
    assertThat(transfer.takeKbps()).isZero();
  }

  /** Acknowledgements that wait for a slow subscriber, and then come all at once. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void no_transfer_shows_more_than_the_link_carries(long seed) {
    Random random = new Random(seed);
    long beside = random.nextBoolean() ? 3 * CHUNK : 0;
    long kbps = 100_000;
    long chunkNanos = CHUNK * 8_000_000 / kbps;
    int window = 4 + random.nextInt(200);
    ArrayDeque<Long> arrivals = new ArrayDeque<>();
    long linkFree = 0;
    long now = 0;
    long best = 0;
    while (now < 100 * SECOND) {
      while (arrivals.size() < window) {
        transfer.sent(CHUNK + beside, beside, now);
        linkFree = Math.max(linkFree, now) + chunkNanos;
        arrivals.add(linkFree);
      }
      now +=
          random.nextInt(10) == 0 ? random.nextLong(2 * SECOND) : random.nextLong(chunkNanos * 3);
      while (!arrivals.isEmpty() && arrivals.peek() <= now) {
        transfer.acknowledged(CHUNK + beside, now);
        arrivals.remove();
      }
      best = Math.max(best, transfer.takeKbps());
    }
    assertThat(best).as("seed %d", seed).isBetween(kbps / 10, kbps);
  }
}
