package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static io.treecast.agent.runtime.TestAgents.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.client.Treecast;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Links that a test cluster makes slow. */
class EmulatedLatencyTest {
  /** h1-h2 takes 20 ms, h2-h3 40 ms, h1-h3 90 ms, there and back. */
  private static long delayNanos(NodeId from, NodeId to) {
    String pair = LinkWeight.between(from, to, 1).toString();
    long rttMillis = pair.startsWith("h1-h2") ? 20 : pair.startsWith("h2-h3") ? 40 : 90;
    return TimeUnit.MILLISECONDS.toNanos(rttMillis) / 2;
  }

  private static void assertWeightsCoverDelays(Agent agent) {
    NodeId self = snapshot(agent).self().id();
    for (LinkView link : snapshot(agent).links()) {
      long leastMicros = 2 * delayNanos(self, link.peer().id()) / 1_000;
      assertThat(link.weight()).isNotNull();
      assertThat(link.weight().cost()).isGreaterThanOrEqualTo(leastMicros);
    }
  }

  @Test
  void is_measured_decides_the_tree_and_keeps_the_order() {
    try (LinkEmulation sites = new LinkEmulation(EmulatedLatencyTest::delayNanos, 1);
        TestAgents agents = new TestAgents().withEmulation(sites)) {
      List<Agent> cluster = agents.startReadyCluster(3);
      // The first measurements may have led to another tree on a busy machine.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                var tree = snapshot(cluster.get(0)).tree().tree();
                assertThat(tree).isNotNull();
                assertThat(tree.edges())
                    .extracting(edge -> edge.low() + "-" + edge.high())
                    .containsExactly("h1-h2", "h2-h3");
                cluster.forEach(EmulatedLatencyTest::assertWeightsCoverDelays);
              });

      List<Long> received = new CopyOnWriteArrayList<>();
      try (Treecast subscriber = Treecast.connect(cluster.get(2).address().toString());
          Treecast publisher = Treecast.connect(cluster.get(0).address().toString())) {
        subscriber
            .subscribe(message -> received.add(message.sequence()))
            .ready()
            .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .join();
        for (int i = 0; i < 500; i++) {
          var unused = publisher.broadcast(new byte[i]);
        }
        await().atMost(PATIENCE).until(() -> received.size() == 500);
        assertThat(received).isSorted().doesNotHaveDuplicates();
      }
    }
  }
}
