package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.sim.SimCollectives.Call;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Agents take part in consecutive operations while links fail and change, and agents pause or
 * restart. Every sum is correct and contains each member once, and every member that retries has an
 * outcome in the end.
 *
 * <p>{@code -Dtreecast.seed=17} runs only that seed, {@code -Dtreecast.seeds=10000} that many.
 */
@Tag("seeded")
class CollectivesSwarmTest {
  private static final long DEFAULT_SEEDS = 5;
  private static final int NODES = 8;
  private static final int OPERATIONS = 12;
  private static final long DAY_MILLIS = 86_400_000;
  private static final long MAX_READY_MILLIS = 600_000;

  /** Time after the faults until the tree is complete and all members have exchanged outcomes. */
  private static final long SETTLED_MILLIS = 600_000;

  private static final SortedSet<NodeId> ALL =
      IntStream.range(0, NODES)
          .mapToObj(SimSettings::id)
          .collect(Collectors.toCollection(TreeSet::new));

  /** The sum of all contributions, each of which is a different bit. */
  private static final Value SUM = Value.longs((1L << NODES) - 1);

  /** The participation of an application, repeated until it has the outcome. */
  private static final class Part {
    final int node;
    final int operation;
    private Call call;

    Part(int node, int operation, Call call) {
      this.node = node;
      this.operation = operation;
      this.call = call;
    }
  }

  @Test
  void every_sum_contains_each_members_part_once_whatever_becomes_of_the_tree() {
    for (long seed : Seeds.first(DEFAULT_SEEDS).toArray()) {
      try (SimCluster cluster =
          new SimCluster(OverlaySwarmTest.complete(NODES, new Random(seed)), seed)) {
        new Run(cluster, seed).run();
      }
    }
  }

  private static final class Run {
    private final SimCluster cluster;
    private final long seed;
    private final Random random;
    private final List<Part> parts = new ArrayList<>();

    Run(SimCluster cluster, long seed) {
      this.cluster = cluster;
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() {
      assertThat(cluster.runUntilReady(MAX_READY_MILLIS)).as("seed %d", seed).isTrue();
      boolean losesMemory = random.nextBoolean();
      for (int operation = 0; operation < OPERATIONS; operation++) {
        for (int node : shuffled()) {
          takePart(node, operation);
          if (random.nextInt(3) == 0) {
            breakSomething(losesMemory);
          }
          cluster.runUntil(() -> false, random.nextInt(800));
        }
      }
      cluster.links().heal();
      cluster.paused().stream().toList().forEach(cluster::resume);
      boolean allEnded =
          cluster.runUntil(
              () -> parts.stream().allMatch(part -> part.call.hasEnded()), SETTLED_MILLIS);
      assertThat(allEnded).as("seed %d: waiting %s", seed, waiting()).isTrue();
      parts.forEach(this::check);
    }

    private List<Integer> shuffled() {
      List<Integer> nodes = new ArrayList<>(IntStream.range(0, NODES).boxed().toList());
      Collections.shuffle(nodes, random);
      return nodes;
    }

    private List<String> waiting() {
      return parts.stream()
          .filter(part -> !part.call.hasEnded())
          .map(part -> part.operation + " at " + part.node)
          .toList();
    }

    private void takePart(int node, int operation) {
      resume(node);
      parts.add(new Part(node, operation, call(node, operation)));
    }

    private void resume(int node) {
      if (cluster.paused().contains(node)) {
        cluster.resume(node);
      }
    }

    private Call call(int node, int operation) {
      Operation sum =
          new Operation("op " + operation, Kind.REDUCE, Reduction.SUM_OF_LONGS, null, ALL);
      return cluster
          .collectives()
          .takePart(node, "token", sum, Value.longs(1L << node), DAY_MILLIS);
    }

    private void breakSomething(boolean losesMemory) {
      int one = random.nextInt(NODES);
      int other = (one + 1 + random.nextInt(NODES - 1)) % NODES;
      switch (random.nextInt(losesMemory ? 6 : 5)) {
        case 0 -> cluster.links().cut(one, other);
        case 1 -> cluster.links().rtt(one, other, 1 + random.nextInt(1_000));
        case 2 -> cluster.links().reset(one, other);
        case 3 -> cluster.links().heal();
        case 4 -> {
          if (cluster.paused().size() < 2 && !cluster.paused().contains(one)) {
            cluster.pause(one);
          }
        }
        default -> restart(one);
      }
    }

    /**
     * Restarts a node and its applications, which repeat all their calls, since this agent may have
     * been the only one to know an outcome.
     */
    private void restart(int node) {
      resume(node);
      cluster.crash(node);
      cluster.restart(node);
      cluster.runUntil(() -> false, 10);
      for (Part part : parts) {
        if (part.node == node) {
          if (part.call.hasEnded()) {
            check(part);
          }
          part.call = call(node, part.operation);
        }
      }
    }

    private void check(Part part) {
      assertThat(part.call.result().value())
          .as("seed %d: operation %d at %d", seed, part.operation, part.node)
          .isEqualTo(SUM);
      assertThat(part.call.result().contributors()).isEqualTo(ALL);
    }
  }
}
