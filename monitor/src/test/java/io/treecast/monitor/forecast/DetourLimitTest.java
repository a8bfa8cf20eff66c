package io.treecast.monitor.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DetourLimitTest {
  private double detour = Double.POSITIVE_INFINITY;
  private final Forecaster alone = SlidingWindow.median(50);
  private final Forecaster within = new DetourLimit(SlidingWindow.median(50), () -> detour);

  private void add(double value) {
    alone.add(value);
    within.add(value);
  }

  @Test
  void a_single_sample_is_believed_up_to_twice_the_detour() {
    Random random = new Random(1);
    int kept = 0;
    for (int i = 0; i < 1_000; i++) {
      double sample = 100 * random.nextDouble();
      double least = 100 * random.nextDouble();
      Forecaster forecaster = new DetourLimit(new LastValue(), () -> least);
      forecaster.add(sample);
      assertThat(forecaster.forecast()).isEqualTo(sample > 2 * least ? 2 * least : sample);
      kept += sample > 2 * least ? 1 : 0;
    }
    assertThat(kept).isBetween(150, 350);
  }

  @Test
  void a_second_sample_is_believed_whatever_the_detour_is() {
    detour = 1;
    add(90);
    assertThat(within.forecast()).isEqualTo(2);
    add(100);
    assertThat(within.forecast()).isEqualTo(95);
    Random random = new Random(2);
    for (int i = 0; i < 100; i++) {
      add(100 * random.nextDouble());
      assertThat(within.forecast()).isEqualTo(alone.forecast());
    }
  }

  @Test
  void the_detour_known_at_the_time_of_the_forecast_counts() {
    add(90);
    assertThat(within.forecast()).isEqualTo(90);
    detour = 30;
    assertThat(within.forecast()).isEqualTo(60);
    detour = 50;
    assertThat(within.forecast()).isEqualTo(90);
  }

  @Test
  void the_speaker_is_the_other_method_unless_the_forecast_is_limited() {
    assertThat(within.name()).isEqualTo("sliding-median-50-detour");
    add(90);
    assertThat(within.creditedName()).isEqualTo("sliding-median-50");
    detour = 30;
    assertThat(within.creditedName()).isEqualTo("sliding-median-50-detour");
    add(90);
    assertThat(within.creditedName()).isEqualTo("sliding-median-50");
  }

  @Test
  void before_the_first_sample_there_is_no_forecast() {
    detour = 30;
    assertThatIllegalStateException().isThrownBy(within::forecast);
  }

  /** Some links settle at the detour after a slow start, others are permanently slow. */
  @Test
  void a_bank_learns_from_other_links_whether_the_detour_helps() {
    assertThat(youngAfterOthersThatTook(10)).isEqualTo(new Said(20, "lower-mean-3-detour"));
    assertThat(youngAfterOthersThatTook(90)).isEqualTo(new Said(90, "lower-mean-5"));
  }

  private record Said(double value, String forecaster) {}

  private static Said youngAfterOthersThatTook(double secondSample) {
    SharedExperience experience = new SharedExperience(2);
    for (int link = 0; link < 100; link++) {
      ForecasterBank other = ofTwo(experience);
      other.add(90);
      other.add(secondSample);
    }
    ForecasterBank young = ofTwo(experience);
    young.add(90);
    Forecast forecast = young.forecast();
    return new Said(forecast.value(), forecast.forecaster());
  }

  private static ForecasterBank ofTwo(SharedExperience experience) {
    return new ForecasterBank(
        List.of(new DetourLimit(SlidingWindow.lowerMean(3), () -> 10), SlidingWindow.lowerMean(5)),
        experience,
        new CommonShift());
  }
}
