package io.treecast.monitor.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SilenceDetectorTest {
  private static final SilencePolicy POLICY = SilencePolicy.DEFAULT;
  private static final long MS = 1_000_000;
  private static final long S = 1_000 * MS;

  @Test
  void a_punctual_link_is_silent_2600_ms_after_the_latest_arrival() {
    SilenceDetector detector = punctual(10);
    assertThat(detector.silentAtNanos()).isEqualTo(12_600 * MS);
    assertThat(detector.isSilent(12_600 * MS - 1)).isFalse();
    assertThat(detector.isSilent(12_600 * MS)).isTrue();
  }

  @Test
  void any_arrival_ends_the_silence() {
    SilenceDetector detector = punctual(10);
    assertThat(detector.isSilent(20 * S)).isTrue();
    detector.received(20 * S);
    assertThat(detector.isSilent(20 * S)).isFalse();
    assertThat(detector.silentAtNanos()).isGreaterThanOrEqualTo(22_600 * MS);
  }

  @Test
  void before_the_first_arrival_the_greatest_threshold_holds_since_the_round_trip_is_unknown() {
    SilenceDetector detector = new SilenceDetector(POLICY, 5 * S);
    assertThat(detector.silentAtNanos()).isEqualTo(65 * S);
    detector.received(35 * S);
    assertThat(detector.thresholdNanos()).isEqualTo(2_600 * MS);
    assertThat(detector.lateShare()).isZero();
  }

  @Test
  void a_calm_link_is_silent_2100_ms_after_the_next_probe_was_due() {
    SilenceDetector detector = punctual(10);
    detector.expectProbe(8 * S);
    assertThat(detector.silentAtNanos()).isEqualTo(20_100 * MS);
    detector.received(18_700 * MS);
    detector.expectProbe(8 * S);
    assertThat(detector.lateShare()).isCloseTo(0.65 / 60, within(0.001));
    assertThat(detector.silentAtNanos()).isEqualTo(28_800 * MS);
  }

  @Test
  void the_earlier_of_the_other_ends_probe_and_reply_is_due() {
    SilenceDetector detector = punctual(10);
    detector.expectProbe(8 * S);
    detector.expectReply(500 * MS);
    assertThat(detector.silentAtNanos()).isEqualTo(12_600 * MS);
    detector.received(10_400 * MS);
    detector.expectReply(0);
    assertThat(detector.silentAtNanos()).isEqualTo(20_100 * MS);
  }

  @Test
  void probes_of_a_burst_are_waited_for_no_less_than_a_heartbeat() {
    SilenceDetector detector = punctual(10);
    detector.expectProbe(100 * MS);
    assertThat(detector.silentAtNanos()).isEqualTo(12_600 * MS);
  }

  @Test
  void where_an_answer_is_demanded_a_calm_link_is_silent_two_heartbeats_and_a_round_trip_later() {
    SilenceDetector detector = punctual(10);
    detector.expectProbe(8 * S);
    detector.demandAnswer(300 * MS, 13 * S);
    assertThat(detector.silentAtNanos()).isEqualTo(14_300 * MS);
    detector.demandAnswer(300 * MS, 14 * S);
    assertThat(detector.silentAtNanos()).isEqualTo(14_300 * MS);
    detector.received(14_200 * MS);
    assertThat(detector.silentAtNanos()).isEqualTo(20_100 * MS);
  }

  @Test
  void an_answer_that_is_demanded_of_a_link_that_is_silent_sooner_changes_nothing() {
    SilenceDetector detector = punctual(10);
    detector.demandAnswer(700 * MS, 11 * S);
    assertThat(detector.silentAtNanos()).isEqualTo(12_600 * MS);
  }

  @Test
  void a_pause_of_this_process_moves_all_that_is_due() {
    SilenceDetector detector = punctual(10);
    detector.expectProbe(8 * S);
    detector.demandAnswer(0, 11 * S);
    detector.paused(5 * S, 16 * S);
    assertThat(detector.silentAtNanos()).isEqualTo(17 * S);
    detector.received(16 * S);
    assertThat(detector.silentAtNanos()).isBetween(25_100 * MS, 25_200 * MS);
  }

  @Test
  void a_punctual_link_is_suspected_a_second_before_it_is_silent() {
    SilenceDetector detector = punctual(10);
    assertThat(detector.suspectAtNanos()).isEqualTo(11_600 * MS);
    detector.expectProbe(8 * S);
    assertThat(detector.suspectAtNanos()).isEqualTo(19_100 * MS);
  }

  @Test
  void jitter_of_a_tenth_of_the_interval_does_not_raise_the_threshold() {
    HeartbeatSimulation link = new HeartbeatSimulation(POLICY, Duration.ofMillis(50), 1);
    link.jitter(Duration.ofMillis(25));
    link.runUntil(Duration.ofMinutes(10));
    assertThat(link.owner.detector.thresholdNanos()).isEqualTo(2_600 * MS);
    assertThat(link.other.detector.thresholdNanos()).isEqualTo(2_600 * MS);
  }

  @Test
  void busy_traffic_neither_raises_the_threshold_nor_hides_earlier_lateness() {
    SilenceDetector detector = new SilenceDetector(POLICY, 0);
    long now = 0;
    for (int i = 0; i < 20; i++) {
      detector.received(now += S);
    }
    long thresholdNanos = detector.thresholdNanos();
    assertThat(thresholdNanos).isBetween(20 * S, 40 * S);
    for (int i = 0; i < 1_000; i++) {
      detector.received(now += MS);
    }
    assertThat(detector.thresholdNanos()).isBetween(thresholdNanos - 2 * S, thresholdNanos - 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {62, 3_660})
  void one_pause_of_the_other_end_leaves_the_threshold_alone_however_long(long heardAgainSeconds) {
    SilenceDetector detector = punctual(60);
    detector.received(heardAgainSeconds * S);
    assertThat(detector.lateShare()).isBetween(0.015, 0.017);
    assertThat(detector.thresholdNanos()).isEqualTo(2_600 * MS);

    detector.received((heardAgainSeconds + 2) * S);
    assertThat(detector.thresholdNanos()).isBetween(5 * S, 7 * S);
  }

  @Test
  void the_threshold_never_exceeds_the_maximum() {
    SilenceDetector detector = new SilenceDetector(POLICY, 0);
    for (long i = 0; i < 1_000; i++) {
      detector.received(i * 10 * S);
      assertThat(detector.thresholdNanos()).isBetween(2_600 * MS, 60 * S);
    }
    assertThat(detector.thresholdNanos()).isEqualTo(60 * S);
  }

  @Test
  void silence_during_a_pause_of_this_process_does_not_count() {
    SilenceDetector detector = punctual(10);
    detector.paused(100 * S, 111 * S);
    assertThat(detector.silentAtNanos()).isEqualTo(113_600 * MS - S);
    detector.received(111 * S);
    assertThat(detector.lateShare()).isCloseTo(0.5 / 61 * 0.9, within(0.001));
  }

  @Test
  void after_a_pause_noticed_in_part_the_link_is_not_silent_for_another_heartbeat() {
    SilenceDetector detector = punctual(10);
    detector.paused(600 * MS, 110 * S);
    assertThat(detector.silentAtNanos()).isEqualTo(110_500 * MS);
  }

  @Test
  void a_driver_that_is_often_a_little_late_still_finds_the_link_silent() {
    SilenceDetector detector = punctual(10);
    long now = 10 * S;
    while (!detector.isSilent(now)) {
      now += 300 * MS;
      detector.paused(100 * MS, now);
    }
    assertThat(now).isBetween(13 * S, 15 * S);
  }

  @Test
  void a_pause_longer_than_the_silence_counts_for_no_more_than_that() {
    SilenceDetector detector = punctual(10);
    detector.paused(50 * S, 11 * S);
    assertThat(detector.silentAtNanos()).isEqualTo(13_600 * MS);
  }

  @Test
  void a_time_before_an_earlier_arrival_changes_nothing() {
    SilenceDetector detector = punctual(10);
    detector.received(9 * S);
    assertThat(detector.silentAtNanos()).isEqualTo(12_600 * MS);
  }

  @Test
  void refuses_a_negative_gap() {
    SilenceDetector detector = punctual(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> detector.paused(-1, 2 * S))
        .withMessageContaining("gapNanos is -1");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE - 1_000_000_000, Long.MIN_VALUE, -5, 1L << 40})
  void any_origin_of_time_gives_the_same_verdicts(long originNanos) {
    SilenceDetector detector = new SilenceDetector(POLICY, originNanos);
    SilenceDetector fromZero = new SilenceDetector(POLICY, 0);
    Random random = new Random(3);
    long now = 0;
    for (int i = 0; i < 1_000; i++) {
      now += random.nextInt(3_000) * MS;
      assertThat(detector.isSilent(originNanos + now)).isEqualTo(fromZero.isSilent(now));
      if (random.nextInt(10) == 0) {
        long gapNanos = random.nextInt(1_000) * MS;
        detector.paused(gapNanos, originNanos + now);
        fromZero.paused(gapNanos, now);
      }
      detector.received(originNanos + now);
      fromZero.received(now);
      assertThat(detector.silentAtNanos() - originNanos).isEqualTo(fromZero.silentAtNanos());
    }
  }

  /** Returns a detector that has heard the other end every half second until then. */
  private static SilenceDetector punctual(int seconds) {
    SilenceDetector detector = new SilenceDetector(POLICY, 0);
    for (int i = 0; i <= 2 * seconds; i++) {
      detector.received(i * 500L * MS);
    }
    return detector;
  }
}
