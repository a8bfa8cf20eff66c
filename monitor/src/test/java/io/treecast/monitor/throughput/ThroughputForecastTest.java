package io.treecast.monitor.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.monitor.forecast.ForecasterBank;
import io.treecast.monitor.forecast.SharedExperience;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The time of probes, the validity of measurements, and the cost of all probes. */
class ThroughputForecastTest {
  private static final long SECOND = 1_000_000_000L;
  private static final ThroughputPolicy POLICY =
      new ThroughputPolicy(true, Duration.ofSeconds(100), 1, 0);

  private final ThroughputForecast forecast =
      new ThroughputForecast(POLICY, new ForecasterBank(new SharedExperience()), SECOND);

  private ThroughputExpectation expectation() {
    return Objects.requireNonNull(forecast.expectation());
  }

  /** Measures a link several times, the last time at 400 s. */
  private void know(long kbps) {
    for (int measurement = 0; measurement < 5; measurement++) {
      forecast.probed(kbps, measurement * 100L * SECOND);
    }
    assertThat(expectation().forecastKbps()).isEqualTo(kbps);
  }

  @Test
  void a_link_is_probed_at_once_again_soon_and_then_at_each_interval() {
    assertThat(forecast.dueNanos()).isEqualTo(SECOND);
    forecast.probed(5_000, 3 * SECOND);
    assertThat(forecast.dueNanos()).isEqualTo(13 * SECOND);
    forecast.probed(5_000, 20 * SECOND);
    assertThat(forecast.dueNanos()).isEqualTo(120 * SECOND);
    assertThat(Objects.requireNonNull(forecast.expectation()).measuredKbps()).isEqualTo(5_000);
    assertThat(Objects.requireNonNull(forecast.expectation()).forecastKbps()).isEqualTo(5_000);
  }

  @Test
  void a_link_that_could_not_be_probed_is_tried_again_sooner() {
    forecast.failed(0, SECOND);
    assertThat(forecast.dueNanos()).isEqualTo(11 * SECOND);
    assertThat(forecast.expectation()).isNull();
  }

  @Test
  void a_link_that_was_busy_for_nothing_is_left_alone_for_a_thousand_times_as_long() {
    forecast.failed(10 * SECOND, SECOND);
    assertThat(forecast.dueNanos()).isEqualTo(10_001 * SECOND);
  }

  @Test
  void a_transfer_that_is_about_as_fast_as_the_link_is_a_measurement_and_saves_a_probe() {
    forecast.probed(5_000, 0);
    assertThat(forecast.transferred(4_000, 60 * SECOND)).isTrue();
    assertThat(forecast.dueNanos()).isEqualTo(160 * SECOND);
    assertThat(Objects.requireNonNull(forecast.expectation()).measurements()).isEqualTo(2);
  }

  @Test
  void a_slow_transfer_is_not_a_measurement() {
    assertThat(forecast.transferred(9_000, SECOND)).as("nothing to compare with").isFalse();
    forecast.probed(5_000, 0);
    assertThat(forecast.transferred(3_999, 60 * SECOND)).isFalse();
    assertThat(forecast.dueNanos()).isEqualTo(10 * SECOND);
  }

  @Test
  void the_expectation_from_before_a_loss_counts_until_a_measurement() {
    ThroughputForecast lost =
        new ThroughputForecast(POLICY, new ForecasterBank(new SharedExperience()), 0);
    for (int second = 1; second <= 20; second++) {
      lost.probed(5_000, second * SECOND);
    }
    ThroughputExpectation known = Objects.requireNonNull(lost.expectation());
    assertThat(known.remembered()).isFalse();

    forecast.remember(known, lost.measuredNanos());
    ThroughputExpectation remembered = Objects.requireNonNull(forecast.expectation());
    assertThat(remembered.remembered()).isTrue();
    assertThat(remembered.forecastKbps()).isEqualTo(5_000);
    assertThat(forecast.measuredNanos()).isEqualTo(20 * SECOND);
    assertThat(forecast.dueNanos()).as("to be measured at once").isEqualTo(SECOND);

    assertThat(forecast.probed(300, 30 * SECOND)).isEqualTo(5_000);
    assertThat(expectation()).as("doubted").isEqualTo(remembered);
    forecast.probed(310, 40 * SECOND);
    ThroughputExpectation measured = Objects.requireNonNull(forecast.expectation());
    assertThat(measured.remembered()).isFalse();
    assertThat(measured.forecastKbps()).as("the link is another one now").isEqualTo(310);
    assertThat(measured.measurements()).isEqualTo(2);
    assertThat(forecast.measuredNanos()).isEqualTo(40 * SECOND);
  }

