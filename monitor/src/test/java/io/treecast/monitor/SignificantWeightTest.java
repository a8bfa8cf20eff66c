package io.treecast.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignificantWeightTest {
  private static final SignificancePolicy POLICY =
      SignificancePolicy.DEFAULT.withGrid(WeightGrid.EXACT);
  private static final long SAMPLE_MILLIS = 500;
  private static final Duration DAY = Duration.ofDays(1);

  /** Announcements as {@code milliseconds:micros}. */
  private final List<String> announced = new ArrayList<>();

  private long nowMillis;

  @ParameterizedTest
  @ValueSource(longs = {1_000, 20_000, 700_000})
  void noise_of_15_percent_announces_nothing_in_a_day(long rttMicros) {
    SignificantWeight weight = new SignificantWeight(POLICY, rttMicros);
    Random random = new Random(15);
    run(weight, DAY, now -> (long) (rttMicros * (0.85 + 0.3 * random.nextDouble())));
    assertThat(announced).isEmpty();
    assertThat(weight.announcedMicros()).isEqualTo(rttMicros);
  }

  @Test
  void a_step_up_is_announced_once_after_the_dwell_time() {
    SignificantWeight weight = new SignificantWeight(POLICY, 20_000);
    run(weight, DAY, now -> now < 10_000 ? 20_000 : 30_000);
    assertThat(announced).containsExactly("12000:30000");
    assertThat(weight.announcedMicros()).isEqualTo(30_000);
  }

  @Test
  void a_step_down_is_announced_once_after_the_dwell_time() {
    SignificantWeight weight = new SignificantWeight(POLICY, 30_000);
    run(weight, DAY, now -> now < 10_000 ? 30_000 : 20_000);
    assertThat(announced).containsExactly("12000:20000");
  }

  @Test
  void a_step_that_is_the_threshold_exactly_is_not_announced_and_one_more_is() {
    SignificantWeight weight = new SignificantWeight(POLICY, 20_000);
    run(weight, Duration.ofMinutes(1), now -> 24_000);
    run(weight, Duration.ofMinutes(1), now -> 16_000);
    assertThat(announced).isEmpty();
    run(weight, Duration.ofMinutes(1), now -> 24_001);
    assertThat(announced).containsExactly("122000:24001");
  }

  @Test
  void spikes_shorter_than_the_dwell_time_are_never_announced() {
    SignificantWeight weight = new SignificantWeight(POLICY, 20_000);
    run(weight, DAY, now -> now % 5_000 < 2_000 ? 900_000 : 20_000);
    assertThat(announced).isEmpty();
  }

  @Test
  void an_estimate_that_jumps_between_both_sides_is_never_announced() {
    SignificantWeight weight = new SignificantWeight(POLICY, 20_000);
    run(weight, DAY, now -> now % 3_000 < 1_500 ? 40_000 : 10_000);
    assertThat(announced).isEmpty();
  }

  @Test
  void the_latest_estimate_is_announced_not_the_first_that_deviated() {
    SignificantWeight weight = new SignificantWeight(POLICY, 20_000);
    run(weight, Duration.ofSeconds(10), now -> 30_000 + now);
    assertThat(announced).startsWith("2000:32000");
  }

  @Test
  void a_slow_drift_is_announced_each_time_it_exceeds_the_threshold() {
    SignificantWeight weight = new SignificantWeight(POLICY, 100_000);
    // From 100 ms to 200 ms in an hour: past 120, 144 and 172.8 ms.
    run(weight, Duration.ofHours(1), now -> 100_000 + now * 100_000 / 3_600_000);
    assertThat(announced).hasSize(3);
    assertThat(announced.get(0)).endsWith(":120069");
    assertThat(weight.announcedMicros()).isBetween(172_800L, 173_100L);
  }

  @Test
  void a_link_of_200_microseconds_that_varies_below_the_floor_stays_put() {
    SignificantWeight weight = new SignificantWeight(POLICY, 200);
    Random random = new Random(7);
    run(weight, DAY, now -> 100 + random.nextInt(1_001));
    assertThat(announced).isEmpty();
    run(weight, Duration.ofMinutes(1), now -> 1_200);
    assertThat(announced).isEmpty();
    run(weight, Duration.ofMinutes(1), now -> 1_201);
    assertThat(announced).hasSize(1);
  }

  @Test
  void weights_lie_on_the_grid_and_a_change_within_a_step_is_none() {
    SignificancePolicy noThresholds =
        new SignificancePolicy(0, 0, Duration.ZERO, WeightGrid.DEFAULT);
    SignificantWeight weight = new SignificantWeight(noThresholds, 200);
    assertThat(weight.announcedMicros()).isEqualTo(500);
    run(weight, Duration.ofMinutes(1), now -> 740);
    assertThat(announced).isEmpty();
    run(weight, Duration.ofSeconds(1), now -> 1_100);
    assertThat(announced).containsExactly("60000:1000");
  }

  @Test
  void a_worsened_link_is_announced_within_five_seconds_of_its_first_slow_reply() {
    VirtualLink link = new VirtualLink(ProbePolicy.DEFAULT, Duration.ZERO, Duration.ofMillis(485));
    link.runUntil(Duration.ofMillis(10_100));
    SignificantWeight weight =
        new SignificantWeight(SignificancePolicy.DEFAULT, link.probe().rttMicros());
    link.setRtt(Duration.ofMillis(6_001));
    long firstSlowReplyMillis = 10_500 + 6_001;
    while (weight.announcedMicros() == 485_000) {
      nowMillis = link.nowNanos() / 1_000_000 + SAMPLE_MILLIS;
      link.runUntil(Duration.ofMillis(nowMillis));
      update(weight, link.probe().rttMicros());
    }
    assertThat(weight.announcedMicros()).isEqualTo(6_001_000);
    assertThat(nowMillis - firstSlowReplyMillis).isBetween(3_500L, 5_000L);
  }

  private void run(SignificantWeight weight, Duration length, LongUnaryOperator microsAtMillis) {
    long endMillis = nowMillis + length.toMillis();
    for (; nowMillis < endMillis; nowMillis += SAMPLE_MILLIS) {
      update(weight, microsAtMillis.applyAsLong(nowMillis));
    }
  }

  private void update(SignificantWeight weight, long estimateMicros) {
    weight
        .update(estimateMicros, nowMillis * 1_000_000)
        .ifPresent(micros -> announced.add(nowMillis + ":" + micros));
  }
}
