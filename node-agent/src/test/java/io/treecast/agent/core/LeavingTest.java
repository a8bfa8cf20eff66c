package io.treecast.agent.core;

import static io.treecast.agent.core.AgentHost.runUntilReady;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** When an agent that is to leave has handed on what was accepted there. */
class LeavingTest {
  private final VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
  private final List<AgentHost> hosts = AgentHost.cluster(network, 2);
  private final AgentHost leaver = hosts.get(1);
  private final AgentHost stayer = hosts.get(0);
  private final AtomicBoolean handedOn = new AtomicBoolean();

  private void prepareToLeave() {
    leaver.core().prepareToLeave(() -> handedOn.set(true));
  }

  @Test
  void it_is_handed_on_when_the_neighbour_has_it_not_when_it_is_sent() {
    runUntilReady(network, hosts, 1);
    leaver.publish(new byte[3], 0);
    prepareToLeave();
    assertThat(network.runUntil(() -> !stayer.delivered().isEmpty(), 1_000)).isTrue();
    assertThat(handedOn).isFalse();
    assertThat(network.runUntil(handedOn::get, 1_000)).isTrue();
  }

  @Test
  void two_that_leave_together_do_not_wait_for_each_other() {
    runUntilReady(network, hosts, 1);
    for (int published = 1; published <= 2; published++) {
      // Of the second nobody says so soon that all have it.
      leaver.publish(new byte[3], 0);
      int all = published;
      assertThat(network.runUntil(() -> stayer.delivered().size() == all, 1_000)).isTrue();
    }
    AtomicBoolean otherHandedOn = new AtomicBoolean();
    stayer.core().prepareToLeave(() -> otherHandedOn.set(true));
    prepareToLeave();
    assertThat(handedOn).isFalse();
    assertThat(otherHandedOn).isFalse();
    assertThat(network.runUntil(() -> handedOn.get() && otherHandedOn.get(), 100)).isTrue();
  }

  @Test
  void it_is_not_while_the_link_is_silent() {
    runUntilReady(network, hosts, 1);
    network.hold(leaver.address(), stayer.address());
    leaver.publish(new byte[3], 0);
    prepareToLeave();
    network.run(1_000);
    assertThat(handedOn).isFalse();
    network.release(leaver.address(), stayer.address());
    assertThat(network.runUntil(handedOn::get, 1_000)).isTrue();
    assertThat(stayer.delivered()).hasSize(1);
  }

  @Test
  void it_is_not_while_the_other_is_away_and_the_agent_has_a_tree_of_its_own() {
    runUntilReady(network, hosts, 1);
    network.pause(stayer.address());
    assertThat(network.runUntil(() -> leaver.tree().edges().isEmpty(), 60_000)).isTrue();
    leaver.publish(new byte[3], 0);
    network.run(5_000);
    prepareToLeave();
    network.run(1_000);
    assertThat(handedOn).isFalse();
    network.resume(stayer.address());
    assertThat(network.runUntil(handedOn::get, 60_000)).isTrue();
    assertThat(stayer.delivered()).hasSize(1);
  }

  @Test
  void an_agent_leaves_at_once_when_all_have_what_was_accepted() {
    runUntilReady(network, hosts, 1);
    leaver.publish(new byte[3], 0);
    network.run(5_000);
    prepareToLeave();
    assertThat(handedOn).isTrue();
  }
}
