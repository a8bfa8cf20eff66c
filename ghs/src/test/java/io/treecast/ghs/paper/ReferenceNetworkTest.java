package io.treecast.ghs.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The build on the reference network: 24 nodes at six sites, every pair linked, each message taking
 * half the round-trip time of its link, all nodes awake from the start. The run is deterministic,
 * so the counts are exact.
 */
class ReferenceNetworkTest {
  /** The messages of the published evaluation of 2006, with the 23 that announce the end. */
  private static final int PUBLISHED_MESSAGES = 815;

  private static final int COMMITS = 23;

  private final Topology topology = readReferenceNetwork();
  private final Map<List<NodeId>, Long> delayMicros = new HashMap<>();

  ReferenceNetworkTest() {
    for (LinkWeight link : topology.links()) {
      delayMicros.put(List.of(link.low(), link.high()), link.cost() / 2);
      delayMicros.put(List.of(link.high(), link.low()), link.cost() / 2);
    }
  }

  @Test
  void the_build_takes_fewer_messages_than_published() {
    SimulatedNetwork network = build(0, new Random(0));

    assertThat(network.sentByType())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "Connect", 32,
                "Initiate FIND", 72,
                "Test", 487,
                "Accept", 48,
                "Reject", 71,
                "Report", 72));
    assertThat(PaperMessage.Kind.values())
        .extracting(kind -> network.nodes().stream().mapToLong(node -> node.sent(kind)).sum())
        .as("what the nodes count themselves")
        .containsExactly(32L, 72L, 487L, 48L, 71L, 72L, 0L);
    assertThat(network.nodes().stream().mapToLong(PaperNode::sent).sum()).isEqualTo(782);
    assertThat(network.sent() + COMMITS).isEqualTo(805).isLessThan(PUBLISHED_MESSAGES);
    assertThat(network.nowMicros()).isEqualTo(10_528_700);
  }

  /** As on a real network, where no two messages take exactly the same time. */
  @Test
  void the_build_takes_fewer_messages_when_each_message_is_a_bit_late() {
    for (long seed = 0; seed < 200; seed++) {
      SimulatedNetwork network = build(100, new Random(seed));
      assertThat(network.sent() + COMMITS)
          .as("seed %d", seed)
          .isLessThanOrEqualTo(PUBLISHED_MESSAGES);
    }
  }

  private SimulatedNetwork build(int mostLateMicros, Random random) {
    SimulatedNetwork network =
        new SimulatedNetwork(
            topology,
            (from, to) ->
                delayMicros.getOrDefault(List.of(from, to), 0L)
                    + random.nextInt(mostLateMicros + 1));
    topology.nodes().forEach(node -> network.wakeAt(node, 0));
    network.run(2 * PUBLISHED_MESSAGES);
    new CompletedRun(topology, network).verify();
    return network;
  }

  private static Topology readReferenceNetwork() {
    List<String> rows;
    try {
      rows = Files.readAllLines(Path.of("src", "test", "resources", "reference-24.csv"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<NodeId> nodes =
        IntStream.range(0, rows.size()).mapToObj(i -> NodeId.of(String.valueOf(i))).toList();
    List<LinkWeight> links = new ArrayList<>();
    for (int a = 0; a < rows.size(); a++) {
      List<String> millis = List.of(rows.get(a).split(",", -1));
      for (int b = 0; b < a; b++) {
        long micros = Math.round(Double.parseDouble(millis.get(b)) * 1_000);
        links.add(LinkWeight.between(nodes.get(a), nodes.get(b), micros));
      }
    }
    return new Topology(nodes, links);
  }
}
