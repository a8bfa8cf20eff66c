package io.treecast.testkit.sim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The handshake timeout is the only limit of a round trip. */
class SlowLinksTest {
  private static final long RTT_MICROS = 25_000_000;

  private static SimCluster pair(Duration handshakeTimeout) {
    LinkLimits links =
        LinkLimits.DEFAULT.toBuilder().handshakeTimeoutNanos(handshakeTimeout.toNanos()).build();
    return new SimCluster(
        Topology.of(2, List.of(new Link(0, 1, RTT_MICROS))),
        1,
        null,
        SimSettings.DEFAULT.withLinks(links));
  }

  @Test
  void a_link_slower_than_the_handshake_timeout_is_never_in_the_tree_and_a_warning_says_why() {
    SimCluster cluster = pair(Duration.ofSeconds(10));

    cluster.runUntil(() -> false, 300_000);

    assertThat(cluster.snapshots())
        .extracting(agent -> agent.tree().tree())
        .allMatch(tree -> tree != null && tree.members().size() == 1);
    assertThat(cluster.warnings()).anyMatch(line -> line.contains("handshakeTimeoutMillis"));
  }

  @Test
  void a_link_of_less_than_the_handshake_timeout_stays_in_the_tree_and_carries_broadcasts() {
    SimCluster cluster = pair(Duration.ofSeconds(30));
    assertThat(cluster.runUntilReady(300_000)).isTrue();
    assertThat(cluster.runUntilAtRest(600_000)).isTrue();
    long versions = cluster.history().commitsSince(0).size();

    for (int i = 0; i < 5; i++) {
      MessageId id = cluster.broadcast(i % 2, ByteBuffer.wrap("hello".getBytes(UTF_8)));
      assertThat(cluster.runUntil(() -> cluster.deliveries().count(id) == 2, 60_000)).isTrue();
      cluster.runUntil(() -> false, 300_000);
    }

    assertThat(cluster.history().commitsSince(0)).hasSize((int) versions);
    assertThat(cluster.warnings()).isEmpty();
  }
}
