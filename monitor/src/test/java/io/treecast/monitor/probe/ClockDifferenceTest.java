package io.treecast.monitor.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ClockDifferenceTest {
  private static final long SECOND = 1_000_000_000L;

  private final ClockDifference difference = new ClockDifference();

  @Test
  void nothing_is_known_before_the_first_sample() {
    assertThat(difference.errorNanos(5)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void the_other_clock_is_taken_to_have_been_read_halfway_and_may_have_been_at_either_end() {
    difference.sampled(1_000, 40, 120);

    assertThat(difference.aheadNanos()).isEqualTo(900);
    assertThat(difference.errorNanos(120)).isEqualTo(20 + 1);
  }

  @Test
  void a_quicker_answer_is_better_than_the_one_before() {
    difference.sampled(1_000, 40, 120);
    difference.sampled(1_055, 10, 160);

    assertThat(difference.aheadNanos()).isEqualTo(900);
    assertThat(difference.errorNanos(160)).isEqualTo(5 + 1);
  }

  @Test
  void a_slow_answer_counts_when_the_best_is_so_old_that_the_clocks_may_have_drifted() {
    difference.sampled(SECOND, 0, 0);
    difference.sampled(2 * SECOND + 7, 2_000_000, SECOND);
    assertThat(difference.aheadNanos()).isEqualTo(SECOND);
    assertThat(difference.errorNanos(SECOND)).isEqualTo(SECOND / ClockDifference.DRIFT_DIVISOR);

    difference.sampled(11 * SECOND + 7, 2_000_000, 10 * SECOND);
    assertThat(difference.aheadNanos()).isEqualTo(SECOND + 7 + 1_000_000);
    assertThat(difference.errorNanos(10 * SECOND)).isEqualTo(1_000_000 + 400);
  }

  @Test
  void the_truth_is_within_the_error_however_the_ways_are_slow_and_the_clocks_drift() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      ClockDifference estimated = new ClockDifference();
      long ahead = random.nextLong(-1_000 * SECOND, 1_000 * SECOND);
      // Parts in a million by which the other clock is faster, within what is allowed for.
      long driftPpm = random.nextInt(-200, 201);
      long now = random.nextLong(SECOND);
      for (int i = 0; i < 100; i++) {
        now += random.nextLong(20 * SECOND);
        long out = random.nextLong(SECOND / 5);
        long back = random.nextLong(SECOND / 5);
        long readAt = now + out;
        long other = readAt + ahead + drifted(readAt, driftPpm);
        now += out + back;
        estimated.sampled(other, out + back, now);

        long truth = ahead + drifted(now, driftPpm);
        assertThat(Math.abs(truth - estimated.aheadNanos()))
            .as("seed %s sample %s", seed, i)
            .isLessThanOrEqualTo(estimated.errorNanos(now));
      }
    }
  }

  private static long drifted(long nanos, long ppm) {
    return nanos / 1_000_000 * ppm;
  }
}
