package io.treecast.agent.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentHost;
import io.treecast.agent.core.VirtualNetwork;
import io.treecast.agent.core.link.LinksDiscoveryTest;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.agent.core.publish.Publication;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.tree.DisseminationTree;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Uploads reach everybody, whether or not an agent measures throughput. */
class UploadEdgesTest {
  private static final long MILLI = VirtualNetwork.MILLI;
  private static final long TIME_FOR_A_WIDEST_TREE_MILLIS = 30_000;

  private final List<AgentHost> hosts = new ArrayList<>();
  private long uploads;

  private AgentHost start(VirtualNetwork network, boolean measures) {
    List<String> seeds = hosts.isEmpty() ? List.of() : List.of(LinksDiscoveryTest.address(0));
    AgentHost host =
        AgentHost.start(
            network,
            hosts.size(),
            Membership.discovered(seeds),
            LinkLimits.DEFAULT,
            measures ? ThroughputPolicy.DEFAULT : ThroughputPolicy.DISABLED,
            BroadcastLimits.defaults());
    hosts.add(host);
    return host;
  }

  private void upload(AgentHost host) throws BroadcastRefusedException {
    long upload = ++uploads;
    AgentHost.Outcome outcome = new AgentHost.Outcome();
    Publication begun =
        Publication.of("client", Topic.DEFAULT, ByteBuffer.allocate(0), host.nowNanos());
    host.core().beginUpload(upload, begun, outcome, host.nowNanos());
    assertThat(outcome.messageId).isNotNull();
    host.core().upload(upload, ByteBuffer.allocate(100), host.nowNanos());
    host.core().endUpload(upload, null, host.nowNanos());
  }

  /** Origins of the uploads that a host has whole. */
  private static List<String> uploadsAt(AgentHost host) {
    return host.delivered().stream()
        .filter(Chunk::last)
        .map(chunk -> chunk.messageId().origin().toString())
        .sorted()
        .toList();
  }

  @Test
  void those_that_measure_none_get_uploads_along_the_tree_of_round_trips() throws Exception {
    for (long seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = VirtualNetwork.measurable(seed, MILLI << random.nextInt(8));
      hosts.clear();
      int nodes = 2 + random.nextInt(6);
      int measuring = random.nextInt(nodes + 1);
      for (int i = 0; i < nodes; i++) {
        start(network, random.nextInt(nodes) < measuring);
      }
      AgentHost.runUntilReady(network, hosts, seed);
      network.run(TIME_FOR_A_WIDEST_TREE_MILLIS);
      List<String> everybody = new ArrayList<>();
      for (AgentHost host : hosts) {
        upload(host);
        everybody.add(host.core().treeStatus().tree() == null ? "" : id(host));
      }
      network.run(10_000);
      for (AgentHost host : hosts) {
        assertThat(uploadsAt(host)).as("seed %d, at %s", seed, id(host)).isEqualTo(everybody);
      }
    }
  }

  private static String id(AgentHost host) {
    return "h" + host.address().replaceAll("\\D*(\\d+):.*", "$1");
  }

  @Test
  void uploads_reach_a_member_that_has_no_widest_tree_yet() throws Exception {
    VirtualNetwork network = VirtualNetwork.measurable(1, MILLI);
    start(network, true);
    start(network, true);
    AgentHost.runUntilReady(network, hosts, 1);
    network.run(TIME_FOR_A_WIDEST_TREE_MILLIS);
    CommittedTree widest = hosts.get(0).core().snapshot().widestTree();
    assertThat(widest).isNotNull();
    assertThat(widest.members()).containsExactly(NodeId.of("h0"), NodeId.of("h1"));

    assertThat(hosts.get(0).core().uploadTree())
        .isEqualTo(new DisseminationTree(TreeMetric.BANDWIDTH, widest.version()));

    AgentHost late = start(network, true);
    assertThat(late.core().uploadTree()).isNull();
    AgentHost.runUntilReady(network, hosts, 1);
    CommittedTree first = Objects.requireNonNull(late.core().treeStatus().tree());
    assertThat(late.core().uploadTree())
        .as("it has no widest tree")
        .isEqualTo(new DisseminationTree(TreeMetric.LATENCY, first.version()));
    upload(hosts.get(0));
    upload(late);
    network.run(10_000);
    assertThat(hosts).allSatisfy(host -> assertThat(uploadsAt(host)).containsExactly("h0", "h2"));
  }
}