  @Test
  void a_probe_that_is_far_off_is_repeated_at_once_and_nothing_else_follows_from_it() {
    know(90_000);
    ThroughputExpectation before = expectation();
    assertThat(forecast.probed(6_000, 500 * SECOND)).isEqualTo(90_000);
    assertThat(forecast.dueNanos()).isEqualTo(500 * SECOND);
    assertThat(expectation()).isEqualTo(before);

    assertThat(forecast.probed(88_000, 510 * SECOND)).isEqualTo(88_000);
    assertThat(forecast.dueNanos()).isEqualTo(610 * SECOND);
    assertThat(expectation().measuredKbps()).isEqualTo(88_000);
    assertThat(expectation().measurements()).as("one of the two").isEqualTo(6);
    assertThat(expectation().forecastKbps()).isEqualTo(90_000);
  }

  @Test
  void a_probe_that_is_off_by_less_counts_at_once() {
    know(90_000);
    forecast.probed(30_000, 500 * SECOND);
    assertThat(forecast.dueNanos()).isEqualTo(600 * SECOND);
    forecast.probed(270_000, 600 * SECOND);
    assertThat(forecast.dueNanos()).isEqualTo(700 * SECOND);
    assertThat(expectation().measurements()).isEqualTo(7);
  }

  @Test
  void the_nearer_of_two_doubtful_probes_that_disagree_counts() {
    know(90_000);
    forecast.probed(5_000, 500 * SECOND);
    assertThat(forecast.probed(20_000, 510 * SECOND)).isEqualTo(20_000);
    assertThat(expectation().measuredKbps()).isEqualTo(20_000);
    assertThat(expectation().forecastKbps()).isEqualTo(90_000);

    forecast.probed(280_000, 610 * SECOND);
    assertThat(forecast.probed(4_000, 620 * SECOND)).isEqualTo(280_000);
    assertThat(forecast.dueNanos()).as("no third one").isEqualTo(720 * SECOND);
    assertThat(expectation().measurements()).isEqualTo(7);
  }

  @Test
  void two_that_are_off_and_agree_both_count_and_the_next_two_are_believed() {
    know(90_000);
    forecast.probed(5_000, 500 * SECOND);
    assertThat(forecast.probed(5_100, 510 * SECOND)).isEqualTo(5_100);
    assertThat(expectation().measurements()).isEqualTo(7);
    forecast.probed(5_200, 610 * SECOND);
    forecast.probed(5_200, 620 * SECOND);
    assertThat(expectation().forecastKbps()).isBetween(5_000L, 5_200L);
  }

  @Test
  void a_first_one_that_was_far_too_low_is_outvoted_by_the_next_two() {
    forecast.probed(6_000, 0);
    assertThat(forecast.dueNanos()).isEqualTo(10 * SECOND);
    forecast.probed(90_000, 10 * SECOND);
    assertThat(expectation().forecastKbps()).isEqualTo(6_000);
    forecast.probed(92_000, 12 * SECOND);
    assertThat(expectation().forecastKbps()).isBetween(90_000L, 92_000L);
    assertThat(expectation().forecaster()).isEqualTo("upper-mean-3");
  }

  @Test
  void a_transfer_that_is_as_fast_as_was_expected_settles_a_doubt() {
    know(90_000);
    forecast.probed(6_000, 500 * SECOND);
    assertThat(forecast.transferred(80_000, 503 * SECOND)).isTrue();
    assertThat(forecast.dueNanos()).isEqualTo(603 * SECOND);
    forecast.probed(6_000, 603 * SECOND);
    assertThat(expectation().forecastKbps()).as("doubted again").isEqualTo(90_000);
  }

  @Test
  void probes_take_a_thousandth_of_the_link() {
    BulkBudget budget = new BulkBudget(POLICY, 0);
    assertThat(budget.nextNanos()).isEqualTo(BulkBudget.LEAST_PAUSE_NANOS);
    // A second of this link.
    budget.spent(125_000, 1_000, 10 * SECOND);
    assertThat(budget.nextNanos()).isEqualTo(1_010 * SECOND);
    budget.spent(125_000, 100_000_000, 2_000 * SECOND);
    assertThat(budget.nextNanos()).isEqualTo(2_000 * SECOND + BulkBudget.LEAST_PAUSE_NANOS);
  }

  @Test
  void a_policy_names_settings_out_of_range() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ThroughputPolicy(true, Duration.ZERO, 1, 0))
        .withMessage("interval is PT0S; allowed is PT1S to PT24H");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ThroughputPolicy(true, Duration.ofSeconds(1), 0, 0))
        .withMessage("budgetPermille is 0; allowed is 1 to 100");
  }
}
