package io.treecast.monitor.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ForecasterBankTest {

  @Test
  void noise_with_rare_spikes_is_forecast_by_a_median() {
    ForecasterBank bank = new ForecasterBank(new SharedExperience());
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      bank.add(random.nextInt(10) == 0 ? 900 : 20 + random.nextDouble());
    }
    assertThat(bank.forecast().forecaster()).contains("median");
    assertThat(bank.forecast().value()).isBetween(20.0, 21.0);
  }

  @Test
  void a_random_walk_is_forecast_by_a_method_that_follows_it_closely() {
    ForecasterBank bank = new ForecasterBank(new SharedExperience());
    Random random = new Random(4);
    double value = 1_000;
    for (int i = 0; i < 1_000; i++) {
      value += random.nextGaussian();
      bank.add(value);
    }
    assertThat(bank.forecast().forecaster()).isEqualTo("last-value");
  }

  @Test
  void errors_are_fading_means_over_the_forecasts_before_each_sample() {
    ForecasterBank bank = new ForecasterBank(List.of(new LastValue()));
    bank.add(10);
    bank.add(13);
    bank.add(12);
    double weight = 1 + ForecasterBank.RETENTION;
    double absolute = (3 * ForecasterBank.RETENTION + 1) / weight;
    assertThat(bank.forecast()).isEqualTo(new Forecast(12, "last-value", absolute, 3));
  }

  @Test
  void a_forecaster_that_was_right_for_long_loses_the_word_when_the_series_changes() {
    ForecasterBank bank = new ForecasterBank(List.of(SlidingWindow.median(50), new LastValue()));
    Random random = new Random(5);
    for (int i = 0; i < 5_000; i++) {
      bank.add(100 + random.nextGaussian());
    }
    assertThat(bank.forecast().forecaster()).isEqualTo("sliding-median-50");
    for (int i = 0; i < 20; i++) {
      bank.add(200);
    }
    assertThat(bank.forecast().forecaster()).isEqualTo("last-value");
  }

  @Test
  void a_link_without_history_begins_with_the_experience_of_its_agents_others() {
    SharedExperience experience = new SharedExperience(2);
    ForecasterBank old = ofTwo(experience, new CommonShift());
    for (int i = 0; i < 500; i++) {
      old.add(i);
    }
    ForecasterBank young = ofTwo(experience, new CommonShift());
    young.add(3);
    assertThat(young.forecast().forecaster()).isEqualTo("last-value");
    ForecasterBank alone = new ForecasterBank(List.of(SlidingWindow.median(50), new LastValue()));
    alone.add(3);
    assertThat(alone.forecast().forecaster()).isEqualTo("sliding-median-50");
  }

  @Test
  void the_forecaster_is_chosen_at_the_time_of_the_forecast() {
    SharedExperience experience = new SharedExperience(2);
    ForecasterBank young = ofTwo(experience, new CommonShift());
    young.add(3);
    assertThat(young.forecast().forecaster()).isEqualTo("sliding-median-50");
    ForecasterBank other = ofTwo(experience, new CommonShift());
    for (int i = 0; i < 500; i++) {
      other.add(i);
    }
    assertThat(young.forecast().forecaster()).isEqualTo("last-value");
  }

  @Test
  void one_series_that_went_wild_does_not_decide_for_the_others() {
    SharedExperience experience = new SharedExperience(2);
    experience.add(new double[] {1_000, 0}, 1_000, 1);
    for (int i = 0; i < 4; i++) {
      experience.add(new double[] {0, 1}, 1, 1);
    }
    assertThat(experience.relativeError(0)).isLessThan(experience.relativeError(1));
  }

  /** Returns a bank among others whose second sample exceeds the first by the given amount. */
  private static ForecasterBank amongOthersThatMovedBy(double more, double... samples) {
    SharedExperience experience = new SharedExperience(2);
    CommonShift commonShift = new CommonShift();
    ForecasterBank asked = ofTwo(experience, commonShift);
    for (double sample : samples) {
      asked.add(sample);
    }
    for (int i = 0; i < CommonShift.OTHERS; i++) {
      ForecasterBank other = ofTwo(experience, commonShift);
      other.add(1_000 * i + 500);
      other.add(1_000 * i + 500 + more);
    }
    return asked;
  }

  private static ForecasterBank ofTwo(SharedExperience experience, CommonShift commonShift) {
    return new ForecasterBank(
        List.of(SlidingWindow.median(50), new LastValue()), experience, commonShift);
  }

  @Test
  void a_common_shift_of_all_others_is_expected_of_this_series() {
    Forecast forecast = amongOthersThatMovedBy(30, 100).forecast();
    assertThat(forecast.value()).isEqualTo(130);
    assertThat(forecast.forecaster()).endsWith("+shift");
    assertThat(amongOthersThatMovedBy(-30, 100).forecast().value()).isEqualTo(70);
    assertThat(amongOthersThatMovedBy(0, 100).forecast().forecaster()).doesNotContain("shift");
  }

  @Test
  void a_series_is_shifted_by_its_forecast_error_at_most() {
    assertThat(amongOthersThatMovedBy(30, 100, 100, 100).forecast().value()).isEqualTo(100);
    ForecasterBank bank = amongOthersThatMovedBy(30, 100, 102, 100);
    Forecast forecast = bank.forecast();
    double own = 100; // Of the median and of the last value.
    assertThat(forecast.meanAbsoluteError()).isBetween(1.0, 2.0);
    assertThat(forecast.value() - own).isCloseTo(forecast.meanAbsoluteError(), within(1e-9));
  }

  @Test
  void a_common_shift_is_half_of_the_forecast_at_most() {
    assertThat(amongOthersThatMovedBy(-80, 100).forecast().value()).isEqualTo(50);
    assertThat(amongOthersThatMovedBy(80, 100).forecast().value()).isEqualTo(150);
  }

  @Test
  void the_forecast_of_a_bank_is_judged_with_the_shift() {
    ForecasterBank bank = amongOthersThatMovedBy(30, 100);
    bank.add(130);
    assertThat(bank.forecast().meanAbsoluteError()).isZero();
  }

  @Test
  void another_method_plugs_in_by_the_interface() {
    Forecaster oracle =
        new Forecaster() {
          private double latest;

          @Override
          public String name() {
            return "one-more";
          }

          @Override
          public void add(double value) {
            latest = value;
          }

          @Override
          public double forecast() {
            return latest + 1;
          }
        };
    ForecasterBank bank = new ForecasterBank(List.of(new LastValue(), oracle));
    for (int i = 0; i < 10; i++) {
      bank.add(i);
    }
    assertThat(bank.forecast().forecaster()).isEqualTo("one-more");
    assertThat(bank.forecast().value()).isEqualTo(10);
  }

  @Test
  void confidence_falls_with_the_error() {
    assertThat(new Forecast(10, "x", 0, 1).confidence()).isZero();
    assertThat(new Forecast(10, "x", 0, 2).confidence()).isEqualTo(1);
    assertThat(new Forecast(10, "x", 1, 2).confidence()).isCloseTo(0.9, within(1e-9));
    assertThat(new Forecast(10, "x", 11, 2).confidence()).isZero();
  }

  @Test
  void the_errors_of_all_banks_of_an_agent_add_up() {
    SharedExperience experience = new SharedExperience(2);
    for (int link = 1; link <= 2; link++) {
      ForecasterBank bank = ofTwo(experience, new CommonShift());
      bank.add(0);
      bank.add(10 * link);
      bank.add(10 * link);
    }
    ErrorTotals totals = experience.totals();
    assertThat(totals.forecasts()).isEqualTo(4);
    assertThat(totals.byForecaster()).containsExactly(45.0, 30.0);
    assertThat(totals.ofChosen()).isBetween(30.0, 45.0);
  }

  @Test
  void invalid_arguments_are_refused() {
    ForecasterBank bank = new ForecasterBank(new SharedExperience());
    assertThatIllegalStateException().isThrownBy(bank::forecast);
    assertThatIllegalArgumentException().isThrownBy(() -> bank.add(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> bank.add(Double.POSITIVE_INFINITY));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ForecasterBank(List.of()))
        .withMessage("there are 0 forecasters; allowed is 1 to 100");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ForecasterBank(List.of(new LastValue(), new LastValue())))
        .withMessageContaining("last-value");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ForecasterBank(
                    List.of(new LastValue()), new SharedExperience(2), new CommonShift()))
        .withMessageContainingAll("2 forecasters", "1");
    assertThatIllegalArgumentException().isThrownBy(() -> new SharedExperience(0));
  }
}
