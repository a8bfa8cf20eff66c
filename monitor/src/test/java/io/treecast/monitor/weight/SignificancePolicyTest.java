package io.treecast.monitor.weight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SignificancePolicyTest {
  private static final DampingPolicy DAMPING = DampingPolicy.DEFAULT;

  @Test
  void by_default_a_change_is_a_fifth_a_millisecond_and_half_the_error() {
    assertThat(SignificancePolicy.DEFAULT)
        .isEqualTo(new SignificancePolicy(0.2, 1_000, 0.5, 1, WeightGrid.DEFAULT, DAMPING));
  }

  @Test
  void another_grid_or_cost_leaves_the_rest_alone() {
    assertThat(SignificancePolicy.DEFAULT.withGrid(WeightGrid.EXACT).withChangeCost(3))
        .isEqualTo(new SignificancePolicy(0.2, 1_000, 0.5, 3, WeightGrid.EXACT, DAMPING));
  }

  @Test
  void accepts_the_limits_themselves() {
    assertThat(new SignificancePolicy(0, 0, 0, 0, WeightGrid.EXACT, DAMPING).changeCost()).isZero();
    assertThat(
            new SignificancePolicy(10, 60_000_000, 100, 100, WeightGrid.EXACT, DAMPING)
                .relativeThreshold())
        .isEqualTo(10);
  }

  @Test
  void an_error_names_the_setting_its_value_and_the_allowed_range() {
    refused("relativeThreshold is -0.1; allowed is 0.0 to 10.0", -0.1, 0, 0, 0);
    refused("relativeThreshold is 10.5; allowed is 0.0 to 10.0", 10.5, 0, 0, 0);
    refused("relativeThreshold is NaN; allowed is 0.0 to 10.0", Double.NaN, 0, 0, 0);
    refused("floorMicros is -1; allowed is 0 to 60000000", 0.2, -1, 0, 0);
    refused("errorFactor is -1.0; allowed is 0.0 to 100.0", 0.2, 0, -1, 0);
    refused("changeCost is 101.0; allowed is 0.0 to 100.0", 0.2, 0, 0, 101);
  }

  private static void refused(
      String message, double threshold, long floorMicros, double errorFactor, double changeCost) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new SignificancePolicy(
                    threshold, floorMicros, errorFactor, changeCost, WeightGrid.DEFAULT, DAMPING))
        .withMessage(message);
  }
}
