package io.treecast.monitor.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.monitor.probe.HeartbeatSimulation.Loss;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of the default {@link SilencePolicy}, over simulated links. */
class SilenceOfLinksTest {
  private static final Duration WARM_UP = Duration.ofMinutes(1);
  private static final Duration END = WARM_UP.plusHours(1);
  private static final Duration STEP = Duration.ofMillis(7);
  private static final int HOURS = 40;

  @ParameterizedTest
  @ValueSource(longs = {200, 100_000, 700_000})
  void a_cut_link_is_silent_at_both_ends_within_three_seconds_of_the_cut(long rttMicros) {
    for (Duration cut = WARM_UP; cut.compareTo(WARM_UP.plusSeconds(1)) < 0; cut = cut.plus(STEP)) {
      HeartbeatSimulation link = link(rttMicros, 1);
      link.cutToOther(cut);
      link.cutToOwner(cut);
      link.runUntil(cut.plusMinutes(1));
      Duration limit = cut.plusSeconds(3);
      assertThat(silentAt(link.owner)).as("owner, cut at %s", cut).isBetween(cut, limit);
      assertThat(silentAt(link.other)).as("other end, cut at %s", cut).isBetween(cut, limit);
      assertThat(falseVerdicts(link)).isZero();
    }
  }

  @Test
  void a_link_cut_one_way_is_silent_at_the_end_that_hears_nothing_within_three_seconds() {
    for (Duration cut = WARM_UP; cut.compareTo(WARM_UP.plusSeconds(1)) < 0; cut = cut.plus(STEP)) {
      HeartbeatSimulation fromOwner = link(700_000, 1);
      fromOwner.cutToOther(cut);
      fromOwner.runUntil(cut.plusMinutes(1));
      assertThat(silentAt(fromOwner.other)).isBetween(cut, cut.plusSeconds(3));
      // The last replies left half a round trip after the cut and arrive a whole one after it.
      assertThat(silentAt(fromOwner.owner)).isBetween(cut, cut.plusMillis(700 + 2_600));

      HeartbeatSimulation fromOther = link(700_000, 1);
      fromOther.cutToOwner(cut);
      fromOther.runUntil(cut.plusMinutes(1));
      assertThat(silentAt(fromOther.owner)).isBetween(cut, cut.plusSeconds(3));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {200, 100_000, 700_000})
  void a_pause_of_the_other_end_for_two_seconds_is_not_silence_at_any_phase(long rttMicros) {
    for (Duration at = WARM_UP; at.compareTo(WARM_UP.plusSeconds(1)) < 0; at = at.plus(STEP)) {
      HeartbeatSimulation otherPauses = link(rttMicros, 1);
      otherPauses.jitter(Duration.ofMillis(25));
      otherPauses.other.pause(at, Duration.ofSeconds(2), Duration.ofMillis(1_500));
      otherPauses.runUntil(at.plusMinutes(1));
      assertThat(falseVerdicts(otherPauses)).as("other end pauses at %s", at).isZero();

      HeartbeatSimulation ownerPauses = link(rttMicros, 1);
      ownerPauses.jitter(Duration.ofMillis(25));
      ownerPauses.owner.pause(at, Duration.ofSeconds(2), Duration.ofMillis(1_500));
      ownerPauses.runUntil(at.plusMinutes(1));
      assertThat(falseVerdicts(ownerPauses)).as("owner pauses at %s", at).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {500, 2_000, 59_000})
  void a_pause_of_this_end_is_not_silence_even_where_it_is_noticed_in_part(long noticedMillis) {
    Duration minute = Duration.ofMinutes(1);
    for (Duration at = WARM_UP; at.compareTo(WARM_UP.plusSeconds(1)) < 0; at = at.plus(STEP)) {
      HeartbeatSimulation link = link(200, 1);
      link.other.pause(at, minute, Duration.ofMillis(noticedMillis));
      link.runUntil(at.plus(minute).plus(minute));
      assertThat(link.other.verdictsNanos).as("pauses at %s", at).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "RETRANSMITTED, 200",
    "RETRANSMITTED, 100000",
    "RETRANSMITTED, 700000",
    "DROPPED, 200",
    "DROPPED, 100000",
    "DROPPED, 700000"
  })
  void under_a_fifth_of_loss_an_end_is_wrong_at_most_once_in_an_hour(Loss loss, long rttMicros) {
    int verdicts = 0;
    int hoursWithMore = 0;
    for (int seed = 0; seed < HOURS; seed++) {
      HeartbeatSimulation link = link(rttMicros, seed);
      link.lose(loss, 0.2, Duration.ZERO, END);
      link.runUntil(WARM_UP);
      link.owner.verdictsNanos.clear();
      link.other.verdictsNanos.clear();
      link.runUntil(END);
      verdicts += falseVerdicts(link);
      if (link.owner.verdictsNanos.size() > 1 || link.other.verdictsNanos.size() > 1) {
        hoursWithMore++;
      }
    }
    assertThat(hoursWithMore).as("of %s hours, one for each seed from 0", HOURS).isZero();
    assertThat(verdicts / (2.0 * HOURS)).as("false verdicts per end and hour").isLessThan(0.25);
  }

  @ParameterizedTest
  @ValueSource(longs = {200, 100_000, 700_000})
  void four_minutes_after_the_loss_ended_the_threshold_is_below_three_seconds(long rttMicros) {
    for (int seed = 0; seed < HOURS; seed++) {
      HeartbeatSimulation link = link(rttMicros, seed);
      Duration lossEnds = Duration.ofMinutes(30);
      link.lose(Loss.RETRANSMITTED, 0.2, Duration.ZERO, lossEnds);
      link.runUntil(lossEnds.plusMinutes(4));
      long limitNanos = Duration.ofSeconds(3).toNanos();
      assertThat(link.owner.detector.thresholdNanos()).as("seed %s", seed).isLessThan(limitNanos);
      assertThat(link.other.detector.thresholdNanos()).as("seed %s", seed).isLessThan(limitNanos);
    }
  }

  private static HeartbeatSimulation link(long rttMicros, long seed) {
    return new HeartbeatSimulation(
        SilencePolicy.DEFAULT, Duration.ofNanos(rttMicros * 1_000), seed);
  }

  private static Duration silentAt(HeartbeatSimulation.End end) {
    return Duration.ofNanos(end.detector.silentAtNanos());
  }

  private static int falseVerdicts(HeartbeatSimulation link) {
    return link.owner.verdictsNanos.size() + link.other.verdictsNanos.size();
  }
}
