package io.treecast.cli.links;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MedianTest {
  @Test
  void the_median_of_an_odd_number_of_values_is_the_middle_one() {
    assertThat(Median.ofSorted(new long[] {1, 5, 9})).isEqualTo(5);
    assertThat(Median.ofSorted(new long[] {7})).isEqualTo(7);
  }

  @Test
  void the_median_of_an_even_number_of_values_is_the_mean_of_the_middle_two() {
    assertThat(Median.ofSorted(new long[] {1, 9})).isEqualTo(5);
    assertThat(Median.ofSorted(new long[] {1, 2, 4, 100})).isEqualTo(3);
    assertThat(Median.ofSorted(new long[] {Long.MAX_VALUE - 2, Long.MAX_VALUE}))
        .isEqualTo(Long.MAX_VALUE - 1);
  }
}
