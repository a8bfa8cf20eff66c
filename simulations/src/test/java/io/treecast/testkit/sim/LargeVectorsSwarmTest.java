package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Agents reduce a large vector while links fail and change, and agents pause or crash. Each element
 * of a result contains each contribution once, members of the same attempt have identical bits, and
 * every application has an outcome in the end.
 *
 * <p>{@code -Dtreecast.seed=17} runs only that seed, {@code -Dtreecast.seeds=10000} that many.
 */
@Tag("seeded")
class LargeVectorsSwarmTest {
  private static final long DEFAULT_SEEDS = 40;
  private static final int NODES = 5;
  private static final int SEGMENT_ELEMENTS = 8;
  private static final int ELEMENTS = 60 * SEGMENT_ELEMENTS - 3;
  private static final long WAIT_MILLIS = 300_000;
  private static final long MAX_READY_MILLIS = 600_000;

  /**
   * Returns elements: at even indexes a power of two, so that sums identify the contributors; at
   * odd ones a value with inexact sums.
   */
  private static byte[] given(int node, long first) {
    ByteBuffer packed =
        ByteBuffer.allocate(SEGMENT_ELEMENTS * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = first; packed.hasRemaining(); at++) {
      packed.putDouble(at % 2 == 0 ? 1L << node : Math.sin(node * 100_000.0 + at));
    }
    return packed.array();
  }

  private static SimVector.Cut cut(int window) {
    return new SimVector.Cut() {
      @Override
      public int segmentBytes(long windowBytes, int contributors) {
        return SEGMENT_ELEMENTS * Double.BYTES;
      }

      @Override
      public int window(long windowBytes, int contributors) {
        return window;
      }
    };
  }

  @Test
  void each_result_contains_each_contribution_once_and_all_members_of_an_attempt_have_its_bits() {
    Map<String, Integer> coverage = new HashMap<>();
    for (long seed : Seeds.first(DEFAULT_SEEDS).toArray()) {
      try (SimCluster cluster =
          new SimCluster(OverlaySwarmTest.complete(NODES, new Random(seed)), seed)) {
        new Run(cluster, seed, coverage).run();
      }
    }
    if (Seeds.first(DEFAULT_SEEDS).count() >= DEFAULT_SEEDS) {
      assertThat(coverage).containsKeys("whole", "without a lost member", "repeated");
    }
  }

  private static final class Run {
    private final SimCluster cluster;
    private final long seed;
    private final Random random;
    private final Map<String, Integer> coverage;
    private final Map<Integer, SimVector> vectors = new HashMap<>();
    private final boolean crashes;

    Run(SimCluster cluster, long seed, Map<String, Integer> coverage) {
      this.cluster = cluster;
      this.seed = seed;
      this.random = new Random(seed);
      this.coverage = coverage;
      this.crashes = random.nextBoolean();
    }

    void run() {
      assertThat(cluster.runUntilReady(MAX_READY_MILLIS)).as("seed %d", seed).isTrue();
      SimVector.Cut cut = cut(1 + random.nextInt(6));
      for (int node = 0; node < NODES; node++) {
        int its = node;
        vectors.put(
            node,
            new SimVector(
                cluster,
                node,
                "vector",
                Reduction.SUM_OF_DOUBLES,
                ELEMENTS,
                WAIT_MILLIS,
                cut,
                first -> given(its, first)));
      }
      for (int i = random.nextInt(12); i > 0; i--) {
        pass(random.nextInt(400));
        breakSomething();
      }
      cluster.links().heal();
      cluster.paused().stream().toList().forEach(cluster::resume);
      pass(3 * WAIT_MILLIS);
      vectors.forEach(this::check);
      checkAttempts();
    }

    private void pass(long millis) {
      var unused =
          cluster.runUntil(
              () -> {
                vectors.forEach(
                    (node, vector) -> {
                      if (!cluster.paused().contains(node)) {
                        vector.proceed();
                      }
                    });
                return vectors.values().stream().allMatch(SimVector::hasEnded);
              },
              millis);
    }

    private void breakSomething() {
      int one = random.nextInt(NODES);
      int other = (one + 1 + random.nextInt(NODES - 1)) % NODES;
      switch (random.nextInt(crashes ? 7 : 6)) {
        case 0, 1 -> cluster.links().cut(one, other);
        case 2 -> cluster.links().rtt(one, other, 1 + random.nextInt(1_000));
        case 3 -> cluster.links().reset(one, other);
        case 4 -> cluster.links().heal();
        case 5 -> {
          if (cluster.paused().isEmpty() && vectors.containsKey(one)) {
            cluster.pause(one);
          }
        }
        default -> {
          if (vectors.size() > 2 && vectors.remove(one) != null) {
            if (cluster.paused().contains(one)) {
              cluster.resume(one);
            }
            cluster.crash(one);
          }
        }
      }
    }

    private void check(int node, SimVector vector) {
      assertThat(vector.hasEnded()).as("seed %d: node %d has ended", seed, node).isTrue();
      if (vector.failure() != null) {
        assertThat(vector.failure().reason())
            .as("seed %d: node %d: %s", seed, node, vector.failure())
            .isIn(Reason.LEFT_OUT, Reason.MEMBERS_MISSING);
        coverage.merge("failed, " + vector.failure().reason(), 1, Integer::sum);
        return;
      }
      assertThat(vector.contributors()).contains(SimSettings.id(node));
      coverage.merge(
          vector.contributors().size() == NODES ? "whole" : "without a lost member",
          1,
          Integer::sum);
      if (vector.attempts() > 1) {
        coverage.merge("repeated", 1, Integer::sum);
      }
      double expected = 0;
      for (NodeId contributor : vector.contributors()) {
        expected += 1L << Integer.parseInt(contributor.toString());
      }
      int at = 0;
      for (byte[] segment : vector.result()) {
        ByteBuffer packed = ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN);
        while (packed.hasRemaining()) {
          double element = packed.getDouble();
          if (at % 2 == 0) {
            assertThat(element).as("seed %d: element %d at %d", seed, at, node).isEqualTo(expected);
          }
          at++;
        }
      }
      assertThat(at).isEqualTo(ELEMENTS);
    }

    private void checkAttempts() {
      Map<String, List<SimVector>> byAttempt = new HashMap<>();
      for (SimVector vector : vectors.values()) {
        if (vector.failure() == null) {
          byAttempt.computeIfAbsent(vector.attempt(), key -> new ArrayList<>()).add(vector);
        }
      }
      byAttempt.values().forEach(Run::assertSameBits);
    }

    private static void assertSameBits(List<SimVector> all) {
      for (SimVector vector : all) {
        for (int i = 0; i < vector.segmentsTaken(); i++) {
          assertThat(vector.result().get(i)).isEqualTo(all.get(0).result().get(i));
        }
      }
    }
  }
}
