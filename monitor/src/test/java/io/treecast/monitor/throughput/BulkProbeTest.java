package io.treecast.monitor.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends of a bulk probe, over a link of known throughput. */
class BulkProbeTest {
  private static final int BYTES = BulkProbe.PIECE_BYTES;

  private final BulkProbe probe = new BulkProbe();
  private final BulkTrain train = new BulkTrain();
  private long nowNanos = 5;

  /** Sends the next train over a link that takes the given time for each piece. */
  private OptionalLong send(long pieceNanos) {
    for (int following = probe.nextTrain() - 1; following >= 0; following--) {
      nowNanos += pieceNanos;
      assertThat(train.isNext(following, BYTES)).isTrue();
      assertThat(train.arrived(following, nowNanos)).isEqualTo(following == 0);
    }
    nowNanos += 1_000_000_000; // The way back, and the start of the next train.
    return probe.timed(train.bytes(), train.nanos());
  }

  private long measured(long kbps) {
    long pieceNanos = BYTES * 8_000_000L / kbps;
    OptionalLong result = send(pieceNanos);
    while (result.isEmpty()) {
      result = send(pieceNanos);
    }
    return result.getAsLong();
  }

  @ParameterizedTest
  @ValueSource(longs = {56, 1_000, 10_000, 100_000, 1_000_000, 10_000_000})
  void a_probe_measures_the_throughput_whatever_the_round_trip(long kbps) {
    assertThat((double) measured(kbps)).isBetween(kbps * 0.999, kbps * 1.001);
  }

  @Test
  void a_slow_link_is_measured_with_little() {
    measured(1_000);
    assertThat(probe.sentBytes()).isEqualTo(4 * BYTES);
  }

  @Test
  void trains_double_until_their_second_half_takes_long_enough() {
    measured(100_000);
    assertThat(probe.sentBytes()).isEqualTo((4 + 8 + 16 + 32) * BYTES);
  }

  @Test
  void a_link_too_fast_to_measure_costs_no_more_than_the_limit() {
    assertThat(measured(Throughput.MAX_KBPS)).isPositive();
    assertThat(probe.sentBytes()).isEqualTo(124 * BYTES).isLessThan(BulkProbe.MAX_BYTES);
  }

  @Test
  void a_train_that_takes_no_time_measures_the_greatest_throughput() {
    for (int trains = 0; trains < 4; trains++) {
      assertThat(send(0)).isEmpty();
    }
    assertThat(send(0)).hasValue(Throughput.MAX_KBPS);
  }

  @Test
  void the_first_half_of_a_train_does_not_count() {
    int pieces = probe.nextTrain();
    train.arrived(pieces - 1, 0);
    train.arrived(pieces - 2, 900_000_000);
    train.arrived(1, 910_000_000);
    assertThat(train.arrived(0, 920_000_000)).isTrue();
    assertThat(train.bytes()).isEqualTo(2 * BYTES);
    assertThat(train.nanos()).isEqualTo(20_000_000);
  }

  @Test
  void pieces_come_in_their_order_and_are_as_large_as_agreed() {
    assertThat(train.isNext(0, BYTES)).as("a train has two pieces at least").isFalse();
    assertThat(train.isNext(BulkProbe.MAX_PIECES, BYTES)).isFalse();
    assertThat(train.isNext(3, BYTES - 1)).isFalse();
    assertThat(train.isNext(3, BYTES)).isTrue();
    train.arrived(3, 0);
    assertThat(train.isNext(3, BYTES)).isFalse();
    assertThat(train.isNext(1, BYTES)).isFalse();
    assertThat(train.isNext(2, BYTES)).isTrue();
  }
}
