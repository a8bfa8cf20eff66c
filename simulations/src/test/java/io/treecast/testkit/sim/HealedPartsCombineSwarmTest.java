package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.sim.SimCollectives.Call;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Seven agents, two of which are cut off for a while, take part in operations without named
 * participants at the moment when the parts merge. Each result contains the contribution of its
 * receiver, and members that were never apart get the same result.
 */
@Tag("seeded")
class HealedPartsCombineSwarmTest {
  /** Seed 1 failed once: a member got a result without its own contribution. */
  private static final long DEFAULT_SEEDS = 20;

  private static final int NODES = 7;
  private static final long PATIENCE_MILLIS = 120_000;

  @Test
  void members_that_were_never_apart_get_one_result_and_each_result_contains_its_own_member() {
    for (long seed : Seeds.first(DEFAULT_SEEDS).toArray()) {
      run(seed);
    }
  }

  private static void run(long seed) {
    try (SimCluster cluster =
        new SimCluster(OverlaySwarmTest.complete(NODES, new Random(seed)), seed)) {
      new Run(cluster, seed).run();
    }
  }

  private static final class Run {
    private final SimCluster cluster;
    private final long seed;
    private final Random random;
    private final Call[] calls = new Call[NODES];

    /**
     * Pairs of members one of which has committed a tree without the other since the first call.
     */
    private final Set<Set<NodeId>> apart = new HashSet<>();

    Run(SimCluster cluster, long seed) {
      this.cluster = cluster;
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() {
      assertThat(cluster.runUntilReady(600_000)).as("seed %d", seed).isTrue();
      int one = random.nextInt(NODES);
      int other = (one + 1 + random.nextInt(NODES - 1)) % NODES;
      boolean together = random.nextInt(4) == 0;
      for (int node = 0; node < NODES; node++) {
        if (node != one && !(together && node == other)) {
          cluster.links().cut(one, node);
        }
        if (node != other && node != one) {
          cluster.links().cut(node, other);
        }
      }
      cluster.runUntil(() -> false, 20_000 + random.nextInt(20_000));
      cluster.links().heal();
      List<Long> atMillis =
          IntStream.range(0, NODES).mapToObj(node -> (long) random.nextInt(4_000)).toList();
      long healedNanos = cluster.nowNanos();
      boolean isBarrier = random.nextBoolean();
      boolean allEnded =
          cluster.runUntil(
              () -> {
                callWhoseTimeHasCome(atMillis, healedNanos, isBarrier);
                observe();
                return Arrays.stream(calls).allMatch(call -> call != null && call.hasEnded());
              },
              PATIENCE_MILLIS + 10_000);
      assertThat(allEnded).as("seed %d", seed).isTrue();
      check();
    }

    private void callWhoseTimeHasCome(List<Long> atMillis, long healedNanos, boolean isBarrier) {
      for (int node = 0; node < NODES; node++) {
        if (calls[node] == null
            && cluster.nowNanos() - healedNanos >= atMillis.get(node) * 1_000_000) {
          calls[node] = call(node, isBarrier);
        }
      }
    }

    private Call call(int node, boolean isBarrier) {
      Kind kind = isBarrier ? Kind.BARRIER : Kind.REDUCE;
      Reduction reduction = isBarrier ? null : Reduction.SUM_OF_LONGS;
      Operation operation = new Operation("all", kind, reduction, null, new TreeSet<>());
      Value value = isBarrier ? Value.NOTHING : Value.longs(1L << node);
      return cluster.collectives().takePart(node, operation, value, PATIENCE_MILLIS);
    }

    private void observe() {
      if (Arrays.stream(calls).allMatch(call -> call == null)) {
        return;
      }
      for (SimAgent agent : cluster.agents()) {
        CommittedTree tree = agent.treeStatus().tree();
        for (int node = 0; node < NODES; node++) {
          NodeId member = SimSettings.id(node);
          if (tree != null && !tree.hasMember(member)) {
            apart.add(Set.of(SimSettings.id(agent.node()), member));
          }
        }
      }
    }

    private void check() {
      for (int node = 0; node < NODES; node++) {
        NodeId member = SimSettings.id(node);
        Outcome outcome = calls[node].outcome();
        if (outcome instanceof Completed completed) {
          assertThat(completed.contributors())
              .as("seed %d: what %s got, of all: %s", seed, member, outcomes())
              .contains(member);
          for (NodeId contributor : completed.contributors()) {
            if (!contributor.equals(member) && !apart.contains(Set.of(member, contributor))) {
              assertThat(calls[Integer.parseInt(contributor.toString())].outcome())
                  .as(
                      "seed %d: %s and %s were never apart: %s",
                      seed, member, contributor, outcomes())
                  .isEqualTo(completed);
            }
          }
        } else {
          assertThat(outcome)
              .as("seed %d", seed)
              .isInstanceOfSatisfying(
                  Failed.class, failed -> assertThat(failed.reason()).isEqualTo(Reason.LEFT_OUT));
        }
      }
    }

    private List<String> outcomes() {
      return Arrays.stream(calls).map(call -> String.valueOf(call.outcome())).toList();
    }
  }
}
