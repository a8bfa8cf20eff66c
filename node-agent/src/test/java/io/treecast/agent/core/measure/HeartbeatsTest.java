package io.treecast.agent.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.treecast.agent.core.PacedLinks;
import io.treecast.agent.core.message.PeerMessage.ClockEcho;
import io.treecast.agent.core.message.PeerMessage.Heartbeat;
import io.treecast.agent.core.message.PeerMessage.HeartbeatReply;
import io.treecast.monitor.probe.ProbePolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * An agent sends heartbeats on links that it does not own. The agent is h1; a, its parent in the
 * tree, and b own their links to it, and it owns the one to z.
 */
class HeartbeatsTest {
  private static final long STEADY_MILLIS = ProbePolicy.DEFAULT.steadyInterval().toMillis();

  private final PacedLinks links = new PacedLinks("a", "b", "z");
  private final Heartbeats heartbeats = links.heartbeats();

  private void begin(String neighbour) {
    heartbeats.begin(links.link(neighbour), links.nowNanos());
  }

  private void pass(long millis) {
    links.pass(millis);
    heartbeats.tick(links.nowNanos());
  }

  private List<Heartbeat> takeSent(String neighbour) {
    return links.takeSent(neighbour).stream()
        .filter(Heartbeat.class::isInstance)
        .map(Heartbeat.class::cast)
        .toList();
  }

  private Heartbeat heartbeat(long nextMillis) {
    return new Heartbeat(nextMillis, false, links.nowNanos(), null);
  }

  @Test
  void the_parent_is_asked_at_once_and_then_at_the_steady_interval() {
    links.commit("b", "z");
    begin("a");
    assertThat(heartbeats.nextDeadlineNanos()).isEqualTo(links.nowNanos());
    pass(0);
    assertThat(takeSent("a")).containsExactly(heartbeat(STEADY_MILLIS));
    pass(STEADY_MILLIS - 1);
    assertThat(takeSent("a")).isEmpty();
    pass(1);
    assertThat(takeSent("a")).containsExactly(heartbeat(STEADY_MILLIS));
    assertThat(heartbeats.sent()).isEqualTo(2);
    assertThat(heartbeats.nextDeadlineNanos())
        .isEqualTo(links.nowNanos() + Duration.ofMillis(STEADY_MILLIS).toNanos());
  }

  @Test
  void a_heartbeat_that_is_due_is_not_sent_sooner() {
    links.commit("b", "z");
    begin("a");
    pass(0);
    links.takeSent("a");
    pass(1);
    begin("a");
    pass(0);
    assertThat(takeSent("a")).isEmpty();
  }

  @Test
  void on_a_calm_link_one_is_sent_which_says_that_none_follows() {
    links.commit("b", "z");
    begin("b");
    pass(0);
    assertThat(takeSent("b")).containsExactly(heartbeat(0));
    assertThat(heartbeats.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    pass(10 * STEADY_MILLIS);
    assertThat(takeSent("b")).isEmpty();
  }

  @Test
  void a_roll_call_is_passed_on() {
    links.commit("b", "z");
    begin("b");
    heartbeats.tick(true, links.nowNanos());
    assertThat(takeSent("b")).containsExactly(new Heartbeat(0, true, links.nowNanos(), null));
  }

  @Test
  void it_says_what_the_latest_reply_said_and_how_long_ago_that_came() {
    links.commit("b", "z");
    begin("a");
    pass(0);
    links.takeSent("a");
    links.pass(200);
    heartbeats.replied(links.link("a"), new HeartbeatReply(STEADY_MILLIS, 1_234), links.nowNanos());
    pass(STEADY_MILLIS - 200);
    assertThat(takeSent("a"))
        .extracting(Heartbeat::echo)
        .containsExactly(new ClockEcho(1_234, Duration.ofMillis(STEADY_MILLIS - 200).toNanos()));
  }

  @Test
  void a_link_that_is_tried_is_asked_until_its_owner_knows_so_many_round_trips_from_it() {
    links.commit("b", "z");
    links.link("b").weight = null;
    heartbeats.beginTrial(links.link("b"), 2, links.nowNanos());
    pass(0);
    assertThat(takeSent("b")).containsExactly(heartbeat(STEADY_MILLIS));
    heartbeats.replied(links.link("b"), new HeartbeatReply(STEADY_MILLIS, 1_234), links.nowNanos());
    pass(STEADY_MILLIS);
    pass(STEADY_MILLIS);
    assertThat(takeSent("b"))
        .extracting(Heartbeat::nextMillis, asked -> asked.echo() != null)
        .containsExactly(tuple(STEADY_MILLIS, true), tuple(0L, true));
    pass(10 * STEADY_MILLIS);
    assertThat(takeSent("b")).isEmpty();
  }

  @Test
  void a_trial_ends_with_the_session() {
    links.commit("b", "z");
    heartbeats.beginTrial(links.link("b"), 5, links.nowNanos());
    pass(0);
    Heartbeats.lost(links.link("b"));
    links.takeSent("b");
    begin("b");
    pass(0);
    assertThat(takeSent("b")).containsExactly(heartbeat(0));
  }

  @Test
  void with_the_session_end_the_heartbeats_and_what_was_heard() {
    links.commit("b", "z");
    begin("a");
    pass(0);
    heartbeats.replied(links.link("a"), new HeartbeatReply(STEADY_MILLIS, 1_234), links.nowNanos());
    Heartbeats.lost(links.link("a"));
    links.takeSent("a");
    pass(STEADY_MILLIS);
    assertThat(takeSent("a")).isEmpty();

    begin("a");
    pass(0);
    assertThat(takeSent("a")).containsExactly(heartbeat(STEADY_MILLIS));
  }

  @Test
  void the_owner_of_a_link_and_who_cannot_be_reached_or_is_not_measured_are_not_asked() {
    links.commit("b", "z");
    links.link("a").suspended = true;
    links.link("b").weight = null;
    begin("a");
    begin("b");
    begin("z");
    pass(0);
    assertThat(takeSent("a")).isEmpty();
    assertThat(takeSent("b")).isEmpty();
    assertThat(takeSent("z")).isEmpty();
    assertThat(heartbeats.sent()).isZero();
  }
}
