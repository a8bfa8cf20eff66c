package io.treecast.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.OpenLink;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import io.treecast.agent.core.message.PeerMessage.WeightUpdate;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The owner of a link tells its weight, and both ends know it. The agent under test is h1, between
 * a, which owns their link, and y and z, whose links it owns.
 */
class MeasuringTest {
  private static final long MILLI = VirtualNetwork.MILLI;

  private final VirtualNetwork network = new VirtualNetwork(1, MILLI);
  private final AgentHost agent = AgentHost.start(network, 1, Membership.discovered(List.of()));
  private final Neighbour a = new Neighbour("a", 0);
  private final Neighbour y = new Neighbour("y", 30);
  private final Neighbour z = new Neighbour("z", 40);

  /** One that answers probes, and keeps what else it is sent. */
  private final class Neighbour {
    final RecordingConnection<PeerMessage> control;
    final Hello hello;
    final List<WeightUpdate> told = new ArrayList<>();
    long rttMillis;

    Neighbour(String id, long rttMillis) {
      this.control = new RecordingConnection<>(id + ":9");
      this.hello = new Hello(NodeId.of(id), 77, id + ":1");
      this.rttMillis = rttMillis;
    }

    void link() {
      agent.core().controlAccepted(control, network.nowNanos());
      say(hello);
    }

    void say(PeerMessage message) {
      agent.core().controlReceived(control, message, network.nowNanos());
    }

    void hear() {
      for (PeerMessage message : control.takeSent()) {
        if (message instanceof Probe probe) {
          network.after(rttMillis * MILLI, () -> say(new ProbeReply(probe.number(), 0)));
        } else if (message instanceof WeightUpdate update) {
          told.add(update);
        }
      }
    }

    List<WeightUpdate> takeTold() {
      List<WeightUpdate> taken = List.copyOf(told);
      told.clear();
      return taken;
    }
  }

  private void run(long millis) {
    long endNanos = network.nowNanos() + millis * MILLI;
    while (network.runUntil(
        () -> y.control.hasSent() || z.control.hasSent(),
        (endNanos - network.nowNanos()) / MILLI)) {
      y.hear();
      z.hear();
    }
  }

  private long toldByAgent(String type) {
    return agent.core().snapshot().controlMessagesSent().getOrDefault(type, 0L);
  }

  @Test
  void the_owner_probes_and_tells_the_weight() {
    z.link();
    run(1_500);
    assertThat(z.takeTold()).containsExactly(new WeightUpdate(1, 40_000));
    assertThat(agent.notices(Notice.Kind.LINK_MEASURED)).containsExactly("h1-z weighs 40.0 ms now");
  }

  @Test
  void the_first_weights_are_announced_together_when_all_links_are_measured() {
    y.link();
    z.rttMillis = 700;
    z.link();
    run(1_300);
    assertThat(y.told).as("it waits for the slower link").isEmpty();
    run(700);
    assertThat(y.takeTold()).containsExactly(new WeightUpdate(1, 30_000));
    assertThat(z.takeTold()).containsExactly(new WeightUpdate(1, 700_000));
  }

  @Test
  void probes_go_on_while_other_links_are_measured_so_a_better_sample_counts() {
    y.link();
    z.rttMillis = 1_500;
    z.link();
    run(1_200);
    y.rttMillis = 20;
    run(1_500);
    assertThat(y.takeTold()).containsExactly(new WeightUpdate(1, 20_000));
  }

  @Test
  void the_first_weights_wait_for_an_even_slower_link_only_for_a_while() {
    y.link();
    z.rttMillis = 60_000;
    z.link();
    // Ten probes, the last of them after 900 ms, and then the time of a batch.
    run(900 + LinkLimits.DEFAULT.batchNanos() / MILLI - 100);
    assertThat(y.told).isEmpty();
    run(300);
    assertThat(y.takeTold()).containsExactly(new WeightUpdate(1, 30_000));
    assertThat(z.told).isEmpty();
  }

  @Test
  void the_first_weights_do_not_wait_for_a_link_that_is_lost() {
    y.link();
    z.rttMillis = 60_000;
    z.link();
    run(1_200);
    assertThat(y.told).isEmpty();
    agent.core().controlClosed(z.control, "connection reset", network.nowNanos());
    y.hear();
    assertThat(y.takeTold()).containsExactly(new WeightUpdate(1, 30_000));
  }

  @Test
  void a_significant_change_is_announced_once_and_counted_as_a_control_message() {
    z.link();
    run(10_000);
    z.takeTold();
    assertThat(toldByAgent("WeightUpdate")).as("the first weight is not an update").isZero();
    z.rttMillis = 60;
    run(60_000);
    assertThat(z.takeTold()).containsExactly(new WeightUpdate(2, 60_000));
    assertThat(toldByAgent("WeightUpdate")).isEqualTo(1);
    z.rttMillis = 40;
    run(60_000);
    assertThat(z.takeTold()).containsExactly(new WeightUpdate(3, 40_000));
    assertThat(toldByAgent("WeightUpdate")).isEqualTo(2);
  }

  @Test
  void a_small_or_short_change_is_never_told() {
    z.link();
    run(10_000);
    z.takeTold();
    z.rttMillis = 400;
    run(3_000);
    z.rttMillis = 40;
    run(60_000);
    assertThat(z.told).as("a spike, which the median passes over").isEmpty();
    z.rttMillis = 46;
    run(600_000);
    assertThat(z.told).as("less than a fifth").isEmpty();
  }

  @Test
  void a_slower_link_is_announced_after_three_measurements_at_the_latest() {
    z.link();
    run(10_000);
    z.takeTold();
    z.rttMillis = 60;
    run(7_500);
    assertThat(z.takeTold()).containsExactly(new WeightUpdate(2, 60_000));
  }

  @Test
  void the_other_end_takes_the_weight_and_its_changes_from_the_owner() {
    a.link();
    a.say(new OpenLink(1));
    a.say(new WeightUpdate(1, 500));
    a.say(new WeightUpdate(2, 400));
    assertThat(a.control.isClosed()).isFalse();
    assertThat(agent.core().snapshot().links())
        .singleElement()
        .satisfies(link -> assertThat(link.weight()).hasToString("a-h1@400"));
  }

  @Test
  void a_weight_that_is_not_newer_than_the_last_is_a_violation() {
    a.link();
    a.say(new OpenLink(1));
    a.say(new WeightUpdate(2, 500));
    a.say(new WeightUpdate(2, 400));
    assertThat(a.control.isClosed()).isTrue();
    assertThat(agent.notices(Notice.Kind.PROTOCOL_VIOLATION))
        .singleElement()
        .asString()
        .contains(" a: WeightUpdate ");
  }

  @Test
  void a_weight_is_only_for_its_owner_to_tell() {
    z.link();
    z.say(new WeightUpdate(1, 500));
    assertThat(z.control.isClosed()).isTrue();
  }
}
