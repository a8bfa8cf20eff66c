package io.treecast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which sources are measured, and the median of each. */
class BroadcastStopwatchTest {
  private final List<Integer> measured = new ArrayList<>();

  @Test
  void all_sources_are_measured_before_one_is_again_and_the_median_of_each_counts() {
    double[] millis = {30, 12, 1, 10, 14, 3, 20, 13, 2};
    double[] medians =
        BroadcastStopwatch.mediansOfRounds(
            3,
            source -> {
              measured.add(source);
              return millis[measured.size() - 1];
            });
    assertThat(measured).containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2);
    assertThat(medians).containsExactly(20, 13, 2);
  }
}
