package io.treecast.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.measure.Measurement;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.ClockEcho;
import io.treecast.agent.core.message.PeerMessage.Heartbeat;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import io.treecast.monitor.probe.LinkProbe;
import io.treecast.monitor.probe.ProbePolicy;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * In a large cluster who tries a link pays for its first measurement. The agent is h1, a member of
 * a tree for three minutes. It owns the links to those called n, and b the one to b.
 */
class TrialMeasurementTest {
  private static final int WINDOW = ProbePolicy.DEFAULT.windowSamples();
  private static final long STEADY_MILLIS = ProbePolicy.DEFAULT.steadyInterval().toMillis();
  private static final int STEP_MILLIS = 10;

  /** Until a link that was measured is announced, though its round trip is not settled. */
  private static final int ANNOUNCED_MILLIS = 7_000;

  private final PacedLinks links = new PacedLinks(neighbours());
  private final Measurement measurement = links.measurement();

  TrialMeasurementTest() {
    links.commit(Stream.of(neighbours()).skip(1).toArray(String[]::new));
    links.pass(Duration.ofMinutes(3).toMillis());
    measurement.follow(links.nowNanos());
    Stream.of(neighbours()).forEach(links::takeSent);
  }

  /** More than a full mesh has; the first is the root. */
  private static String[] neighbours() {
    return Stream.concat(
            Stream.of("a", "b"), IntStream.range(10, 50).mapToObj(number -> "n" + number))
        .toArray(String[]::new);
  }

  /**
   * Lets time pass, and answers probes when they come.
   *
   * @return how many probes and heartbeats were sent to the neighbour
   */
  private int run(Link link, long millis) {
    int asked = 0;
    for (int passed = 0; passed < millis; passed += STEP_MILLIS) {
      measurement.tick(links.nowNanos());
      for (PeerMessage message : links.takeSent(link.peer.toString())) {
        asked += message instanceof Probe || message instanceof Heartbeat ? 1 : 0;
        if (message instanceof Probe probe) {
          receive(link, new ProbeReply(probe.number(), 0));
        }
      }
      links.pass(STEP_MILLIS);
    }
    return asked;
  }

  private void receive(Link link, PeerMessage message) {
    assertThat(measurement.received(link, message, links.nowNanos())).isTrue();
  }

  @Test
  void the_owner_that_tries_a_link_sends_a_window_of_probes() {
    Link link = links.reopen("n20", "n20:1");
    measurement.opened(link, links.nowNanos());
    assertThat(run(link, ANNOUNCED_MILLIS)).isEqualTo(WINDOW);
    assertThat(link.weight).isNotNull();
  }

  @Test
  void the_owner_of_a_link_that_the_other_end_tries_sends_one_probe_and_learns_from_heartbeats() {
    Link link = links.reopen("n20", null);
    measurement.opened(link, links.nowNanos());
    assertThat(run(link, 4 * STEADY_MILLIS)).isEqualTo(1);
    for (int rttMillis = WINDOW; rttMillis > 0; rttMillis--) {
      long rttNanos = Duration.ofMillis(rttMillis).toNanos();
      ClockEcho echo = new ClockEcho(links.nowNanos() - rttNanos, 0);
      receive(link, new Heartbeat(STEADY_MILLIS, false, 0, echo));
    }
    LinkProbe probe = link.probe;
    assertThat(probe).isNotNull();
    assertThat(probe.measured()).isTrue();
    assertThat(probe.rttLastMicros()).isEqualTo(1_000);
    var unused = run(link, ANNOUNCED_MILLIS);
    assertThat(link.weight).isNotNull();
  }

  @Test
  void a_trial_of_another_owners_link_takes_heartbeats_for_a_window_of_echoes() {
    Link link = links.reopen("b", "b:1");
    measurement.opened(link, links.nowNanos());
    assertThat(run(link, ANNOUNCED_MILLIS)).isEqualTo(1 + WINDOW);
  }

  @Test
  void a_trial_by_the_owner_costs_the_other_end_no_heartbeats() {
    Link link = links.reopen("b", null);
    measurement.opened(link, links.nowNanos());
    assertThat(run(link, ANNOUNCED_MILLIS)).isZero();
  }
}
