package io.treecast.monitor.weight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Weights of links without a tree, beside it, and as one of its edges. */
class SignificantWeightTest {
  private static final SignificancePolicy POLICY =
      SignificancePolicy.DEFAULT.withGrid(WeightGrid.EXACT);
  private static final long MEASUREMENT_MILLIS = 2_500;
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
  void a_step_up_or_down_is_announced_once() {
    SignificantWeight weight = new SignificantWeight(POLICY, 20_000);
    run(weight, DAY, now -> now < 10_000 ? 20_000 : 30_000);
    assertThat(announced).containsExactly("10000:30000");
    run(weight, DAY, now -> 20_000);
    assertThat(announced).containsExactly("10000:30000", "86400000:20000");
  }

  @Test
  void a_step_that_is_the_threshold_exactly_is_not_announced_and_one_more_is() {
    SignificantWeight weight = new SignificantWeight(POLICY, 20_000);
    run(weight, Duration.ofMinutes(1), now -> 24_000);
    run(weight, Duration.ofMinutes(1), now -> 16_000);
    assertThat(announced).isEmpty();
    run(weight, Duration.ofMinutes(1), now -> 24_001);
    assertThat(announced).containsExactly("120000:24001");
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
  void weights_lie_on_the_grid_and_a_change_within_a_step_does_not_count() {
    SignificantWeight weight =
        new SignificantWeight(
            new SignificancePolicy(0, 0, 0, 0, WeightGrid.DEFAULT, DampingPolicy.DEFAULT), 200);
    assertThat(weight.announcedMicros()).isEqualTo(500);
    run(weight, Duration.ofMinutes(1), now -> 740);
    assertThat(announced).isEmpty();
    run(weight, Duration.ofSeconds(1), now -> 1_100);
    assertThat(announced).containsExactly("60000:1000");
  }

  @Test
  void a_change_within_half_the_error_of_the_forecast_does_not_count() {
    SignificantWeight weight = new SignificantWeight(POLICY, 10_000);
    assertThat(weight.update(15_000, 10_000, LinkRole.NONE, 0, 1)).isEmpty();
    assertThat(weight.update(15_000, 9_999, LinkRole.NONE, 0, 2)).hasValue(15_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> weight.update(15_000, -1, LinkRole.NONE, 0, 3))
        .withMessageContaining("errorMicros is -1");
  }

  @Test
  void a_link_beside_the_tree_has_the_cost_of_a_change_on_top() {
    SignificantWeight weight = new SignificantWeight(POLICY, 90_000);
    assertThat(update(weight, 90_000, LinkRole.BESIDE)).isTrue();
    assertThat(weight.announcedMicros()).isEqualTo(180_000);
    assertThat(update(weight, 108_000, LinkRole.BESIDE)).isFalse();
    assertThat(update(weight, 108_001, LinkRole.BESIDE)).isTrue();
    assertThat(weight.announcedMicros()).isEqualTo(216_002);
  }

  @Test
  void a_link_that_saves_little_pays_for_a_change_in_time() {
    SignificantWeight weight = new SignificantWeight(POLICY, 100_000);
    // From the difference of 70 %, 20 % of the edge's 170 ms are insignificant: 36 % per
    // measurement,
    // of 100 times 100 %.
    assertThat(weight.measurementsToGo(100_000, 0, 170_000)).hasValue(278);
    int measurements = 0;
    while (weight.announcedMicros() != 100_000 || measurements == 0) {
      weight.update(100_000, 0, LinkRole.BESIDE, 170_000, ++measurements);
    }
    assertThat(measurements).isEqualTo(278);
    weight.update(100_000, 0, LinkRole.BESIDE, 170_000, ++measurements);
    assertThat(weight.announcedMicros()).as("while the edge is to go").isEqualTo(100_000);
    weight.update(100_000, 0, LinkRole.BESIDE, 99_000, ++measurements);
    assertThat(weight.announcedMicros())
        .as("once more on top, if another edge came in")
        .isEqualTo(200_000);
  }

  @Test
  void occasional_losses_of_a_link_must_be_saved_again() {
    SignificantWeight weight = new SignificantWeight(POLICY, 100_000);
    weight.update(100_000, 0, LinkRole.BESIDE, 170_000, 1);
    assertThat(weight.measurementsToGo(100_000, 0, 170_000)).hasValue(277);
    weight.update(100_000, 0, LinkRole.BESIDE, 100_000, 2);
    assertThat(weight.measurementsToGo(100_000, 0, 170_000)).hasValue(278);
    assertThat(weight.measurementsToGo(100_000, 0, 125_000)).isEmpty();
  }

  @Test
  void without_a_cost_of_a_change_nothing_has_to_be_paid() {
    SignificantWeight weight = new SignificantWeight(POLICY.withChangeCost(0), 200_000);
    assertThat(weight.update(100_000, 0, LinkRole.BESIDE, 170_000, 1)).hasValue(100_000);
  }

  @Test
  void an_edge_of_the_tree_weighs_its_forecast() {
    SignificantWeight weight = new SignificantWeight(POLICY, 90_000);
    update(weight, 90_000, LinkRole.BESIDE);
    assertThat(update(weight, 90_000, LinkRole.EDGE)).as("it has joined").isTrue();
    assertThat(weight.announcedMicros()).isEqualTo(90_000);
    assertThat(update(weight, 90_000, LinkRole.BESIDE)).as("it has left").isTrue();
    assertThat(weight.announcedMicros()).isEqualTo(180_000);
  }

  @Test
  void a_link_that_takes_the_place_of_an_edge_gets_no_surcharge_before_it_has_it() {
    SignificantWeight weight = new SignificantWeight(POLICY, 90_000);
    weight.announcedWithoutSurcharge();
    for (int i = 1; i <= 10; i++) {
      assertThat(weight.update(90_000, 0, LinkRole.BESIDE, 120_000, i))
          .as("the edge is to go")
          .isEmpty();
    }
    assertThat(weight.update(150_000, 0, LinkRole.BESIDE, 120_000, 11))
        .as("it is slower")
        .hasValue(150_000);
    assertThat(weight.update(150_000, 0, LinkRole.BESIDE, 120_000, 12))
        .as("the edge stays")
        .hasValue(300_000);
  }

  @Test
  void the_surcharge_is_at_least_the_floor_and_half_the_error() {
    SignificantWeight weight = new SignificantWeight(POLICY, 90_000);
    assertThat(weight.update(500, 0, LinkRole.BESIDE, 0, 1)).hasValue(1_500);
    assertThat(weight.update(10_000, 60_000, LinkRole.BESIDE, 0, 2)).hasValue(40_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 20_000, 90_000})
  void a_link_joins_below_one_forecast_and_an_edge_changes_above_another(long errorMicros) {
    SignificantWeight edge = new SignificantWeight(POLICY, 20_000);
    long most = edge.mostMicros(errorMicros);
    assertThat(edge.update(most, errorMicros, LinkRole.EDGE, 0, 1)).isEmpty();
    assertThat(edge.update(most + 1, errorMicros, LinkRole.EDGE, 0, 2)).hasValue(most + 1);

    long edgeMicros = 50_000;
    long least = POLICY.joinsBelowMicros(edgeMicros, errorMicros);
    assertThat(POLICY.surchargedMicros(least, errorMicros)).isGreaterThanOrEqualTo(edgeMicros);
    assertThat(POLICY.surchargedMicros(least - 1, errorMicros)).isLessThan(edgeMicros);
  }

  private boolean update(SignificantWeight weight, long forecastMicros, LinkRole linkRole) {
    nowMillis += MEASUREMENT_MILLIS;
    return weight.update(forecastMicros, 0, linkRole, 0, nowMillis * 1_000_000).isPresent();
  }

  private void run(SignificantWeight weight, Duration length, LongUnaryOperator microsAtMillis) {
    long endMillis = nowMillis + length.toMillis();
    for (; nowMillis < endMillis; nowMillis += MEASUREMENT_MILLIS) {
      weight
          .update(microsAtMillis.applyAsLong(nowMillis), 0, LinkRole.NONE, 0, nowMillis * 1_000_000)
          .ifPresent(micros -> announced.add(nowMillis + ":" + micros));
    }
  }
}
