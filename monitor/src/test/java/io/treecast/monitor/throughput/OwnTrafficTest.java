package io.treecast.monitor.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Times are milliseconds of a clock whose origin is far before 0. */
class OwnTrafficTest {
  private static final long ORIGIN_MILLIS = -1_000_000_000L;
  private static final long KBPS = 50_000;

  /** The bytes that a link of that rate carries in a millisecond. */
  private static final long BYTES_A_MILLI = KBPS / 8;

  private final OwnTraffic traffic = new OwnTraffic();

  private static long nanos(long millis) {
    return (ORIGIN_MILLIS + millis) * 1_000_000;
  }

  /** Carries the given percentage of the link's rate, every 10 ms. */
  private void carry(long fromMillis, long toMillis, int percent) {
    for (long millis = fromMillis; millis < toMillis; millis += 10) {
      traffic.carried(10 * BYTES_A_MILLI * percent / 100, nanos(millis));
    }
  }

  private long mostDelayMillis(long atMillis) {
    return traffic.mostDelayMicros(KBPS, nanos(atMillis)) / 1_000;
  }

  @Test
  void nothing_explains_nothing() {
    assertThat(mostDelayMillis(0)).isZero();
    assertThat(mostDelayMillis(60_000)).isZero();
    assertThat(traffic.mostDelayMicros(0, nanos(60_000))).isZero();
  }

  @Test
  void bulk_explains_a_delay_of_the_time_that_the_link_takes_for_it() {
    carry(0, 1_000, 100);
    assertThat(mostDelayMillis(1_000)).isEqualTo(1_000);
    carry(1_000, 10_000, 60);
    assertThat(mostDelayMillis(10_000)).isBetween(2_500L * 60 / 100, 5_000L * 60 / 100);
  }

  @Test
  void traffic_that_makes_no_queue_explains_nothing() {
    carry(0, 20_000, 24);
    assertThat(mostDelayMillis(20_000)).isZero();
    carry(20_000, 40_000, 26);
    assertThat(mostDelayMillis(40_000)).isPositive();
  }

  @Test
  void a_single_message_explains_nothing() {
    traffic.carried(64 << 10, nanos(0));
    assertThat(mostDelayMillis(1)).isZero();
    assertThat(traffic.mostDelayMicros(0, nanos(1))).isZero();
  }

  @Test
  void traffic_that_ended_long_ago_explains_nothing() {
    carry(0, 10_000, 100);
    assertThat(mostDelayMillis(12_000)).isPositive();
    assertThat(mostDelayMillis(15_000)).isZero();
    assertThat(mostDelayMillis(3_600_000)).isZero();
  }

  @Test
  void any_bulk_may_fill_a_link_of_unknown_throughput() {
    carry(0, 100, 100);
    assertThat(traffic.mostDelayMicros(0, nanos(100)))
        .isEqualTo(OwnTraffic.SPAN_NANOS / 1_000)
        .isPositive();
  }
}
