package io.treecast.agent.core.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.PacedLinks;
import io.treecast.monitor.probe.LinkProbe;
import io.treecast.monitor.probe.ProbePolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * How often which link is probed. The agent is h1; it owns its links to y and z, those to a and b
 * are theirs.
 */
class PaceTest {
  /** Two windows of samples. */
  private static final int CLOSE_LOOK_PROBES = 2 * ProbePolicy.DEFAULT.windowSamples();

  private static final long STEADY_MILLIS = ProbePolicy.DEFAULT.steadyInterval().toMillis();

  private final PacedLinks links = new PacedLinks("a", "b", "y", "z");
  private final Pace pace = links.pace();

  private boolean isBrisk(String neighbour) {
    return pace.isBrisk(links.link(neighbour));
  }

  private LinkProbe probe(String neighbour) {
    LinkProbe probe = links.link(neighbour).probe;
    assertThat(probe).isNotNull();
    return probe;
  }

  private boolean probesAllLinks() {
    return pace.probesAllLinks(links.nowNanos());
  }

  private boolean looksCloser(String neighbour) {
    LinkProbe probe = probe(neighbour);
    return pace.startCloseLook(links.link(neighbour), probe, probe.probesSent());
  }

  /** In a tree for so long that nothing is looked at closely any more. */
  private void settle() {
    links.commit("y", "z");
    links.probe("y", CLOSE_LOOK_PROBES);
    links.probe("z", CLOSE_LOOK_PROBES);
  }

  @Test
  void before_the_first_tree_all_links_are_brisk() {
    assertThat(pace.follow()).isFalse();
    links.probe("z", 3 * CLOSE_LOOK_PROBES);
    assertThat(isBrisk("a")).isTrue();
    assertThat(isBrisk("z")).isTrue();
  }

  @Test
  void a_link_is_looked_at_closely_when_its_other_end_has_come_into_the_tree() {
    links.commit("z");
    assertThat(isBrisk("y")).as("y is in no tree").isFalse();
    links.probe("z", CLOSE_LOOK_PROBES - 1);
    assertThat(isBrisk("z")).isTrue();
    links.probe("z", 1);
    assertThat(isBrisk("z")).isFalse();

    links.commit("y", "z");
    assertThat(isBrisk("y")).isTrue();
    assertThat(isBrisk("z")).as("z was there before").isFalse();
  }

  @Test
  void in_a_tree_only_the_edge_to_the_parent_stays_brisk() {
    settle();
    assertThat(isBrisk("a")).isTrue();
    assertThat(isBrisk("y")).isFalse();
    assertThat(isBrisk("z")).isFalse();
  }

  @Test
  void calm_links_wait_for_their_turns() {
    settle();
    links.probe("y", 1);
    links.probe("z", 1);
    assertThat(probe("z").nextProbeNanos() - links.nowNanos())
        .isGreaterThan(Duration.ofMillis(STEADY_MILLIS).toNanos());
    assertThat(probe("z").nextProbeNanos()).isGreaterThan(probe("y").nextProbeNanos());
  }

  @Test
  void a_link_that_answered_otherwise_than_forecast_is_looked_at_closely_for_a_while() {
    settle();
    links.probe("z", 1);
    assertThat(looksCloser("z")).isTrue();
    assertThat(isBrisk("z")).isTrue();
    assertThat(looksCloser("z")).as("it is already").isFalse();
    links.probe("z", CLOSE_LOOK_PROBES);
    assertThat(isBrisk("z")).isFalse();
  }

  @Test
  void a_close_look_does_not_lead_to_the_next_one() {
    settle();
    links.probe("z", 1);
    assertThat(looksCloser("z")).isTrue();
    links.probe("z", CLOSE_LOOK_PROBES);
    assertThat(looksCloser("z")).as("the last reply of the close look").isFalse();
    links.probe("z", 1);
    assertThat(looksCloser("z")).as("a reply to a later probe").isTrue();
  }

  @Test
  void one_link_at_a_time_is_looked_at_closely() {
    settle();
    links.probe("y", 1);
    links.probe("z", 1);
    assertThat(looksCloser("y")).isTrue();
    assertThat(looksCloser("z")).isFalse();
  }

  @Test
  void a_link_that_carries_an_upload_is_brisk_for_a_while_and_takes_no_close_look_from_others() {
    settle();
    assertThat(pace.watch(links.link("z"))).isTrue();
    assertThat(isBrisk("z")).isTrue();
    assertThat(pace.watch(links.link("z"))).as("it is brisk already").isFalse();
    links.probe("y", 1);
    assertThat(looksCloser("y")).isTrue();

    links.probe("z", 20);
    assertThat(isBrisk("z")).isFalse();
  }

