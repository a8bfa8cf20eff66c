package io.treecast.agent.core;

import static io.treecast.agent.core.AgentHost.runUntilReady;
import static io.treecast.agent.core.link.LinksDiscoveryTest.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.VirtualNetwork.Stream;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Severity;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.publish.PublishQueue;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.WeightedEdge;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Whole agents together, in virtual time. */
class AgentClusterTest {
  private static final long MILLI = VirtualNetwork.MILLI;

  /** How many times the seeds of the build a run has. */
  private static final long TIMES = Long.getLong("treecast.seeds.times", 1);

  @Test
  void agents_agree_on_one_tree_which_is_minimal_and_carry_broadcasts_along_it() {
    for (long seed = 0; seed < 20 * TIMES; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = VirtualNetwork.measurable(seed, MILLI << random.nextInt(10));
      int nodes = 1 + random.nextInt(8);
      List<AgentHost> hosts = AgentHost.cluster(network, nodes);
      runUntilReady(network, hosts, seed);
      // Links that are beside the tree now are told so.
      network.runUntil(() -> weights(hosts).size() == nodes * (nodes - 1) / 2, 10_000);

      assertOneMinimalTree(hosts, seed);
      for (AgentHost host : hosts) {
        assertThat(host.notices(Severity.WARNING)).as("seed %d", seed).isEmpty();
      }

      for (int i = 0; i < 5; i++) {
        for (AgentHost host : hosts) {
          assertThat(host.publish(new byte[random.nextInt(200_000)], 0).messageId).isNotNull();
        }
      }
      network.run(60_000);
      for (AgentHost host : hosts) {
        assertDeliveredInOrder(host, hosts, 5, seed);
      }
    }
  }

  @Test
  void a_link_carries_data_although_a_balancer_leads_its_data_connection_elsewhere() {
    VirtualNetwork network = VirtualNetwork.measurable(1, 10 * MILLI);
    network.leadUnseenTo("balancer:1", address(0), "elsewhere:1");
    List<AgentHost> hosts =
        List.of(
            AgentHost.start(network, 0, Membership.discovered(List.of())),
            AgentHost.start(network, 1, Membership.discovered(List.of("balancer:1"))));
    runUntilReady(network, hosts, 1);
    network.run(120_000);
    for (AgentHost host : hosts) {
      assertThat(host.core().snapshot().linksWithoutData()).isZero();
    }
  }

  @Test
  void a_broadcast_before_there_is_a_tree_waits_for_it() {
    VirtualNetwork network = VirtualNetwork.measurable(1, 10 * MILLI);
    List<AgentHost> hosts = AgentHost.cluster(network, 3);
    AgentHost.Outcome first = hosts.get(1).publish(new byte[] {1}, 60_000);
    AgentHost.Outcome second = hosts.get(1).publish(new byte[] {2}, 60_000);
    assertThat(first.isKnown()).isFalse();
    runUntilReady(network, hosts, 1);
    network.run(1_000);
    assertThat(first.messageId).isNotNull();
    assertThat(second.messageId).isNotNull();
    assertThat(hosts.get(2).delivered())
        .extracting(chunk -> chunk.payload().get(0))
        .containsExactly((byte) 1, (byte) 2);
  }

  @Test
  void a_broadcast_that_nobody_waits_for_any_more_is_not_sent_when_the_tree_comes() {
    VirtualNetwork network = VirtualNetwork.measurable(1, 10 * MILLI);
    List<AgentHost> hosts = AgentHost.cluster(network, 3);
    AgentHost.Outcome first = hosts.get(1).publish(new byte[] {1}, 60_000);
    AgentHost.Outcome second = hosts.get(1).publish(new byte[] {2}, 60_000);
    first.giveUp();
    runUntilReady(network, hosts, 1);
    network.run(1_000);
    assertThat(first.refusal).isEqualTo(Reason.NO_TREE);
    assertThat(second.messageId).isNotNull();
    assertThat(hosts.get(2).delivered())
        .extracting(chunk -> chunk.payload().get(0))
        .containsExactly((byte) 2);
  }

