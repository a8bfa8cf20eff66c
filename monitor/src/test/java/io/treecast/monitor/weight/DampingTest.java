package io.treecast.monitor.weight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DampingTest {
  private static final long SECOND = 1_000_000_000;
  private static final SignificancePolicy AT_ONCE =
      new SignificancePolicy(0.2, 0, 0, 0, WeightGrid.EXACT, DampingPolicy.DEFAULT);

  @Test
  void a_penalty_of_one_for_each_change_halves_in_each_half_life() {
    Damping damping = new Damping(DampingPolicy.DEFAULT);
    damping.changed(5 * SECOND);
    damping.changed(5 * SECOND);
    assertThat(damping.penalty(5 * SECOND)).isEqualTo(2);
    assertThat(damping.penalty(65 * SECOND)).isCloseTo(1, within(1e-9));
    assertThat(damping.penalty(125 * SECOND)).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void the_penalty_is_bounded_and_so_is_the_wait() {
    Damping damping = new Damping(DampingPolicy.DEFAULT);
    for (int i = 0; i < 1_000; i++) {
      damping.changed(0);
    }
    assertThat(damping.holds(179 * SECOND)).isTrue();
    assertThat(damping.holds(181 * SECOND)).isFalse();
  }

  @Test
  void the_remaining_wait_of_improvements_is_known() {
    Damping damping = new Damping(DampingPolicy.DEFAULT);
    for (int i = 0; i < 4; i++) {
      damping.changed(0);
    }
    assertThat(damping.holdsForNanos(0)).as("four are not enough").isZero();
    damping.changed(0);
    long untilNanos = damping.holdsForNanos(0);
    assertThat(damping.holdsForNanos(20 * SECOND)).isCloseTo(untilNanos - 20 * SECOND, within(10L));
    assertThat(damping.holds(untilNanos - 10)).isTrue();
    assertThat(damping.holds(untilNanos + 10)).isFalse();
    assertThat(damping.holdsForNanos(untilNanos + 10)).isZero();
  }

  @Test
  void a_link_that_flaps_counts_as_bad_until_it_has_calmed_down() {
    SignificantWeight weight = new SignificantWeight(AT_ONCE, 10_000);
    int announcements = 0;
    for (int second = 1; second <= 600; second++) {
      long estimateMicros = second % 2 == 1 ? 50_000 : 10_000;
      announcements +=
          weight.update(estimateMicros, 0, LinkRole.NONE, 0, second * SECOND).isPresent() ? 1 : 0;
    }
    assertThat(announcements).isLessThan(40);
    assertThat(weight.announcedMicros()).isEqualTo(50_000);

    for (int second = 601; second <= 900; second++) {
      weight.update(10_000, 0, LinkRole.NONE, 0, second * SECOND);
    }
    assertThat(weight.damped(900 * SECOND)).isFalse();
    assertThat(weight.announcedMicros()).isEqualTo(10_000);
  }

  @Test
  void a_damped_link_that_becomes_worse_still_says_so() {
    SignificantWeight weight = flappedAtTenSeconds();
    assertThat(weight.damped(10 * SECOND)).isTrue();
    assertThat(weight.update(5_000, 0, LinkRole.NONE, 0, 11 * SECOND)).isEmpty();
    assertThat(weight.update(500_000, 0, LinkRole.NONE, 0, 12 * SECOND)).hasValue(500_000);
    assertThat(weight.penalty(12 * SECOND)).isGreaterThan(5);
  }

  @Test
  void changes_that_cannot_change_the_tree_cost_nothing() {
    SignificantWeight beside = new SignificantWeight(AT_ONCE, 10_000);
    SignificantWeight edge = new SignificantWeight(AT_ONCE, 1_000_000);
    for (int second = 1; second <= 10; second++) {
      beside.update(10_000L << second, 0, LinkRole.BESIDE, 0, second * SECOND);
      edge.update(1_000_000L >> second, 0, LinkRole.EDGE, 0, second * SECOND);
    }
    assertThat(beside.announcedMicros()).isEqualTo(10_000L << 10);
    assertThat(beside.penalty(10 * SECOND)).isZero();
    assertThat(edge.penalty(10 * SECOND)).isZero();
  }

  @Test
  void settings_out_of_range_are_refused_by_name() {
    Duration minute = Duration.ofMinutes(1);
    refused("halfLife is PT0S; allowed is PT0.001S to PT24H", Duration.ZERO, 4, 1, 8);
    refused("maxPenalty is 0.5; allowed is 1.0 to 1000000.0", minute, 0.4, 0.1, 0.5);
    refused("holdAbove is 9.0; allowed is 0.0 to 8.0", minute, 9, 1, 8);
    refused("releaseBelow is 5.0; allowed is 4.9E-324 to 4.0", minute, 4, 5, 8);
  }

  private static SignificantWeight flappedAtTenSeconds() {
    SignificantWeight weight = new SignificantWeight(AT_ONCE, 10_000);
    for (int second = 1; second <= 10; second++) {
      weight.update(second % 2 == 1 ? 50_000 : 10_000, 0, LinkRole.NONE, 0, second * SECOND);
    }
    return weight;
  }

  private static void refused(
      String message, Duration halfLife, double hold, double release, double most) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DampingPolicy(halfLife, hold, release, most))
        .withMessage(message);
  }
}