  @Test
  void the_roll_is_called_once_for_each_reason_and_no_more_than_once_a_second() {
    settle();
    assertThat(probesAllLinks()).isFalse();
    pace.probeAllLinks();
    assertThat(probesAllLinks()).isTrue();
    assertThat(probesAllLinks()).isFalse();

    links.pass(2 * STEADY_MILLIS - 1);
    pace.probeAllLinks();
    assertThat(probesAllLinks()).as("too soon").isFalse();
    links.pass(1);
    assertThat(probesAllLinks()).as("the reason is forgotten").isFalse();
    pace.probeAllLinks();
    assertThat(probesAllLinks()).isTrue();
  }

  @Test
  void without_a_tree_there_is_no_roll_to_call() {
    pace.probeAllLinks();
    assertThat(probesAllLinks()).isFalse();
  }

  @Test
  void a_change_of_the_tree_that_takes_longer_than_an_interval_calls_the_roll_once() {
    settle();
    assertThat(pace.nextDeadlineNanos()).isGreaterThan(links.nowNanos() + Long.MAX_VALUE / 4);

    links.search();
    long dueNanos = links.nowNanos() + Duration.ofMillis(STEADY_MILLIS).toNanos();
    assertThat(pace.nextDeadlineNanos()).isEqualTo(dueNanos);
    links.pass(STEADY_MILLIS - 1);
    assertThat(probesAllLinks()).isFalse();
    links.pass(1);
    assertThat(probesAllLinks()).isTrue();
    assertThat(pace.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    links.pass(10 * STEADY_MILLIS);
    assertThat(probesAllLinks()).isFalse();
  }

  /** One that has been in a tree for long, with more out of turn than there is room for. */
  private static PacedLinks overdrawn() {
    PacedLinks links =
        new PacedLinks("a", "b", "c", "d", "e", "f", "s", "t", "u", "v", "w", "x", "y", "z");
    links.commit("b", "z");
    links.probe("z", CLOSE_LOOK_PROBES + 1);
    assertThat(links.pace().hasRoom(links.nowNanos())).isTrue();
    for (int i = 0; i < 100; i++) {
      links.pace().asked(links.link("b"), links.nowNanos());
    }
    assertThat(links.pace().hasRoom(links.nowNanos())).isFalse();
    return links;
  }

  @Test
  void heartbeats_to_the_parent_use_up_no_turns() {
    PacedLinks links = overdrawn();
    links.passTo(links.nowNanos() + Duration.ofHours(1).toNanos());
    for (int i = 0; i < 100; i++) {
      links.pace().asked(links.link("a"), links.nowNanos());
    }
    assertThat(links.pace().hasRoom(links.nowNanos())).isTrue();
  }

  @Test
  void for_a_change_of_the_tree_the_roll_is_called_when_the_budget_has_room() {
    PacedLinks links = overdrawn();
    links.search();
    links.pass(STEADY_MILLIS);
    assertThat(links.pace().probesAllLinks(links.nowNanos())).isFalse();

    links.passTo(links.pace().nextDeadlineNanos());
    assertThat(links.pace().hasRoom(links.nowNanos())).isTrue();
    assertThat(links.pace().probesAllLinks(links.nowNanos())).isTrue();
  }

  @Test
  void others_are_tried_when_there_is_room_but_at_any_time_until_neighbours_are_found() {
    PacedLinks links = overdrawn();
    assertThat(links.pace().mayTry(links.nowNanos())).isTrue();

    links.passTo(Duration.ofMinutes(3).toNanos());
    assertThat(links.pace().mayTry(links.nowNanos())).isTrue();
    for (int i = 0; i < 100; i++) {
      links.pace().asked(links.link("b"), links.nowNanos());
    }
    assertThat(links.pace().mayTry(links.nowNanos())).isFalse();
  }

  @Test
  void for_an_edge_that_is_suspected_the_roll_is_called_though_the_budget_has_no_room() {
    PacedLinks links = overdrawn();
    links.pace().probeAllLinks();
    assertThat(links.pace().probesAllLinks(links.nowNanos())).isTrue();
  }

  @Test
  void a_link_that_is_tried_from_here_is_brisk() {
    settle();
    assertThat(isBrisk("b")).isFalse();
    links.link("b").trialHeartbeats = 1;
    assertThat(isBrisk("b")).isTrue();
  }
}
