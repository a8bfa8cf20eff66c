package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.Confirmation.Hop;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** 24 agents in six sites, whose clocks are up to two hours apart, without faults. */
class ConfirmationOnReferenceNetworkTest {
  private static final int NODES = 24;
  private static final int WAIT_MILLIS = 30_000;

  private final SimCluster cluster = SimCluster.withSkewedClocks(ReferenceNetwork.topology(), 42);

  private Confirmation confirmationFrom(int source) {
    MessageId message =
        cluster.broadcast(source, Topic.DEFAULT, ByteBuffer.allocate(1_000), WAIT_MILLIS);
    assertThat(cluster.runUntil(() -> confirmation(source, message).isSettled(), WAIT_MILLIS))
        .isTrue();
    return confirmation(source, message);
  }

  private Confirmation confirmation(int source, MessageId message) {
    return Objects.requireNonNull(cluster.confirmation(source, message));
  }

  private long receiptMessages() {
    return cluster.snapshots().stream().mapToLong(s -> s.broadcast().receiptMessages()).sum();
  }

  private CommittedTree tree() {
    AgentSnapshot any = cluster.snapshots().get(0);
    return Objects.requireNonNull(any.tree().tree());
  }

  @Test
  void each_member_but_the_origin_sends_one_message_whoever_publishes() {
    assertThat(cluster.runUntilReady(60_000)).isTrue();
    for (int source = 0; source < NODES; source++) {
      long before = receiptMessages();
      Confirmation confirmation = confirmationFrom(source);

      assertThat(confirmation.delivered()).hasSize(NODES);
      assertThat(receiptMessages() - before).as("from node %s", source).isEqualTo(NODES - 1);
    }
  }

  @Test
  void the_trace_is_the_tree_and_its_times_are_as_exact_as_half_the_round_trips() {
    assertThat(cluster.runUntilReady(60_000)).isTrue();
    Confirmation confirmation = confirmationFrom(12);

    TreeSet<LinkWeight> edges = new TreeSet<>(tree().edges());
    for (Hop hop : confirmation.delivered()) {
      NodeId from = hop.from();
      if (from == null) {
        assertThat(hop).isEqualTo(new Hop(SimSettings.id(12), null, 0, 0));
      } else {
        assertThat(edges.removeIf(e -> e.touches(from) && e.touches(hop.member())))
            .as("%s", hop)
            .isTrue();
        long pathMicros = pathMicros(hop, confirmation);
        assertThat(hop.afterNanos()).as("%s", hop).isBetween(0L, pathMicros * 1_000);
        assertThat(hop.errorNanos())
            .as("half the round trips from %s, and drift", hop)
            .isLessThan(pathMicros * 500 + 24 * 1_000_000L);
      }
    }
    assertThat(edges).isEmpty();
  }

  /** Returns the sum of the round trips on the path of the message. */
  private long pathMicros(Hop hop, Confirmation confirmation) {
    long sum = 0;
    for (Hop at = hop; at.from() != null; at = before(at, confirmation)) {
      NodeId from = at.from();
      NodeId member = at.member();
      sum +=
          tree().edges().stream()
              .filter(e -> e.touches(Objects.requireNonNull(from)) && e.touches(member))
              .mapToLong(LinkWeight::cost)
              .sum();
    }
    return sum;
  }

  private static Hop before(Hop hop, Confirmation confirmation) {
    return confirmation.delivered().stream()
        .filter(other -> Objects.equals(other.member(), hop.from()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void when_a_member_is_silent_the_others_confirm_also_within_a_short_time() {
    assertThat(cluster.runUntilReady(60_000)).isTrue();
    cluster.pause(7);
    MessageId message = cluster.broadcast(0, Topic.DEFAULT, ByteBuffer.allocate(1_000), 1_200);
    assertThat(cluster.runUntil(() -> confirmation(0, message).isSettled(), 1_200)).isTrue();

    assertThat(confirmation(0, message).unknown()).containsExactly(SimSettings.id(7));
    assertThat(confirmation(0, message).delivered()).hasSize(NODES - 1);
  }

  @Test
  void a_member_that_is_frozen_has_failed_as_soon_as_the_tree_is_without_it() {
    assertThat(cluster.runUntilReady(60_000)).isTrue();
    cluster.pause(7);
    Confirmation confirmation = confirmationFrom(12);

    assertThat(confirmation.failed()).containsExactly(SimSettings.id(7));
    assertThat(confirmation.unknown()).isEmpty();
    assertThat(confirmation.delivered()).hasSize(NODES - 1);
  }
}
