package io.treecast.monitor.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.monitor.forecast.ForecasterBank;
import io.treecast.monitor.forecast.SharedExperience;
import io.treecast.monitor.weight.Expectation;
import org.junit.jupiter.api.Test;

class RoundTripForecastTest {
  private static final long MILLI = 1_000_000;

  /** A measurement every 2.5 s, the first a second after 0. */
  private final RoundTripForecast forecast =
      new RoundTripForecast(
          ProbePolicy.DEFAULT, new ForecasterBank(new SharedExperience()), 10_000, 1_000 * MILLI);

  private long nowMillis = 1_000;

  @Test
  void the_first_measurement_is_the_first_forecast() {
    assertThat(forecast.expectation())
        .isEqualTo(new Expectation(10_000, 10_000, 0, "lower-mean-3", 0, 1));
  }

  @Test
  void a_measurement_is_taken_when_it_is_due() {
    assertThat(forecast.sampled(9_000, false, 3_499 * MILLI)).isFalse();
    assertThat(forecast.expectation().measuredMicros()).isEqualTo(10_000);
    assertThat(forecast.sampled(7_000, false, 3_500 * MILLI)).isTrue();
    assertThat(forecast.expectation().measuredMicros()).isEqualTo(7_000);
    assertThat(forecast.sampled(8_000, false, 5_999 * MILLI)).isFalse();
    assertThat(forecast.expectation().measurements()).isEqualTo(2);
    assertThat(forecast.expectation().errorMicros()).isEqualTo(3_000);
  }

  @Test
  void missed_measurements_are_not_made_up_for_and_the_rhythm_stays() {
    assertThat(forecast.sampled(10_000, false, 8_700 * MILLI)).isTrue();
    assertThat(forecast.sampled(10_000, false, 10_900 * MILLI)).isFalse();
    assertThat(forecast.sampled(10_000, false, 11_000 * MILLI)).isTrue();
  }

  @Test
  void one_slow_measurement_passes_and_two_are_believed() {
    for (int i = 0; i < 20; i++) {
      measure(10_000);
    }
    measure(90_000);
    assertThat(forecast.expectation().forecastMicros()).isEqualTo(10_000);
    measure(90_000);
    assertThat(forecast.expectation().forecastMicros()).isEqualTo(90_000);
  }

  private void measure(long micros) {
    nowMillis += 2_500;
    assertThat(forecast.sampled(micros, false, nowMillis * MILLI)).isTrue();
  }

  /** Takes a measurement while the agents' traffic explains a delay of 200 ms. */
  private boolean isExplained(long micros) {
    nowMillis += 2_500;
    long nowNanos = nowMillis * MILLI;
    boolean isExplained = forecast.isExplained(micros, 200_000, nowNanos);
    assertThat(forecast.sampled(micros, isExplained, nowNanos)).isTrue();
    return isExplained;
  }

  @Test
  void a_longer_round_trip_counts_as_a_measurement_unless_it_is_explained() {
    measure(10_000);
    assertThat(isExplained(90_000)).isTrue();
    assertThat(forecast.expectation().measuredMicros()).isEqualTo(10_000);
    assertThat(isExplained(210_001)).as("longer than what is sent explains").isFalse();
    assertThat(isExplained(10_500)).as("longer by a little").isTrue();
    assertThat(isExplained(2_000)).as("shorter").isFalse();
    assertThat(forecast.expectation().measuredMicros()).isEqualTo(2_000);
    assertThat(forecast.expectation().measurements()).isEqualTo(4);
  }

  @Test
  void where_nothing_is_sent_nothing_is_explained() {
    assertThat(forecast.isExplained(10_001, 0, 2_000 * MILLI)).isFalse();
  }

  @Test
  void explanations_hold_for_a_while_at_a_stretch() {
    measure(10_000);
    long stretch = RoundTripForecast.LONGEST_EXPLAINED_NANOS / MILLI / 2_500;
    for (int i = 0; i < stretch; i++) {
      assertThat(isExplained(90_000)).isTrue();
    }
    assertThat(isExplained(10_000)).as("as forecast").isFalse();
    for (int i = 0; i < stretch; i++) {
      assertThat(isExplained(90_000)).isTrue();
    }
    assertThat(isExplained(90_000)).isFalse();
    assertThat(isExplained(90_000)).isFalse();
    assertThat(forecast.expectation().forecastMicros()).as("believed").isEqualTo(90_000);
    assertThat(isExplained(90_000)).as("as forecast").isFalse();
    assertThat(isExplained(250_000)).as("explained again, from there on").isTrue();
  }
}