  @Test
  void abandoned_requests_make_room_for_others() {
    VirtualNetwork network = new VirtualNetwork(1, MILLI);
    AgentHost h0 = AgentHost.join(network, 0);
    List<AgentHost.Outcome> waiting = new ArrayList<>();
    for (int i = 0; i < PublishQueue.MAX_WAITING; i++) {
      waiting.add(h0.publish(new byte[0], 1_000));
    }
    assertThat(h0.publish(new byte[0], 1_000).refusal).isEqualTo(Reason.PUBLISH_BUFFER_FULL);

    waiting.get(5).giveUp();

    assertThat(h0.publish(new byte[0], 1_000).isKnown()).isFalse();
    assertThat(h0.publish(new byte[0], 1_000).refusal).isEqualTo(Reason.PUBLISH_BUFFER_FULL);
    assertThat(waiting).filteredOn(AgentHost.Outcome::isKnown).containsExactly(waiting.get(5));
  }

  @Test
  void a_broadcast_that_waited_for_a_tree_in_vain_fails_with_what_is_missing() {
    VirtualNetwork network = new VirtualNetwork(1, 10 * MILLI);
    AgentHost h0 =
        AgentHost.start(network, 0, Membership.discovered(List.of("down:1", "host1:7700")));
    AgentHost.Outcome outcome = h0.publish(new byte[1], 500);
    network.run(499);
    assertThat(outcome.isKnown()).isFalse();
    network.run(1);
    assertThat(outcome.refusal).isEqualTo(Reason.NO_TREE);
    assertThat(outcome.text).contains("0 links", "down:1", "host1:7700");
  }

  @Test
  void the_explanation_names_links_that_are_being_measured_and_members_not_reached() {
    VirtualNetwork network = new VirtualNetwork(1, 10 * MILLI);
    AgentHost h0 = AgentHost.join(network, 0);
    AgentHost h1 = AgentHost.join(network, 1);
    network.run(500);
    assertThat(h0.core().treeStatus().reason()).contains("1 link", ": h1");
    network.crash(h1.address());
    network.run(100);
    assertThat(h0.core().treeStatus().reason()).contains("0 links", "h1", "host1:7700");
  }

  @Test
  void waiting_broadcasts_are_bounded_in_number_and_bytes() {
    VirtualNetwork network = new VirtualNetwork(1, MILLI);
    AgentHost h0 =
        AgentHost.start(
            network,
            0,
            Membership.discovered(List.of()),
            BroadcastLimits.builder()
                .chunkBytes(1_000)
                .payloadBytes(2_000)
                .publishBufferBytes(3_000)
                .logBytes(1 << 20)
                .edgeWindowBytes(2_000)
                .subscriberWindowBytes(2_000)
                .subscribers(10)
                .topics(10)
                .origins(10)
                .build());
    assertThat(h0.publish(new byte[2_000], 1_000).isKnown()).isFalse();
    AgentHost.Outcome second = h0.publish(new byte[2_000], 1_000);
    assertThat(second.refusal).isEqualTo(Reason.PUBLISH_BUFFER_FULL);
    assertThat(second.text)
        .contains(
            "1 broadcast",
            "2000 bytes",
            "1024 broadcasts",
            "limits.publishBufferBytes = 3000 bytes");
    AgentHost.Outcome outcome = null;
    for (int i = 0; i < PublishQueue.MAX_WAITING; i++) {
      outcome = h0.publish(new byte[0], 1_000);
    }
    assertThat(outcome).isNotNull();
    assertThat(outcome.refusal).isEqualTo(Reason.PUBLISH_BUFFER_FULL);
    assertThat(outcome.text)
        .contains("1024 broadcasts", "2000 bytes", "limits.publishBufferBytes = 3000 bytes");
  }

