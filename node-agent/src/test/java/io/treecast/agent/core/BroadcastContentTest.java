package io.treecast.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.LinkState;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Applications get every broadcast of every agent, byte for byte, once and in the order of its
 * origin, while links are silent and while the first tree comes up. The agents are h0, h1 and h2.
 */
class BroadcastContentTest {
  private static final int NODES = 3;

  /** Broadcasts while a link is silent last so long that it is suspended, and resumes. */
  private static final int ROUNDS = 25;

  private static final long ROUND_MILLIS = 400;

  private int published;

  private static VirtualNetwork network(long seed) {
    VirtualNetwork network = VirtualNetwork.measurable(seed, 10 * VirtualNetwork.MILLI);
    network.rtt("host0:7700", "host1:7700", 20);
    network.rtt("host1:7700", "host2:7700", 30);
    network.rtt("host0:7700", "host2:7700", 200);
    return network;
  }

  /** Each agent publishes the number of the round, again and again. */
  private void publishRounds(VirtualNetwork network, List<AgentHost> hosts, int rounds) {
    for (int i = 0; i < rounds; i++) {
      published++;
      hosts.forEach(this::publish);
      network.run(ROUND_MILLIS);
    }
  }

  private void publish(AgentHost host) {
    byte[] payload = ByteBuffer.allocate(Integer.BYTES).putInt(published).array();
    assertThat(host.publish(payload, 0).messageId).isNotNull();
  }

  private static Map<NodeId, List<Integer>> contentByOrigin(AgentHost host) {
    Map<NodeId, List<Integer>> content = new TreeMap<>();
    for (Chunk chunk : host.delivered()) {
      content
          .computeIfAbsent(chunk.messageId().origin(), origin -> new ArrayList<>())
          .add(chunk.payload().getInt(0));
    }
    return content;
  }

  private void assertAllDeliveredOnceEverywhere(List<AgentHost> hosts, long seed) {
    List<Integer> all = new ArrayList<>();
    for (int i = 1; i <= published; i++) {
      all.add(i);
    }
    Map<NodeId, List<Integer>> expected = new TreeMap<>();
    for (int node = 0; node < NODES; node++) {
      expected.put(NodeId.of("h" + node), all);
    }
    assertThat(hosts)
        .allSatisfy(
            host ->
                assertThat(contentByOrigin(host))
                    .as("seed %d: %s", seed, host.address())
                    .isEqualTo(expected));
  }

  @ParameterizedTest(name = "what h0 sends to h1 is held: {0}; what h1 sends to h0: {1}")
  @CsvSource({"true,true", "true,false", "false,true"})
  void broadcasts_while_a_tree_link_is_silent_and_after_it_is_healed_arrive_once_everywhere(
      boolean fromH0, boolean fromH1) {
    VirtualNetwork network = network(1);
    List<AgentHost> hosts = AgentHost.cluster(network, NODES);
    AgentHost.runUntilReady(network, hosts, 1);
    AgentHost h0 = hosts.get(0);
    AgentHost h1 = hosts.get(1);
    publishRounds(network, hosts, 1);

    if (fromH0) {
      network.hold(h0.address(), h1.address());
    }
    if (fromH1) {
      network.hold(h1.address(), h0.address());
    }
    publishRounds(network, hosts, ROUNDS);
    assertThat(List.of(h0.stateOf(h1), h1.stateOf(h0))).contains(LinkState.SUSPENDED);
    network.run(5_000);
    assertAllDeliveredOnceEverywhere(hosts, 1);

    network.heal(h0.address(), h1.address());
    publishRounds(network, hosts, ROUNDS);
    network.run(10_000);
    assertThat(h0.stateOf(h1)).isEqualTo(LinkState.UP);
    assertAllDeliveredOnceEverywhere(hosts, 1);
  }

  @Test
  void broadcasts_of_either_side_of_a_partition_arrive_at_the_other_when_it_is_healed() {
    VirtualNetwork network = network(1);
    List<AgentHost> hosts = AgentHost.cluster(network, NODES);
    AgentHost.runUntilReady(network, hosts, 1);
    AgentHost h2 = hosts.get(2);

    network.cut(hosts.get(0).address(), h2.address());
    network.cut(hosts.get(1).address(), h2.address());
    publishRounds(network, hosts, ROUNDS);
    assertThat(h2.tree().members()).hasSize(1);
    assertThat(contentByOrigin(h2)).containsOnlyKeys(NodeId.of("h2"));

    network.heal(hosts.get(0).address(), h2.address());
    network.heal(hosts.get(1).address(), h2.address());
    publishRounds(network, hosts, ROUNDS);
    network.run(20_000);
    assertThat(AgentHost.agree(hosts)).isTrue();
    assertAllDeliveredOnceEverywhere(hosts, 1);
  }

  @Test
  void
      a_broadcast_at_the_very_moment_at_which_an_agent_commits_the_first_tree_arrives_everywhere() {
    for (long seed = 0; seed < 50; seed++) {
      VirtualNetwork network = network(seed);
      List<AgentHost> hosts = AgentHost.cluster(network, NODES);
      published = 1;
      List<AgentHost> silent = new ArrayList<>(hosts);
      while (!silent.isEmpty()) {
        boolean ready =
            network.runUntil(() -> silent.stream().anyMatch(h -> !h.changes().isEmpty()), 120_000);
        assertThat(ready).as("seed %d", seed).isTrue();
        for (AgentHost host : List.copyOf(silent)) {
          if (!host.changes().isEmpty()) {
            assertThat(host.tree().members()).as("seed %d", seed).hasSize(NODES);
            publish(host);
            silent.remove(host);
          }
        }
      }
      network.run(10_000);
      assertAllDeliveredOnceEverywhere(hosts, seed);
    }
  }
}
