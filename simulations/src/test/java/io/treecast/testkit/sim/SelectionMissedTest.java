package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.junit.TestNetwork;
import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A receiver that is apart for longer than a selection lasts, whose agents have no room. */
class SelectionMissedTest {
  private static final long PATIENCE_MILLIS = 120_000;
  private static final int WAIT_MILLIS = 10_000;
  private static final int SIX_MINUTES_MILLIS = 360_000;

  private final SimCluster cluster =
      new SimCluster(
          TestNetwork.SITES.of(5, 1),
          1,
          null,
          SimSettings.DEFAULT.withBroadcast(BroadcastLimits.defaults().withRetainedBytes(0)));

  private Confirmation confirmation(MessageId message) {
    return Objects.requireNonNull(cluster.confirmation(0, message));
  }

  private boolean hasTreeOf(int members) {
    return cluster.snapshots().stream()
        .filter(agent -> !agent.self().id().equals(SimSettings.id(4)))
        .map(agent -> agent.tree().tree())
        .allMatch(tree -> tree != null && tree.members().size() == members);
  }

  @Test
  void it_misses_the_message_and_the_publisher_learns_that() {
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    cluster.links().partition(NodeGroup.range(0, 3), NodeGroup.of(4));
    assertThat(cluster.runUntil(() -> hasTreeOf(4), PATIENCE_MILLIS)).isTrue();
    MessageId message =
        cluster.broadcast(
            0,
            Topic.to(List.of(SimSettings.id(1), SimSettings.id(4))),
            ByteBuffer.allocate(100),
            WAIT_MILLIS);
    assertThat(cluster.runUntil(() -> confirmation(message).isSettled(), WAIT_MILLIS)).isTrue();
    assertThat(confirmation(message).failed()).containsExactly(SimSettings.id(4));

    assertThat(cluster.runUntil(() -> false, SIX_MINUTES_MILLIS)).isFalse();
    cluster.links().heal();
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    assertThat(cluster.runUntil(() -> false, WAIT_MILLIS)).isFalse();

    assertThat(cluster.deliveries().deliveredNanos(message).keySet())
        .extracting(Incarnation::node)
        .containsExactly(1);
  }
}
