package io.treecast.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.PeerMessage.Hello;
import io.treecast.agent.core.PeerMessage.LinksMeasured;
import io.treecast.agent.core.PeerMessage.OpenLink;
import io.treecast.agent.core.PeerMessage.Probe;
import io.treecast.agent.core.PeerMessage.ProbeReply;
import io.treecast.agent.core.PeerMessage.WeightUpdate;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How the two ends of a link come to one weight that no longer changes. The agent under test is h1,
 * between a, which owns their link, and z, whose link it owns.
 */
class MeasuringTest {
  private static final Hello A = new Hello(NodeId.of("a"), 77, "a:1", 3);
  private static final Hello Z = new Hello(NodeId.of("z"), 78, "z:1", 3);
  private static final long MILLI = VirtualNetwork.MILLI;

  private final VirtualNetwork network = new VirtualNetwork(1, MILLI);
  private final AgentHost agent = AgentHost.start(network, 1, Membership.discovered(3, List.of()));
  private final AgentCore core = agent.core();
  private final RecordingConnection<PeerMessage> a = new RecordingConnection<>("a:9");
  private final RecordingConnection<PeerMessage> z = new RecordingConnection<>("z:9");

  private void openBoth() {
    core.controlAccepted(a, network.nowNanos());
    fromA(A);
    fromA(new OpenLink(1));
    core.controlAccepted(z, network.nowNanos());
    fromZ(Z);
    a.takeSent();
    z.takeSent();
  }

  private void fromA(PeerMessage message) {
    core.controlReceived(a, message, network.nowNanos());
  }

  private void fromZ(PeerMessage message) {
    core.controlReceived(z, message, network.nowNanos());
  }

  /** Lets time pass; z answers each probe so much later. What else was sent to z is returned. */
  private List<PeerMessage> answerProbes(long millis, long rttMillis) {
    List<PeerMessage> others = new ArrayList<>();
    long endNanos = network.nowNanos() + millis * MILLI;
    while (network.runUntil(z::hasSent, (endNanos - network.nowNanos()) / MILLI)) {
      for (PeerMessage message : z.takeSent()) {
        if (message instanceof Probe probe) {
          network.after(
              rttMillis * MILLI,
              () -> core.controlReceived(z, new ProbeReply(probe.number()), network.nowNanos()));
        } else {
          others.add(message);
        }
      }
    }
    return others;
  }

  @Test
  void the_owner_probes_and_tells_the_weight_and_then_that_it_is_final() {
    openBoth();
    assertThat(answerProbes(1_500, 40)).containsExactly(new WeightUpdate(1, 40_000));
    fromA(new WeightUpdate(1, 500));
    assertThat(a.takeSent()).containsExactly(new LinksMeasured());
    assertThat(z.takeSent()).containsExactly(new LinksMeasured());
  }

  @Test
  void a_lower_measurement_counts_until_all_links_are_measured() {
    openBoth();
    answerProbes(1_500, 40);
    answerProbes(1_000, 30);
    z.takeSent();
    fromA(new WeightUpdate(1, 500));
    assertThat(z.takeSent()).containsExactly(new WeightUpdate(2, 30_000), new LinksMeasured());
  }

  @Test
  void a_weight_that_was_called_final_does_not_change_any_more() {
    openBoth();
    answerProbes(1_500, 40);
    fromA(new WeightUpdate(1, 500));
    answerProbes(20_000, 30);
    fromA(new WeightUpdate(2, 400));
    assertThat(z.takeSent()).noneMatch(message -> message instanceof WeightUpdate);
    // Nor when another link is lost and measured again: z may have woken by then.
    core.controlClosed(a, "connection reset", network.nowNanos());
    RecordingConnection<PeerMessage> again = new RecordingConnection<>("a:10");
    core.controlAccepted(again, network.nowNanos());
    core.controlReceived(again, A, network.nowNanos());
    core.controlReceived(again, new OpenLink(2), network.nowNanos());
    core.controlReceived(again, new WeightUpdate(1, 300), network.nowNanos());
    assertThat(again.takeSent()).endsWith(new LinksMeasured());
    assertThat(z.takeSent()).noneMatch(message -> message instanceof WeightUpdate);
  }

  @Test
  void the_other_end_takes_later_weights_until_the_owner_calls_them_final() {
    openBoth();
    fromA(new WeightUpdate(1, 500));
    fromA(new WeightUpdate(2, 400));
    fromA(new LinksMeasured());
    assertThat(a.isClosed()).isFalse();
    fromA(new WeightUpdate(3, 300));
    assertThat(a.isClosed()).isTrue();
    assertThat(agent.notices(Notice.Kind.PROTOCOL_VIOLATION))
        .containsExactly("ending the link to a: WeightUpdate came out of turn");
  }

  @Test
  void a_weight_is_only_for_its_owner_to_tell() {
    openBoth();
    fromZ(new WeightUpdate(1, 500));
    assertThat(z.isClosed()).isTrue();
  }
}
