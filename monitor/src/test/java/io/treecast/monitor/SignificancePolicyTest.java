package io.treecast.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SignificancePolicyTest {
  private static final Duration TWO = Duration.ofSeconds(2);

  @Test
  void by_default_a_change_is_a_fifth_and_a_millisecond_for_two_seconds() {
    assertThat(SignificancePolicy.DEFAULT)
        .isEqualTo(new SignificancePolicy(0.2, 1_000, TWO, WeightGrid.DEFAULT));
  }

  @Test
  void another_grid_leaves_the_thresholds_alone() {
    assertThat(SignificancePolicy.DEFAULT.withGrid(WeightGrid.EXACT))
        .isEqualTo(new SignificancePolicy(0.2, 1_000, TWO, WeightGrid.EXACT));
  }

  @Test
  void accepts_the_limits_themselves() {
    assertThat(new SignificancePolicy(0, 0, Duration.ZERO, WeightGrid.EXACT).dwell()).isZero();
    assertThat(
            new SignificancePolicy(10, 60_000_000, Duration.ofHours(1), WeightGrid.EXACT)
                .relativeThreshold())
        .isEqualTo(10);
  }

  @Test
  void an_error_names_the_setting_its_value_and_what_is_allowed() {
    refused("relativeThreshold is -0.1; allowed is 0.0 to 10.0", -0.1, 0, TWO);
    refused("relativeThreshold is 10.5; allowed is 0.0 to 10.0", 10.5, 0, TWO);
    refused("relativeThreshold is NaN; allowed is 0.0 to 10.0", Double.NaN, 0, TWO);
    refused("floorMicros is -1; allowed is 0 to 60000000", 0.2, -1, TWO);
    refused("dwell is PT-1S; allowed is PT0S to PT1H", 0.2, 0, Duration.ofSeconds(-1));
  }

  private static void refused(
      String message, double relativeThreshold, long floorMicros, Duration dwell) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new SignificancePolicy(relativeThreshold, floorMicros, dwell, WeightGrid.DEFAULT))
        .withMessage(message);
  }
}
