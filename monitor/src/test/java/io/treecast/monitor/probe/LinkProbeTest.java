package io.treecast.monitor.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkProbeTest {
  private static final long MS = 1_000_000;
  private static final Duration NO_PHASE = Duration.ZERO;

  @Test
  void the_burst_and_then_the_steady_probes_are_sent_without_waiting_for_replies() {
    VirtualLink link = link(NO_PHASE, millis(5_000));
    link.runUntil(millis(2_100));
    assertThat(link.sentAtMillis())
        .containsExactly(
            0L, 100L, 200L, 300L, 400L, 500L, 600L, 700L, 800L, 900L, 1_000L, 1_500L, 2_000L);
  }

  @Test
  void a_link_of_700_ms_is_measured_within_1700_ms() {
    VirtualLink link = link(millis(99), millis(700));
    link.runUntil(millis(3_000));
    assertThat(link.measuredAtMillis()).isBetween(1_000L, 1_700L);
    assertThat(link.probe().rttMicros()).isEqualTo(700_000);
  }

  @Test
  void a_fast_link_is_not_measured_before_its_last_initial_probe_was_sent() {
    VirtualLink link = link(NO_PHASE, millis(1));
    link.runUntil(millis(899));
    assertThat(link.probe().measured()).isFalse();
    link.runUntil(millis(900));
    assertThat(link.probe().measured()).isTrue();
  }

  @Test
  void the_link_is_measured_with_the_last_reply_that_is_required() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    for (int i = 0; i < 10; i++) {
      assertThat(probe.tick(i * 100L * MS)).hasValue(i + 1);
    }
    for (int number = 1; number <= 7; number++) {
      assertThat(probe.replied(number, 1_000 * MS)).isTrue();
    }
    assertThat(probe.measured()).isFalse();
    assertThat(probe.replied(10, 1_000 * MS)).isTrue();
    assertThat(probe.measured()).isTrue();
  }

  @Test
  void two_lost_probes_of_ten_do_not_delay_the_measurement() {
    VirtualLink link = link(NO_PHASE, millis(50));
    link.lose(1, 5);
    link.runUntil(millis(2_000));
    assertThat(link.measuredAtMillis()).isEqualTo(950);
  }

  @Test
  void steady_probes_stand_in_for_lost_ones_of_the_burst() {
    VirtualLink link = link(NO_PHASE, millis(50));
    link.lose(1, 2, 10);
    link.runUntil(millis(1_400));
    assertThat(link.sentAtMillis()).hasSize(11).endsWith(900L, 1_000L);
    assertThat(link.measuredAtMillis()).isEqualTo(1_050);
  }

  @Test
  void a_dead_link_is_probed_on_at_the_steady_interval_and_never_measured() {
    VirtualLink link = link(NO_PHASE, millis(3_600_000));
    link.runUntil(Duration.ofMinutes(10));
    assertThat(link.probe().measured()).isFalse();
    assertThat(link.sentAtMillis()).hasSize(10 + 1_199);
    // Probes of the last forty seconds are still waited for.
    assertThat(link.probe().probesLost()).isEqualTo(link.probe().probesSent() - 80);
    assertThat(link.probe().rttMicros()).isZero();
  }

  @Test
  void a_measured_link_is_probed_at_the_steady_interval_and_stays_measured() {
    VirtualLink link = link(NO_PHASE, millis(20));
    link.runUntil(millis(2_700));
    assertThat(link.sentAtMillis()).hasSize(14).endsWith(1_000L, 1_500L, 2_000L, 2_500L);

    link.setRtt(Duration.ofHours(1));
    link.runUntil(Duration.ofMinutes(5));
    assertThat(link.probe().measured()).isTrue();
    assertThat(link.probe().probesLost()).isGreaterThan(50);
  }

  @ParameterizedTest
  @ValueSource(longs = {6_000, 30_000})
  void a_link_slower_than_its_interval_is_measured_a_round_trip_after_its_burst(long rttMillis) {
    VirtualLink link = link(NO_PHASE, millis(rttMillis));
    link.runUntil(Duration.ofMinutes(5));
    assertThat(link.measuredAtMillis()).isEqualTo(700 + rttMillis);
    assertThat(link.probe().rttMicros()).isEqualTo(rttMillis * 1_000);
    assertThat(link.probe().probesLost()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {6_000, 30_000})
  void a_slower_link_shows_two_seconds_after_its_first_slow_reply_a_faster_one_at_once(
      long slowMillis) {
    VirtualLink link = link(NO_PHASE, millis(20));
    link.runUntil(millis(10_100));
    link.setRtt(millis(slowMillis));
    link.runUntil(millis(10_500 + slowMillis + 1_999));
    assertThat(link.probe().rttMicros()).isEqualTo(20_000);
    link.runUntil(millis(10_500 + slowMillis + 2_000));
    assertThat(link.probe().rttMicros()).isEqualTo(slowMillis * 1_000);

    link.runUntil(millis(100_100));
    link.setRtt(millis(20));
    link.runUntil(millis(100_520));
    assertThat(link.probe().rttMicros()).isEqualTo(20_000);
    assertThat(link.probe().probesLost()).isZero();
  }

  @Test
  void the_phase_shifts_the_burst_and_the_steady_schedule() {
    VirtualLink link = link(millis(1_230), millis(20));
    link.runUntil(millis(2_500));
    assertThat(link.sentAtMillis())
        .startsWith(30L, 130L, 230L)
        .endsWith(930L, 1_230L, 1_730L, 2_230L);
  }

  @Test
  void links_that_come_up_together_with_different_phases_never_fire_together() {
    List<Long> sent = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      VirtualLink link = link(millis(i * 217L), millis(20));
      link.runUntil(Duration.ofMinutes(1));
      sent.addAll(link.sentAtMillis());
    }
    assertThat(sent).hasSizeGreaterThan(23 * 120).doesNotHaveDuplicates();
  }

  @Test
  void a_late_driver_skips_the_missed_probes() {
    VirtualLink link = link(NO_PHASE, millis(20));
    link.runUntil(millis(250));
    link.pauseUntil(millis(730));
    link.runUntil(millis(2_000));
    assertThat(link.sentAtMillis())
        .containsExactly(
            0L, 100L, 200L, 730L, 800L, 900L, 1_000L, 1_100L, 1_200L, 1_300L, 1_500L, 2_000L);
  }

  @Test
  void the_least_of_the_recent_samples_is_kept_beside_the_estimate_for_as_long_as_the_burst() {
    VirtualLink link = link(NO_PHASE, millis(20));
    link.runUntil(millis(10_100));
    link.setRtt(millis(35));
    link.runUntil(millis(12_900));
    assertThat(link.probe().rttMicros()).isEqualTo(35_000);
    assertThat(link.probe().rttLastMicros()).isEqualTo(35_000);
    assertThat(link.probe().rttMinMicros()).isEqualTo(20_000);

    link.runUntil(millis(15_100));
    assertThat(link.probe().rttMinMicros()).isEqualTo(35_000);
  }

  @Test
  void round_trips_are_rounded_to_whole_microseconds_and_to_one_at_least() {
    assertThat(onlySample(0)).isEqualTo(1);
    assertThat(onlySample(1_499)).isEqualTo(1);
    assertThat(onlySample(1_500)).isEqualTo(2);
    assertThat(onlySample(485_400_499)).isEqualTo(485_400);
  }

  @Test
  void without_a_sample_the_round_trip_is_zero() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    assertThat(probe.rttMicros()).isZero();
    assertThat(probe.rttMinMicros()).isZero();
    assertThat(probe.rttLastMicros()).isZero();
  }

  @Test
  void a_reply_after_the_timeout_is_a_sample_though_the_probe_counted_as_lost() {
    VirtualLink link = link(NO_PHASE, Duration.ofSeconds(60));
    link.runUntil(Duration.ofSeconds(61));
    assertThat(link.probe().measured()).isTrue();
    assertThat(link.probe().rttMicros()).isEqualTo(60_000_000);
    assertThat(link.probe().probesLost()).isGreaterThanOrEqualTo(10);
  }

  @Test
  void late_replies_do_not_disturb_the_count_of_lost_probes() {
    VirtualLink link = link(NO_PHASE, Duration.ofSeconds(60));
    link.runUntil(Duration.ofSeconds(200));
    long overdue = link.sentAtMillis().stream().filter(at -> at <= 160_000).count();
    assertThat(link.probe().probesLost()).isEqualTo(overdue);
  }

  @Test
  void a_reply_counts_once_and_only_for_a_probe_that_was_sent() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    assertThat(probe.replied(1, 0)).isFalse();
    assertThat(probe.tick(0)).hasValue(1);
    assertThat(probe.replied(0, MS)).isFalse();
    assertThat(probe.replied(-1, MS)).isFalse();
    assertThat(probe.replied(2, MS)).isFalse();
    assertThat(probe.replied(1, MS)).isTrue();
    assertThat(probe.replied(1, 2 * MS)).isFalse();
    assertThat(probe.rttLastMicros()).isEqualTo(1_000);
  }

  @Test
  void a_reply_dated_before_its_probe_is_not_a_sample() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    assertThat(probe.tick(5 * MS)).hasValue(1);
    assertThat(probe.replied(1, 4 * MS)).isFalse();
    assertThat(probe.replied(1, 6 * MS)).isTrue();
  }

  @Test
  void a_reply_to_a_forgotten_probe_is_not_a_sample() {
    VirtualLink link = link(NO_PHASE, millis(20));
    link.lose(1, 2);
    link.runUntil(Duration.ofMinutes(60));
    long oldestRemembered = link.probe().probesSent() - LinkProbe.REMEMBERED_PROBES + 1;
    assertThat(oldestRemembered).isGreaterThan(2);
    assertThat(link.probe().replied(1, link.nowNanos())).isFalse();

    VirtualLink other = link(NO_PHASE, millis(20));
    other.lose(oldestRemembered - 1, oldestRemembered);
    other.runUntil(Duration.ofMinutes(60));
    assertThat(other.probe().replied(oldestRemembered - 1, other.nowNanos())).isFalse();
    assertThat(other.probe().replied(oldestRemembered, other.nowNanos())).isTrue();
  }

  @Test
  void the_deadline_is_the_next_probe_or_the_end_of_the_wait_for_the_oldest() {
    LinkProbe probe = new LinkProbe(policy(millis(230)), millis(40), 0);
    assertThat(probe.nextDeadlineNanos()).isEqualTo(40 * MS);
    assertThat(probe.tick(39 * MS)).isEmpty();
    assertThat(probe.tick(40 * MS)).hasValue(1);
    assertThat(probe.tick(40 * MS)).isEmpty();
    assertThat(probe.nextDeadlineNanos()).isEqualTo(140 * MS);
    assertThat(probe.tick(140 * MS)).hasValue(2);
    assertThat(probe.tick(240 * MS)).hasValue(3);
    assertThat(probe.nextDeadlineNanos()).isEqualTo(270 * MS);
    assertThat(probe.replied(1, 250 * MS)).isTrue();
    assertThat(probe.nextDeadlineNanos()).isEqualTo(340 * MS);
  }

  @Test
  void a_probe_is_lost_at_the_latest_when_the_memory_is_full_of_later_ones() {
    VirtualLink link = new VirtualLink(policy(Duration.ofHours(1)), NO_PHASE, Duration.ofHours(2));
    link.runUntil(Duration.ofMinutes(10));
    long sent = link.probe().probesSent();
    assertThat(sent).isGreaterThan(3 * LinkProbe.REMEMBERED_PROBES);
    assertThat(link.probe().probesLost()).isEqualTo(sent - LinkProbe.REMEMBERED_PROBES);

    assertThat(link.probe().replied(sent - LinkProbe.REMEMBERED_PROBES, link.nowNanos())).isFalse();
    assertThat(link.probe().replied(sent - LinkProbe.REMEMBERED_PROBES + 1, link.nowNanos()))
        .isTrue();
  }

  @Test
  void an_extended_burst_goes_on_at_its_interval_and_then_becomes_steady() {
    VirtualLink link = link(NO_PHASE, millis(20));
    link.runUntil(millis(950));
    assertThat(link.probe().measured()).isTrue();
    link.probe().extendBurst(3, link.nowNanos());
    link.setRtt(millis(10));
    link.runUntil(millis(2_100));
    assertThat(link.sentAtMillis()).endsWith(800L, 900L, 1_050L, 1_150L, 1_250L, 1_500L, 2_000L);
    assertThat(link.probe().rttMicros()).isEqualTo(10_000);
  }

  @Test
  void a_link_whose_round_trip_stays_is_settled_when_it_is_measured() {
    VirtualLink link = link(NO_PHASE, millis(20));
    link.runUntil(millis(899));
    assertThat(link.probe().settled()).isFalse();
    link.runUntil(millis(901));
    assertThat(link.probe().measured()).isTrue();
    assertThat(link.probe().settled()).isTrue();
  }

  @Test
  void a_link_that_still_gets_faster_is_not_settled() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    long rtt = 100 * MS;
    for (int i = 0; i < 10; i++) {
      replyToNext(probe, i, rtt);
      rtt = rtt * 4 / 5;
    }
    assertThat(probe.measured()).isTrue();
    assertThat(probe.settled()).isFalse();

    probe.extendBurst(20, 900 * MS);
    for (int i = 10; i < 10 + LinkProbe.SETTLING_SAMPLES; i++) {
      assertThat(probe.settled()).isFalse();
      replyToNext(probe, i, i % 2 == 0 ? rtt : 3 * rtt);
    }
    replyToNext(probe, 10 + LinkProbe.SETTLING_SAMPLES, rtt);
    assertThat(probe.settled()).isTrue();
  }

  @Test
  void a_link_is_not_settled_while_its_probes_leave_late() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    for (int i = 0; i < 10; i++) {
      replyToNext(probe, i, 20 * MS);
    }
    assertThat(probe.settled()).isTrue();
    probe.extendBurst(20, 900 * MS);
    assertThat(probe.tick(1_030 * MS)).isPresent();
    assertThat(probe.settled()).isFalse();
  }

  /** Sends the probe that is due at 100 ms times i, and handles its reply. */
  private static void replyToNext(LinkProbe probe, int i, long rttNanos) {
    long nowNanos = i * 100L * MS;
    long number = probe.tick(nowNanos).orElseThrow();
    assertThat(probe.replied(number, nowNanos + rttNanos)).isTrue();
  }

  @Test
  void an_extended_burst_can_be_ended_early() {
    VirtualLink link = link(NO_PHASE, millis(20));
    link.runUntil(millis(950));
    link.probe().extendBurst(30, link.nowNanos());
    link.runUntil(millis(1_200));
    link.probe().endBurst(link.nowNanos());
    link.runUntil(millis(2_100));
    assertThat(link.sentAtMillis()).endsWith(900L, 1_050L, 1_150L, 1_500L, 2_000L);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE - 1_000_000_000, Long.MIN_VALUE, -5, 0, 1L << 40})
  void any_origin_of_time_gives_the_same_schedule(long startNanos) {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, millis(1_230), startNanos);
    List<Long> sent = new ArrayList<>();
    for (long ms = 0; ms < 2_500; ms++) {
      long nowNanos = startNanos + ms * MS;
      long number = probe.tick(nowNanos).orElse(0);
      if (number > 0) {
        sent.add(ms);
        assertThat(probe.replied(number, nowNanos)).isTrue();
      }
    }
    assertThat(sent).startsWith(30L, 130L).endsWith(930L, 1_230L, 1_730L, 2_230L);
  }

  @Test
  void the_time_that_the_other_end_held_a_probe_is_not_part_of_the_round_trip() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    assertThat(probe.tick(0)).hasValue(1);
    assertThat(probe.tick(100 * MS)).hasValue(2);
    assertThat(probe.replied(1, 50 * MS, 30 * MS, 0)).isTrue();
    assertThat(probe.rttMicros()).isEqualTo(20_000);
    assertThat(probe.replied(2, 150 * MS, 51 * MS, 0)).as("held for longer than it was").isFalse();
    assertThat(probe.rttMicros()).isEqualTo(20_000);
  }

  @Test
  void a_round_trip_that_lateness_explains_is_discarded_and_any_other_counts() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    assertThat(probe.sampled(20 * MS, 5 * MS)).as("the first").isTrue();
    assertThat(probe.sampled(30 * MS, 5 * MS)).as("explained").isFalse();
    assertThat(probe.rttLastMicros()).isEqualTo(20_000);
    assertThat(probe.discarded()).isEqualTo(1);
    assertThat(probe.sampled(21 * MS, 5 * MS)).as("about as long as the least").isTrue();
    assertThat(probe.sampled(19 * MS, 5 * MS)).as("shorter").isTrue();
    assertThat(probe.sampled(30 * MS, 5 * MS)).as("longer than is explained").isTrue();
    assertThat(probe.sampled(30 * MS, 0)).as("nobody was late").isTrue();
    assertThat(probe.discarded()).isEqualTo(1);
  }

  @Test
  void the_minimum_of_many_consecutive_discarded_round_trips_is_believed() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    assertThat(probe.sampled(20 * MS, 0)).isTrue();
    int most = LinkProbe.DISCARDED_WINDOWS * ProbePolicy.DEFAULT.windowSamples();
    for (int i = 1; i < most; i++) {
      assertThat(probe.tick(i * 500L * MS)).isPresent();
      assertThat(probe.sampled((40 + i % 7) * MS, 50 * MS)).isFalse();
    }
    assertThat(probe.rttMicros()).isEqualTo(20_000);
    assertThat(probe.tick(most * 500L * MS)).isPresent();
    assertThat(probe.sampled(60 * MS, 50 * MS)).isTrue();
    assertThat(probe.rttMicros()).isEqualTo(40_000);
    assertThat(probe.rttMinMicros()).isEqualTo(40_000);
    assertThat(probe.rttLastMicros()).isEqualTo(40_000);
    assertThat(probe.sampled(60 * MS, 50 * MS)).as("from here on they count again").isFalse();
  }

  @Test
  void a_minimum_to_which_no_other_round_trip_is_near_is_not_believed_however_long() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    assertThat(probe.sampled(20 * MS, 0)).isTrue();
    int most = LinkProbe.DISCARDED_WINDOWS * ProbePolicy.DEFAULT.windowSamples();
    int i = 1;
    for (; i <= 5 * most; i++) {
      assertThat(probe.tick(i * 500L * MS)).isPresent();
      assertThat(probe.sampled((60 + i * 37 % 400) * MS, 250 * MS)).isFalse();
    }
    assertThat(probe.rttMicros()).isEqualTo(20_000);

    // Every fourth round trip does without a wait.
    boolean isBelieved = false;
    for (; i <= 6 * most; i++) {
      assertThat(probe.tick(i * 500L * MS)).isPresent();
      isBelieved |= probe.sampled((i % 4 == 0 ? 60 : 80 + i * 37 % 400) * MS, 250 * MS);
    }
    assertThat(isBelieved).isTrue();
    assertThat(probe.rttMinMicros()).isEqualTo(60_000);
  }

  @Test
  void a_burst_of_discarded_round_trips_is_not_believed_however_long() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    for (int i = 0; i < 10; i++) {
      replyToNext(probe, i, 20 * MS);
    }
    probe.extendBurst(150, 900 * MS);
    for (int i = 10; i < 150; i++) {
      long number = probe.tick(i * 100L * MS).orElseThrow();
      assertThat(probe.replied(number, (i * 100L + 40) * MS, 0, 50 * MS)).isFalse();
    }
    assertThat(probe.rttMicros()).isEqualTo(20_000);
  }

  @Test
  void round_trips_too_long_to_be_explained_count_only_while_none_between_them_is_discarded() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    assertThat(probe.sampled(20 * MS, 0)).isTrue();
    for (int i = 0; i < 8; i++) {
      for (int j = 0; j < 3; j++) {
        assertThat(probe.sampled(300 * MS, 50 * MS)).isTrue();
      }
      assertThat(probe.sampled(80 * MS, 50 * MS)).isFalse();
    }
    assertThat(probe.rttMicros()).isEqualTo(20_000);

    for (int j = 0; j < ProbePolicy.DEFAULT.windowSamples(); j++) {
      assertThat(probe.sampled(300 * MS, 50 * MS)).isTrue();
    }
    assertThat(probe.rttMicros()).isEqualTo(300_000);
  }

  @Test
  void a_link_that_is_slower_about_as_much_as_lateness_explains_counts_after_as_many() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    assertThat(probe.sampled(20 * MS, 0)).isTrue();
    int most = LinkProbe.DISCARDED_WINDOWS * ProbePolicy.DEFAULT.windowSamples();
    for (int i = 1; i <= most + 1; i++) {
      assertThat(probe.tick(i * 500L * MS)).isPresent();
      var unused = probe.sampled((i % 2 == 0 ? 130 : 110) * MS, 50 * MS);
    }
    assertThat(probe.rttMicros()).isEqualTo(110_000);
  }

  @Test
  void discarded_round_trips_do_not_delay_that_the_link_is_measured() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    for (int i = 0; i < 10; i++) {
      long number = probe.tick(i * 100L * MS).orElseThrow();
      var unused = probe.replied(number, (i * 100L + (i == 0 ? 20 : 40)) * MS, 0, 50 * MS);
    }
    assertThat(probe.discarded()).isEqualTo(9);
    assertThat(probe.measured()).isTrue();
    assertThat(probe.rttMinMicros()).isEqualTo(20_000);
  }

  @Test
  void a_link_takes_three_times_as_many_samples_to_settle_while_an_end_is_late() {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    for (int i = 0; i < 10; i++) {
      replyToNext(probe, i, 20 * MS);
    }
    assertThat(probe.settled()).isTrue();
    var unused = probe.sampled(20 * MS, 50 * MS);
    assertThat(probe.settled()).isFalse();
    for (int i = 11; i <= 3 * LinkProbe.SETTLING_SAMPLES; i++) {
      assertThat(probe.settled()).isFalse();
      unused = probe.sampled(20 * MS, 50 * MS);
    }
    assertThat(probe.settled()).isTrue();
  }

  @Test
  void refuses_a_negative_phase() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LinkProbe(ProbePolicy.DEFAULT, millis(-1), 0))
        .withMessageContainingAll("phase", "PT-0.001S");
  }

  private static long onlySample(long rttNanos) {
    LinkProbe probe = new LinkProbe(ProbePolicy.DEFAULT, NO_PHASE, 0);
    assertThat(probe.tick(0)).hasValue(1);
    assertThat(probe.replied(1, rttNanos)).isTrue();
    assertThat(probe.rttMicros()).isEqualTo(probe.rttLastMicros()).isEqualTo(probe.rttMinMicros());
    return probe.rttMicros();
  }

  private static VirtualLink link(Duration phase, Duration rtt) {
    return new VirtualLink(ProbePolicy.DEFAULT, phase, rtt);
  }

  private static ProbePolicy policy(Duration replyTimeout) {
    return new ProbePolicy(10, 8, millis(100), millis(500), replyTimeout, 5);
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }
}
