package io.treecast.monitor.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Median;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each method against its closed form, or its definition computed the long way. */
class ForecastersTest {
  private static final double PRECISION = 1e-9;

  static Stream<Integer> each() {
    return IntStream.range(0, Forecasters.standard().size()).boxed();
  }

  @ParameterizedTest
  @MethodSource("each")
  void a_series_that_never_changes_is_forecast_exactly(int index) {
    Forecaster forecaster = Forecasters.standard().get(index);
    for (int i = 0; i < 200; i++) {
      forecaster.add(42.5);
      assertThat(forecaster.forecast()).isCloseTo(42.5, within(PRECISION));
    }
  }

  @ParameterizedTest
  @MethodSource("each")
  void after_one_sample_every_method_expects_it_again(int index) {
    Forecaster forecaster = Forecasters.standard().get(index);
    forecaster.add(7);
    assertThat(forecaster.forecast()).isEqualTo(7);
  }

  @ParameterizedTest
  @MethodSource("each")
  void before_the_first_sample_there_is_no_forecast(int index) {
    assertThatIllegalStateException()
        .isThrownBy(() -> Forecasters.standard().get(index).forecast());
  }

  @ParameterizedTest
  @MethodSource("each")
  void a_forecast_lies_within_the_samples_and_scales_with_them(int index) {
    Forecaster forecaster = Forecasters.standard().get(index);
    Forecaster scaled = Forecasters.standard().get(index);
    double least = Double.MAX_VALUE;
    double most = 0;
    for (double value : noise(300, index)) {
      least = Math.min(least, value);
      most = Math.max(most, value);
      forecaster.add(value);
      scaled.add(4 * value);
      assertThat(scaled.forecast()).isCloseTo(4 * forecaster.forecast(), within(1e-6));
      assertThat(forecaster.forecast()).isBetween(least - PRECISION, most + PRECISION);
    }
  }

  @Test
  void the_last_value_is_expected_again() {
    Forecaster forecaster = new LastValue();
    for (double value : noise(100, 1)) {
      forecaster.add(value);
      assertThat(forecaster.forecast()).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 50})
  void the_sliding_median_agrees_with_commons_statistics(int window) {
    Forecaster median = SlidingWindow.median(window);
    double[] noise = noise(300, window);
    for (int seen = 1; seen <= noise.length; seen++) {
      median.add(noise[seen - 1]);
      double[] latest = Arrays.copyOfRange(noise, Math.max(0, seen - window), seen);
      assertThat(median.forecast())
          .isCloseTo(Median.withDefaults().evaluate(latest), within(PRECISION));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 10})
  void the_lower_median_is_the_median_or_the_sample_next_below_it(int window) {
    Forecaster lower = SlidingWindow.lowerMedian(window);
    double[] noise = noise(300, window);
    for (int seen = 1; seen <= noise.length; seen++) {
      lower.add(noise[seen - 1]);
      double[] latest = Arrays.copyOfRange(noise, Math.max(0, seen - window), seen);
      double median = Median.withDefaults().evaluate(latest);
      double expected =
          DoubleStream.of(latest).filter(value -> value <= median).max().orElseThrow();
      assertThat(lower.forecast()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10})
  void the_lower_mean_is_that_of_the_samples_up_to_the_middle_one(int window) {
    Forecaster lower = SlidingWindow.lowerMean(window);
    double[] noise = noise(300, window);
    for (int seen = 1; seen <= noise.length; seen++) {
      lower.add(noise[seen - 1]);
      double[] latest = Arrays.copyOfRange(noise, Math.max(0, seen - window), seen);
      double median = Median.withDefaults().evaluate(latest);
      double[] half = DoubleStream.of(latest).filter(value -> value <= median).toArray();
      assertThat(lower.forecast()).isCloseTo(Mean.of(half).getAsDouble(), within(PRECISION));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.3, 0.9, 1})
  void smoothing_closes_the_gap_of_a_step_geometrically(double gain) {
    Forecaster forecaster = new ExponentialSmoothing(gain);
    forecaster.add(0);
    for (int n = 1; n < 100; n++) {
      forecaster.add(1);
      assertThat(forecaster.forecast()).isCloseTo(1 - Math.pow(1 - gain, n), within(PRECISION));
    }
  }

  @Test
  void no_two_forecasters_of_a_series_share_a_name() {
    assertThat(Forecasters.standard()).extracting(Forecaster::name).doesNotHaveDuplicates();
    assertThat(Forecasters.namesOfRoundTrips())
        .doesNotHaveDuplicates()
        .startsWith("lower-mean-3-detour", "last-value-detour")
        .containsAll(Forecasters.standard().stream().map(Forecaster::name).toList());
  }

  @Test
  void parameters_out_of_range_are_refused_by_name() {
    refused(() -> SlidingWindow.lowerMean(0), "windowSamples is 0; allowed is 1 to 1000");
    refused(() -> SlidingWindow.median(1_001), "windowSamples is 1001; allowed is 1 to 1000");
    refused(() -> new ExponentialSmoothing(0), "gain is 0.0; allowed is above 0 to 1");
    refused(() -> new ExponentialSmoothing(1.1), "gain is 1.1; allowed is above 0 to 1");
  }

  private static void refused(Supplier<Forecaster> making, String message) {
    assertThatIllegalArgumentException().isThrownBy(making::get).withMessage(message);
  }

  private static double[] noise(int samples, long seed) {
    Random random = new Random(seed);
    return DoubleStream.generate(() -> 20 + 5 * random.nextDouble()).limit(samples).toArray();
  }
}
