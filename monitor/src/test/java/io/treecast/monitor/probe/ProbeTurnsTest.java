package io.treecast.monitor.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeTurnsTest {
  private static final long MS = 1_000_000;
  private static final long S = 1_000 * MS;

  /** Five a second, of which a brisk link takes two. */
  private final ProbeTurns turns = new ProbeTurns(ProbePolicy.DEFAULT);

  @Test
  void a_single_calm_link_is_probed_once_in_each_measurement_interval() {
    assertThat(turns.next(1, 10 * S)).isEqualTo(12_500 * MS);
    assertThat(turns.next(1, 12_500 * MS)).isEqualTo(15 * S);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 23, 40, 200})
  void any_number_of_calm_links_together_takes_three_turns_a_second_at_equal_distances(int links) {
    PriorityQueue<Long> due = new PriorityQueue<>();
    for (int i = 0; i < links; i++) {
      due.add(0L);
    }
    long last = 0;
    int probes = 0;
    for (long now = due.remove(); now < 600 * S; now = due.remove()) {
      if (now >= 300 * S) {
        assertThat(now - last).isBetween(333 * MS, 334 * MS);
        probes++;
      }
      last = now;
      due.add(turns.next(links, now));
    }
    assertThat(probes).isBetween(899, 900);
  }

  @Test
  void no_link_of_thousands_waits_longer_than_a_probe_may_announce() {
    for (int i = 0; i < 100_000; i++) {
      turns.probedBeside(10_000, 0);
    }
    assertThat(turns.next(10_000, 0)).isEqualTo(3_600 * S);
    assertThat(turns.next(10_000, 0)).isEqualTo(3_600 * S);
  }

  @Test
  void probes_out_of_turn_use_up_turns() {
    long turn = turns.next(20, 0);
    for (int i = 0; i < 3; i++) {
      turns.probedBeside(20, 0);
    }
    assertThat(turns.next(20, 0) - turn).isBetween(1_333 * MS, 1_334 * MS);
  }

  @Test
  void however_many_were_out_of_turn_each_link_has_a_turn_in_six_times_the_time_that_all_take() {
    for (int i = 0; i < 1_000; i++) {
      turns.probedBeside(30, 0);
    }
    assertThat(turns.next(30, 0)).isBetween(60 * S, 60_400 * MS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 40})
  void probes_that_can_wait_have_room_while_links_have_their_turns_in_time(int links) {
    assertThat(turns.roomNanos(links)).as("before the first turn").isLessThan(-1_000 * S);
    long now = 0;
    for (int i = 0; i < links; i++) {
      turns.next(links, now);
    }
    assertThat(turns.roomNanos(links)).isLessThanOrEqualTo(now);
  }

  @Test
  void probes_that_wait_for_room_leave_the_links_a_third_of_the_turns() {
    PriorityQueue<Long> due = new PriorityQueue<>();
    for (int i = 0; i < 30; i++) {
      due.add(0L);
    }
    int inTurn = 0;
    int beside = 0;
    for (long now = 0; now < 600 * S; now += 10 * MS) {
      while (due.element() <= now) {
        due.remove();
        due.add(turns.next(30, now));
        inTurn += now < 300 * S ? 0 : 1;
      }
      if (turns.roomNanos(30) <= now) {
        turns.probedBeside(30, now);
        beside += now < 300 * S ? 0 : 1;
      }
    }
    assertThat(inTurn + beside).isBetween(890, 910);
    assertThat(inTurn).isBetween(270, 330);
  }

  @Test
  void unused_turns_are_not_made_up_for() {
    turns.next(40, 0);
    assertThat(turns.next(40, 100 * S)).isEqualTo(102_500 * MS);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE / 2, -5, Long.MAX_VALUE / 2})
  void any_origin_of_time_gives_the_same_turns(long origin) {
    assertThat(turns.next(9, origin) - origin).isEqualTo(2_500 * MS);
    assertThat(turns.next(9, origin) - origin).isBetween(2_833 * MS, 2_834 * MS);
  }

  @Test
  void half_of_the_rest_of_a_larger_budget_is_for_close_looks() {
    assertThat(turns.maxCloseLooks()).isEqualTo(1);
    assertThat(new ProbeTurns(policy(42)).maxCloseLooks()).isEqualTo(10);
  }

  private static ProbePolicy policy(int perSecond) {
    ProbePolicy usual = ProbePolicy.DEFAULT;
    return new ProbePolicy(
        usual.initialProbes(),
        usual.samplesRequired(),
        usual.initialInterval(),
        Duration.ofMillis(500),
        usual.replyTimeout(),
        usual.windowSamples(),
        usual.measurementInterval(),
        perSecond);
  }
}
