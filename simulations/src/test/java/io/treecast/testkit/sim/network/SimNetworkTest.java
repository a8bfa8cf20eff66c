package io.treecast.testkit.sim.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.testkit.network.NetworkConditions;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.RecordingHost;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The effects of links on messages, with a link of 5 ms one way between two nodes. */
class SimNetworkTest {
  private final VirtualTime time = new VirtualTime();
  private final NetworkConditions conditions =
      new NetworkConditions(Topology.of(2, List.of(Link.between(0, 1, 10_000))));
  private final SimNetwork network = new SimNetwork(time, conditions, 1, at -> {});
  private final RecordingHost dialer = new RecordingHost(network, 0);
  private final RecordingHost acceptor = new RecordingHost(network, 1);

  private void runTo(long millis) {
    boolean more = true;
    while (more) {
      more = time.step(millis * 1_000_000);
    }
  }

  private SimStream<PeerMessage> connected() {
    SimStream<PeerMessage> stream = dialer.dial(1);
    runTo(10);
    acceptor.received.clear();
    return stream;
  }

  @Test
  void a_message_takes_half_a_round_trip() {
    SimStream<PeerMessage> stream = connected();
    stream.send(new Probe(1, 500, 0, false, null));
    runTo(100);
    assertThat(acceptor.received).containsExactly("15.0 ms: probe 1");
  }

  @Test
  void a_cut_holds_messages_and_heal_sends_them_again_in_order() {
    SimStream<PeerMessage> stream = connected();
    stream.send(new Probe(1, 500, 0, false, null));
    conditions.cut(0, 1);
    stream.send(new Probe(2, 500, 0, false, null));
    runTo(1_000);
    assertThat(acceptor.received).isEmpty();
    stream.send(new Probe(3, 500, 0, false, null));
    conditions.heal(0, 1);
    network.released();
    runTo(2_000);
    assertThat(acceptor.received)
        .containsExactly("1005.0 ms: probe 1", "1005.0 ms: probe 2", "1005.0 ms: probe 3");
  }

  @Test
  void a_cut_that_heals_while_a_message_is_under_way_does_not_delay_it() {
    SimStream<PeerMessage> stream = connected();
    stream.send(new Probe(1, 500, 0, false, null));
    conditions.cut(0, 1);
    runTo(12);
    conditions.heal(0, 1);
    network.released();
    runTo(100);
    assertThat(acceptor.received).containsExactly("15.0 ms: probe 1");
  }

  @Test
  void a_dial_over_a_cut_hangs_until_heal() {
    conditions.cut(0, 1);
    dialer.dial(1).send(new Probe(1, 500, 0, false, null));
    runTo(60_000);
    assertThat(acceptor.received).isEmpty();
    assertThat(dialer.received).isEmpty();
    conditions.heal(0, 1);
    network.released();
    runTo(60_100);
    assertThat(acceptor.received).containsExactly("60005.0 ms: accepted", "60005.0 ms: probe 1");
  }

  @Test
  void a_dial_is_not_accepted_where_the_answer_does_not_pass() {
    conditions.oneWay(1, 0);
    dialer.dial(1);
    runTo(60_000);
    assertThat(acceptor.received).isEmpty();
  }

  @Test
  void a_cut_of_one_way_holds_that_way_only() {
    SimStream<PeerMessage> stream = connected();
    conditions.oneWay(0, 1);
    stream.send(new Probe(1, 500, 0, false, null));
    acceptor.accepted.get(0).send(new Probe(2, 500, 0, false, null));
    runTo(100);
    assertThat(acceptor.received).isEmpty();
    assertThat(dialer.received).containsExactly("15.0 ms: probe 2");
  }

  @Test
  void a_shorter_round_trip_lets_nothing_overtake() {
    SimStream<PeerMessage> stream = connected();
    conditions.rtt(0, 1, 1_000_000);
    stream.send(new Probe(1, 500, 0, false, null));
    conditions.rtt(0, 1, 2_000);
    stream.send(new Probe(2, 500, 0, false, null));
    runTo(2_000);
    assertThat(acceptor.received).containsExactly("510.0 ms: probe 1", "510.0 ms: probe 2");
  }

  @Test
  void a_lost_message_is_late_by_retransmission_timeouts_and_delays_later_ones() {
    SimStream<PeerMessage> stream = connected();
    conditions.loss(0, 1, NetworkConditions.MAX_LOSS);
    stream.send(new Probe(1, 500, 0, false, null));
    conditions.loss(0, 1, 0);
    stream.send(new Probe(2, 500, 0, false, null));
    runTo(120_000);
    // Eight losses: (200 + 10) ms * (1 + 2 + ... + 128), and 5 ms.
    assertThat(acceptor.received).containsExactly("53565.0 ms: probe 1", "53565.0 ms: probe 2");
  }

  @Test
  void a_reset_ends_both_ends_at_once_with_all_messages_under_way() {
    SimStream<PeerMessage> stream = connected();
    stream.send(new Probe(1, 500, 0, false, null));
    network.reset(0, 1);
    runTo(100);
    assertThat(acceptor.received).containsExactly("10.0 ms: connection reset");
    assertThat(dialer.received).containsExactly("10.0 ms: connection reset");
  }

  @Test
  void a_host_that_is_gone_closes_its_connections_after_its_messages() {
    SimStream<PeerMessage> stream = connected();
    stream.send(new Probe(1, 500, 0, false, null));
    network.detach(dialer);
    stream.send(new Probe(2, 500, 0, false, null));
    runTo(100);
    assertThat(acceptor.received)
        .containsExactly("15.0 ms: probe 1", "15.0 ms: connection reset by the other end");
    assertThat(dialer.received).isEmpty();
  }

  @Test
  void no_host_behind_a_cut_learns_that_a_host_is_gone() {
    connected();
    conditions.cut(0, 1);
    network.detach(dialer);
    runTo(1_000);
    assertThat(acceptor.received).isEmpty();
    conditions.heal(0, 1);
    network.released();
    runTo(2_000);
    assertThat(acceptor.received).containsExactly("1005.0 ms: connection reset by the other end");
  }

  @Test
  void a_dial_to_a_host_that_is_gone_is_refused_after_a_round_trip() {
    network.detach(acceptor);
    dialer.dial(1);
    runTo(100);
    assertThat(dialer.received).containsExactly("10.0 ms: connection refused");
  }
}