  @Test
  void a_payload_that_is_too_large_is_refused_at_once_even_without_a_tree() {
    VirtualNetwork network = new VirtualNetwork(1, MILLI);
    AgentHost h0 = AgentHost.start(network, 0, Membership.discovered(List.of()));
    AgentHost.Outcome outcome = h0.publish(new byte[4 * 1024 * 1024 + 1], 60_000);
    assertThat(outcome.refusal).isEqualTo(Reason.PAYLOAD_TOO_LARGE);
    assertThat(outcome.text).contains("limits.payloadBytes");
  }

  @Test
  void an_agent_that_leaves_closes_every_connection_and_refuses_what_waits() {
    for (long seed = 0; seed < 20 * TIMES; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = new VirtualNetwork(seed, 20 * MILLI);
      List<AgentHost> hosts = AgentHost.cluster(network, 4);
      network.run(random.nextInt(6_000));
      List<AgentHost.Outcome> outcomes = new ArrayList<>();
      for (AgentHost host : hosts) {
        outcomes.add(host.publish(new byte[1], 60_000));
        host.core().leave();
      }
      assertThat(outcomes).as("seed %d", seed).allMatch(AgentHost.Outcome::isKnown);
      int dials = network.dials().size();
      network.run(60_000);
      assertThat(network.dials()).as("seed %d: nobody dials any more", seed).hasSize(dials);
      assertThat(network.openStreams()).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void whatever_breaks_the_agents_end_with_one_minimal_tree() {
    for (long seed = 0; seed < 30 * TIMES; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = VirtualNetwork.measurable(seed, MILLI << random.nextInt(9));
      List<AgentHost> hosts = AgentHost.cluster(network, 3 + random.nextInt(3));
      // The first faults come while the links are made and measured.
      network.run(random.nextInt(3_000));
      for (int i = 0; i < 15; i++) {
        harm(network, hosts, random);
        network.run(random.nextInt(4_000));
      }
      healAll(network, hosts);
      network.run(60_000);
      runUntilReady(network, hosts, seed);
      assertOneMinimalTree(hosts, seed);
      assertThat(hosts)
          .as("seed %d", seed)
          .allMatch(host -> host.notices(Notice.Kind.PROTOCOL_VIOLATION).isEmpty());
    }
  }

  private static void harm(VirtualNetwork network, List<AgentHost> hosts, Random random) {
    int one = random.nextInt(hosts.size());
    int other = (one + 1 + random.nextInt(hosts.size() - 1)) % hosts.size();
    List<Stream<?>> streams = network.openStreams();
    switch (random.nextInt(6)) {
      case 0 -> {
        if (!streams.isEmpty()) {
          streams.get(random.nextInt(streams.size())).breakBoth("connection reset");
        }
      }
      case 1 -> hosts.set(one, AgentHost.join(network, one));
      case 2 -> network.cut(hosts.get(one).address(), hosts.get(other).address());
      case 3 -> network.hold(hosts.get(one).address(), hosts.get(other).address());
      case 4 ->
          network.rtt(hosts.get(one).address(), hosts.get(other).address(), random.nextInt(500));
      default -> healAll(network, hosts);
    }
  }

  private static void healAll(VirtualNetwork network, List<AgentHost> hosts) {
    for (AgentHost one : hosts) {
      for (AgentHost other : hosts) {
        network.release(one.address(), other.address());
      }
    }
  }

  @Test
  void a_stalled_subscriber_makes_publishers_fail_until_it_goes_on() {
    VirtualNetwork network = VirtualNetwork.measurable(1, MILLI);
    BroadcastLimits limits =
        BroadcastLimits.builder()
            .chunkBytes(1_000)
            .payloadBytes(2_000)
            .publishBufferBytes(20_000)
            .logBytes(1 << 20)
            .edgeWindowBytes(10_000)
            .subscriberWindowBytes(5_000)
            .subscribers(10)
            .topics(10)
            .origins(10)
            .build();
    List<AgentHost> hosts = AgentHost.cluster(network, 3, limits);
    runUntilReady(network, hosts, 1);
    hosts.get(2).stall();
    int accepted = 0;
    AgentHost.Outcome outcome = hosts.get(0).publish(new byte[1_000], 0);
    while (outcome.refusal == null) {
      accepted++;
      assertThat(accepted).isLessThan(1_000);
      network.run(50);
      outcome = hosts.get(0).publish(new byte[1_000], 0);
    }
    assertThat(outcome.refusal).isEqualTo(Reason.PUBLISH_BUFFER_FULL);
    assertThat(outcome.text).contains("limits.publishBufferBytes = 20000");

    hosts.get(2).resume();
    network.run(10_000);
    assertThat(hosts.get(2).delivered()).hasSize(accepted);
    assertThat(hosts.get(0).publish(new byte[1_000], 0).refusal).isNull();
  }

  /** All have the same tree, it is minimal, and both ends of each link have the same weight. */
  private static void assertOneMinimalTree(List<AgentHost> hosts, long seed) {
    for (AgentHost host : hosts) {
      AgentSnapshot snapshot = host.core().snapshot();
      assertThat(snapshot.links()).as("seed %d", seed).hasSize(hosts.size() - 1);
      for (LinkView link : snapshot.links()) {
        assertThat(link.state()).as("seed %d", seed).isEqualTo(LinkState.UP);
      }
    }
    Set<LinkWeight> weights = weights(hosts);
    assertThat(weights)
        .as("seed %d: weights, the same at both ends", seed)
        .hasSize(hosts.size() * (hosts.size() - 1) / 2);
    List<LinkWeight> minimal = minimumSpanningTree(hosts, weights);
    for (AgentHost host : hosts) {
      assertThat(host.tree()).as("seed %d", seed).isEqualTo(hosts.get(0).tree());
      assertThat(ends(host.tree().edges())).as("seed %d", seed).isEqualTo(ends(minimal));
    }
  }

  /** Those that any end of any link holds. */
  private static Set<LinkWeight> weights(List<AgentHost> hosts) {
    Set<LinkWeight> weights = new TreeSet<>();
    for (AgentHost host : hosts) {
      host.core().snapshot().links().stream()
          .map(LinkView::weight)
          .filter(Objects::nonNull)
          .forEach(weights::add);
    }
    return weights;
  }

  /** Not the weights: an edge that only became lighter needs no new tree. */
  private static Set<Edge> ends(List<LinkWeight> edges) {
    Set<Edge> ends = new TreeSet<>();
    edges.forEach(edge -> ends.add(Edge.between(edge.low(), edge.high())));
    return ends;
  }

  private static List<LinkWeight> minimumSpanningTree(
      List<AgentHost> hosts, Set<LinkWeight> weights) {
    List<NodeId> nodes = hosts.stream().map(h -> h.core().snapshot().self().id()).toList();
    List<WeightedEdge<NodeId, LinkWeight>> edges =
        weights.stream().map(w -> new WeightedEdge<>(w.low(), w.high(), w)).toList();
    return new KruskalByJGraphT()
        .of(nodes, edges).edges().stream().map(WeightedEdge::weight).toList();
  }

  private static void assertDeliveredInOrder(
      AgentHost host, List<AgentHost> origins, int messages, long seed) {
    for (AgentHost origin : origins) {
      NodeId id = origin.core().snapshot().self().id();
      List<Long> sequences =
          host.delivered().stream()
              .filter(chunk -> chunk.messageId().origin().equals(id) && chunk.last())
              .map(Chunk::messageId)
              .map(message -> message.sequence())
              .toList();
      assertThat(sequences)
          .as("seed %d: messages of %s at %s", seed, id, host.address())
          .hasSize(messages)
          .isSorted()
          .doesNotHaveDuplicates();
    }
  }
}
