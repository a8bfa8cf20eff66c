package io.treecast.monitor.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CommonShiftTest {
  private static final String SELF = "self";

  /** Returns the shift after one sample of each of the other series. */
  private static CommonShift of(double... deviations) {
    CommonShift common = new CommonShift();
    for (int i = 0; i < deviations.length; i++) {
      common.deviated("other " + i, deviations[i]);
    }
    return common;
  }

  @Test
  void a_shift_is_the_least_that_all_but_one_of_the_others_agree_on() {
    assertThat(of(6, 5, 4, 3, 2, 1).of(SELF)).isEqualTo(2);
    assertThat(of(-6, -5, -4, -3, -2, -1).of(SELF)).isEqualTo(-2);
    assertThat(of(-50, 5, 4, 3, 2, 6).of(SELF)).isEqualTo(2);
    assertThat(of(50, -5, -4, -3, -2, -6).of(SELF)).isEqualTo(-2);
  }

  @Test
  void there_is_no_shift_where_two_disagree() {
    assertThat(of(5, 5, 5, 5, -1, -1).of(SELF)).isZero();
    assertThat(of(5, 5, 5, 5, 0, 0).of(SELF)).isZero();
    assertThat(of(-5, -5, -5, -5, 0, 1).of(SELF)).isZero();
  }

  @Test
  void there_is_no_shift_where_the_others_are_too_few() {
    assertThat(new CommonShift().of(SELF)).isZero();
    CommonShift common = of(5, 5, 5, 5, 5);
    common.deviated(SELF, 5);
    assertThat(common.of(SELF)).isZero();
    common.deviated("one more", 5);
    assertThat(common.of(SELF)).isEqualTo(5);
  }

  @Test
  void the_deviation_of_the_series_itself_does_not_count() {
    CommonShift common = of(5, 5, 5, 5, 5, 5);
    common.deviated(SELF, -100);
    assertThat(common.of(SELF)).isEqualTo(5);
  }

  /** The definition, computed the long way. */
  @Test
  void the_latest_sample_of_each_recent_series_counts() {
    CommonShift common = new CommonShift();
    Map<Integer, Double> latest = new LinkedHashMap<>();
    Random random = new Random(1);
    int shifted = 0;
    for (int i = 0; i < 5_000; i++) {
      int series = random.nextInt(10);
      double level = i / 100 % 3 - 1;
      double deviation = level + 0.8 * random.nextGaussian();
      common.deviated(series, deviation);
      latest.remove(series);
      latest.put(series, deviation);
      int asking = random.nextInt(10);
      List<Double> others = new ArrayList<>();
      latest.forEach(
          (other, amount) -> others.addAll(other == asking ? List.of() : List.of(amount)));
      assertThat(common.of(asking)).isEqualTo(expected(others));
      shifted += common.of(asking) == 0 ? 0 : 1;
    }
    assertThat(shifted).isBetween(500, 4_500);
  }

  private static double expected(List<Double> others) {
    int count = others.size();
    if (count < 6) {
      return 0;
    }
    double[] asked =
        others.subList(count - 6, count).stream().mapToDouble(Double::doubleValue).toArray();
    long up = Arrays.stream(asked).filter(amount -> amount > 0).count();
    long down = Arrays.stream(asked).filter(amount -> amount < 0).count();
    double[] bySize = Arrays.stream(asked).sorted().toArray();
    return up >= 5 ? bySize[1] : down >= 5 ? bySize[4] : 0;
  }
}
