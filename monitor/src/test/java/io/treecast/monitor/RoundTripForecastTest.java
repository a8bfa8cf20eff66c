package io.treecast.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.monitor.forecast.ForecasterBank;
import io.treecast.monitor.forecast.SharedExperience;
import org.junit.jupiter.api.Test;

class RoundTripForecastTest {
  private static final long MILLI = 1_000_000;

  /** Every 2.5 s, from a second after 0 on. */
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
    assertThat(forecast.sampled(9_000, 3_499 * MILLI)).isFalse();
    assertThat(forecast.expectation().measuredMicros()).isEqualTo(10_000);
    assertThat(forecast.sampled(7_000, 3_500 * MILLI)).isTrue();
    assertThat(forecast.expectation().measuredMicros()).isEqualTo(7_000);
    assertThat(forecast.sampled(8_000, 5_999 * MILLI)).isFalse();
    assertThat(forecast.expectation().measurements()).isEqualTo(2);
    assertThat(forecast.expectation().errorMicros()).isEqualTo(3_000);
  }

  @Test
  void what_was_missed_is_not_made_up_for_and_the_rhythm_stays() {
    assertThat(forecast.sampled(10_000, 8_700 * MILLI)).isTrue();
    assertThat(forecast.sampled(10_000, 10_900 * MILLI)).isFalse();
    assertThat(forecast.sampled(10_000, 11_000 * MILLI)).isTrue();
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
    assertThat(forecast.sampled(micros, nowMillis * MILLI)).isTrue();
  }
}
