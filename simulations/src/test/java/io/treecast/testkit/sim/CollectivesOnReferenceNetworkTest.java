package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.sim.SimCollectives.Call;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Collective operations of all 24 agents of the reference network, in virtual time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CollectivesOnReferenceNetworkTest {
  private static final long SEED = 1;
  private static final long WAIT_MILLIS = 60_000;

  private final Topology topology = ReferenceNetwork.topology();

  /** The cluster of all tests until an agent of it crashes; the next test then has another one. */
  private @Nullable SimCluster intact;

  private SimCluster cluster = new SimCluster(topology, SEED);
  private int operations;

  @BeforeEach
  void runUntilAtRest() {
    if (intact == null) {
      cluster = new SimCluster(topology, SEED);
      assertThat(cluster.runUntilAtRest(120_000)).isTrue();
      intact = cluster;
    }
  }

  private void crash(int node) {
    intact = null;
    cluster.crash(node);
  }

  /** Returns an operation under a name of its own, since the tests share a cluster. */
  private Operation operation(Kind kind, @Nullable NodeId hub) {
    return new Operation("op" + ++operations, kind, null, hub, new TreeSet<>());
  }

  private List<Call> allTakePart(Operation operation, IntFunction<Value> contribution) {
    return IntStream.range(0, topology.nodes())
        .mapToObj(
            node ->
                cluster
                    .collectives()
                    .takePart(node, operation, contribution.apply(node), WAIT_MILLIS))
        .toList();
  }

  private void runUntilEnded(List<Call> calls) {
    assertThat(cluster.runUntil(() -> calls.stream().allMatch(Call::hasEnded), WAIT_MILLIS))
        .as("all calls have ended")
        .isTrue();
  }

  private long messagesSent() {
    return cluster.snapshots().stream().mapToLong(s -> s.collectives().sentMessages()).sum();
  }

  private CommittedTree tree() {
    return Objects.requireNonNull(cluster.agents().iterator().next().treeStatus().tree());
  }

  private static NodeId[] all(Topology topology) {
    return IntStream.range(0, topology.nodes()).mapToObj(SimSettings::id).toArray(NodeId[]::new);
  }

  @Test
  void no_member_passes_a_barrier_before_the_last_has_arrived_and_then_all_do() {
    Operation barrier = operation(Kind.BARRIER, null);
    int last = 17;
    List<Call> calls = new ArrayList<>();
    for (int node = 0; node < topology.nodes(); node++) {
      if (node != last) {
        calls.add(cluster.collectives().takePart(node, barrier, Value.NOTHING, WAIT_MILLIS));
      }
    }
    assertThat(cluster.runUntil(() -> calls.stream().anyMatch(Call::hasEnded), 2_000)).isFalse();
    calls.add(cluster.collectives().takePart(last, barrier, Value.NOTHING, WAIT_MILLIS));
    runUntilEnded(calls);
    for (Call call : calls) {
      assertThat(call.result().treeVersion()).isEqualTo(tree().version());
      assertThat(call.result().contributors()).containsExactlyInAnyOrder(all(topology));
    }
  }

  @Test
  void all_get_the_sum_by_two_messages_on_each_edge_of_the_tree() {
    Operation sum =
        new Operation("sum", Kind.REDUCE, Reduction.SUM_OF_LONGS, null, new TreeSet<>());
    long before = messagesSent();
    List<Call> calls = allTakePart(sum, node -> Value.longs(node, 1));
    runUntilEnded(calls);
    assertThat(calls)
        .allSatisfy(
            call -> assertThat(call.result().value()).isEqualTo(Value.longs(23 * 24 / 2, 24)));
    assertThat(messagesSent() - before).isEqualTo(2L * (topology.nodes() - 1));
  }

  /**
   * The limit is the round trip from the centre, which is at most half the longest path from any
   * member.
   */
  @Test
  void the_last_has_the_result_when_the_farthest_from_the_middle_could_have_it() {
    long begunNanos = cluster.nowNanos();
    runUntilEnded(allTakePart(operation(Kind.BARRIER, null), node -> Value.NOTHING));
    long tookMicros = (cluster.nowNanos() - begunNanos) / 1_000;
    long leastMicros = tree().members().stream().mapToLong(this::farthestMicros).min().orElse(0);
    assertThat(tookMicros).isBetween(leastMicros, leastMicros + 1_000); // Checked every ms.
  }

  /** Returns the distance of the farthest member, by the round trips of the tree's edges. */
  private long farthestMicros(NodeId from) {
    Map<NodeId, Long> reached = new HashMap<>(Map.of(from, 0L));
    List<NodeId> queue = new ArrayList<>(List.of(from));
    for (int i = 0; i < queue.size(); i++) {
      NodeId at = queue.get(i);
      for (LinkWeight edge : tree().edges()) {
        if (edge.low().equals(at) || edge.high().equals(at)) {
          NodeId other = edge.opposite(at);
          long micros = Objects.requireNonNull(reached.get(at)) + edge.cost();
          if (reached.putIfAbsent(other, micros) == null) {
            queue.add(other);
          }
        }
      }
    }
    return Collections.max(reached.values());
  }

  @Test
  void the_hub_alone_gets_the_gathered_parts() {
    int hub = 9;
    Operation gather = operation(Kind.GATHER, SimSettings.id(hub));
    List<Call> calls =
        allTakePart(
            gather,
            node ->
                Value.Parts.of(SimSettings.id(node), ByteBuffer.wrap(new byte[] {(byte) node})));
    runUntilEnded(calls);
    SortedMap<NodeId, ByteBuffer> gathered = new TreeMap<>();
    for (int node = 0; node < topology.nodes(); node++) {
      gathered.put(SimSettings.id(node), ByteBuffer.wrap(new byte[] {(byte) node}));
      if (node != hub) {
        assertThat(calls.get(node).result().value()).isEqualTo(Value.NOTHING);
      }
    }
    assertThat(calls.get(hub).result().value()).isEqualTo(new Value.Parts(gathered));
  }

  @Test
  void each_member_gets_its_own_part_of_a_scatter() {
    int hub = 20;
    Operation scatter = operation(Kind.SCATTER, SimSettings.id(hub));
    TreeMap<NodeId, ByteBuffer> parts = new TreeMap<>();
    for (int node = 0; node < topology.nodes(); node++) {
      parts.put(SimSettings.id(node), ByteBuffer.wrap(new byte[] {(byte) node}));
    }
    List<Call> calls =
        allTakePart(scatter, node -> node == hub ? new Value.Parts(parts) : Value.NOTHING);
    runUntilEnded(calls);
    for (int node = 0; node < topology.nodes(); node++) {
      NodeId id = SimSettings.id(node);
      assertThat(calls.get(node).result().value())
          .isEqualTo(Value.Parts.of(id, Objects.requireNonNull(parts.get(id))));
    }
  }

  @Test
  void a_member_that_crashes_before_it_has_arrived_is_named_as_missing() {
    Operation barrier =
        new Operation("op", Kind.BARRIER, null, null, new TreeSet<>(List.of(all(topology))));
    crash(3);
    List<Call> calls = new ArrayList<>();
    for (int node = 0; node < topology.nodes(); node++) {
      if (node != 3) {
        calls.add(cluster.collectives().takePart(node, barrier, Value.NOTHING, WAIT_MILLIS));
      }
    }
    runUntilEnded(calls);
    assertThat(calls)
        .allSatisfy(
            call ->
                assertThat(call.outcome())
                    .isInstanceOfSatisfying(
                        Failed.class,
                        failed -> {
                          assertThat(failed.reason()).isEqualTo(Outcome.Reason.MEMBERS_MISSING);
                          assertThat(failed.text()).containsPattern("\\b3\\b");
                        }));
  }

  @Test
  void a_member_that_restarts_without_memory_may_come_again_while_the_others_wait() {
    Operation barrier = operation(Kind.BARRIER, null);
    long before = messagesSent();
    Call lost = cluster.collectives().takePart(5, "again", barrier, Value.NOTHING, WAIT_MILLIS);
    assertThat(cluster.runUntil(() -> messagesSent() > before, 1_000)).isTrue();
    crash(5);
    cluster.restart(5);
    assertThat(cluster.runUntilReady(60_000)).isTrue();
    List<Call> calls = allTakePart(barrier, node -> Value.NOTHING);
    runUntilEnded(calls);
    assertThat(lost.hasEnded()).isFalse();
    assertThat(calls).allSatisfy(call -> assertThat(call.outcome()).isInstanceOf(Completed.class));
  }
}
