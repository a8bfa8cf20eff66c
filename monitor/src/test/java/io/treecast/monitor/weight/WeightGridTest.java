package io.treecast.monitor.weight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WeightGridTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 100, 200, 300, 500, 749})
  void links_inside_a_site_all_weigh_the_same(long rttMicros) {
    assertThat(WeightGrid.DEFAULT.weightMicros(rttMicros)).isEqualTo(500);
  }

  @ParameterizedTest
  @CsvSource({"750, 1000", "1249, 1000", "1250, 1500", "9749, 9500", "9750, 10000", "9999, 10000"})
  void short_round_trips_weigh_the_nearest_multiple_of_the_quantum(long rttMicros, long weight) {
    assertThat(WeightGrid.DEFAULT.weightMicros(rttMicros)).isEqualTo(weight);
  }

  @ParameterizedTest
  @ValueSource(longs = {10_000, 10_001, 13_500, 485_401, 35_120_120})
  void long_round_trips_are_kept_to_the_microsecond(long rttMicros) {
    assertThat(WeightGrid.DEFAULT.weightMicros(rttMicros)).isEqualTo(rttMicros);
  }

  /** The minimum spanning tree of the reference network depends on the order of its round trips. */
  @Test
  void the_reference_network_keeps_the_order_of_its_round_trips() {
    long[] rttMicros = {
      200, 13_500, 14_900, 35_100, 61_400, 331_000, 332_800, 355_900, 364_100, 371_700, 485_400,
      490_500, 583_800, 698_900, 701_200, 722_900
    };
    assertThat(Arrays.stream(rttMicros).map(WeightGrid.DEFAULT::weightMicros).toArray())
        .startsWith(500, 13_500)
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 200, 9_999, 698_900})
  void the_exact_grid_keeps_every_microsecond(long rttMicros) {
    assertThat(WeightGrid.EXACT.weightMicros(rttMicros)).isEqualTo(rttMicros);
  }

  @ParameterizedTest
  @CsvSource({"500, 10000", "300, 1000", "7, 100", "1000, 999", "1, 0"})
  void a_longer_round_trip_never_weighs_less(long quantumMicros, long belowMicros) {
    WeightGrid grid = new WeightGrid(quantumMicros, belowMicros);
    long previous = 1;
    for (long rttMicros = 1; rttMicros <= 12_000; rttMicros++) {
      long weightMicros = grid.weightMicros(rttMicros);
      assertThat(weightMicros).isGreaterThanOrEqualTo(previous);
      previous = weightMicros;
    }
    assertThat(previous).isEqualTo(12_000);
  }

  @Test
  void values_out_of_range_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WeightGrid(0, 1))
        .withMessage("quantumMicros is 0; allowed is 1 to 60000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WeightGrid(1, 60_000_001))
        .withMessage("belowMicros is 60000001; allowed is 0 to 60000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightGrid.DEFAULT.weightMicros(0))
        .withMessageContaining("rttMicros is 0");
  }
}
