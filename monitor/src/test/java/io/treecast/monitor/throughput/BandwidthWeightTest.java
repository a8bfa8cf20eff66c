package io.treecast.monitor.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BandwidthWeightTest {
  private static int first(long kbps) {
    return BandwidthWeight.step(BandwidthWeight.UNKNOWN, kbps);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 56, 1_000, 94_500, 1_000_000})
  void a_weight_contains_the_throughput_to_half_a_step(long kbps) {
    long weight = BandwidthWeight.of(first(kbps), 500);
    assertThat(BandwidthWeight.kbps(weight)).isCloseTo(kbps, Percentage.withPercentage(12.5));
  }

  @Test
  void links_faster_than_a_gigabit_per_second_are_not_distinguished() {
    assertThat(first(1)).isEqualTo(1);
    assertThat(first(1_000_000)).isEqualTo(BandwidthWeight.MAX_STEP);
    assertThat(first(Throughput.MAX_KBPS)).isEqualTo(BandwidthWeight.MAX_STEP);
  }

  @Test
  void the_faster_link_weighs_less_whatever_the_round_trips() {
    long fast = BandwidthWeight.of(first(100_000), 3_600_000_000L);
    long slow = BandwidthWeight.of(first(50_000), 1);
    assertThat(fast).isLessThan(slow);
  }

  @Test
  void the_nearer_of_two_equally_fast_links_weighs_less() {
    int step = first(100_000);
    assertThat(BandwidthWeight.of(step, 400)).isLessThan(BandwidthWeight.of(step, 500));
    assertThat(BandwidthWeight.of(BandwidthWeight.MAX_STEP, 1)).isPositive();
  }

  @Test
  void a_link_of_unknown_throughput_is_the_heaviest() {
    long unknown = BandwidthWeight.of(BandwidthWeight.UNKNOWN, 1);
    assertThat(unknown).isGreaterThan(BandwidthWeight.of(1, 3_600_000_000L));
    assertThat(BandwidthWeight.kbps(unknown)).isZero();
  }

  @Test
  void below_the_turning_point_a_link_becomes_heavier_and_not_above() {
    for (int step = BandwidthWeight.UNKNOWN; step <= BandwidthWeight.MAX_STEP; step++) {
      long turning = BandwidthWeight.heavierBelowKbps(step);
      assertThat(turning > 0).as("step %d", step).isEqualTo(step > 3);
      if (turning > 0) {
        assertThat(BandwidthWeight.step(step, turning)).isEqualTo(step);
        assertThat(BandwidthWeight.step(step, turning - 1)).as("step %d", step).isLessThan(step);
      }
    }
  }

  @Test
  void from_the_turning_point_on_a_link_becomes_lighter_than_another_and_not_below() {
    for (int step = BandwidthWeight.UNKNOWN; step <= BandwidthWeight.MAX_STEP; step++) {
      for (int other = step; other <= BandwidthWeight.MAX_STEP; other++) {
        becomesLighterAtTheTurningPoint(step, BandwidthWeight.of(other, 500));
      }
    }
  }

  private static void becomesLighterAtTheTurningPoint(int step, long other) {
    for (long rttMicros : new long[] {400, 600}) {
      long weight = BandwidthWeight.of(step, rttMicros);
      long turning = weight < other ? 0 : BandwidthWeight.lighterFromKbps(weight, other);
      long fastest = BandwidthWeight.step(step, Throughput.MAX_KBPS);
      if (turning > 0) {
        assertThat(weightAt(step, turning, rttMicros)).as("from %d", step).isLessThan(other);
        if (turning > 1) {
          assertThat(weightAt(step, turning - 1, rttMicros)).isGreaterThan(other);
        }
      } else if (weight > other) {
        assertThat(BandwidthWeight.of((int) fastest, rttMicros)).isGreaterThan(other);
      }
    }
  }

  /** Returns the weight of a link with an announced step, for a forecast. */
  private static long weightAt(int step, long kbps, long rttMicros) {
    return BandwidthWeight.of(BandwidthWeight.step(step, kbps), rttMicros);
  }

  @Test
  void a_throughput_that_varies_by_less_than_two_steps_stays_announced() {
    int step = first(100_000);
    assertThat(BandwidthWeight.step(step, 72_000)).isEqualTo(step);
    assertThat(BandwidthWeight.step(step, 150_000)).isEqualTo(step);
    assertThat(BandwidthWeight.step(step, 55_000)).isEqualTo(step - 3);
    assertThat(BandwidthWeight.step(step, 190_000)).isEqualTo(step + 2);
  }
}
