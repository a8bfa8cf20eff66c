package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reductions of large vectors along the tree, in virtual time. */
@Order(2)
class LargeVectorsTest {
  private static final long WAIT_MILLIS = 600_000;
  private static final int FLOATS = 1 << 20;

  /** Memory for operations of an agent in these tests. */
  private static final long TOTAL_BYTES = 4L << 20;

  private static final CombiningLimits SMALL = new CombiningLimits(1_000, 1 << 20, TOTAL_BYTES);

  /** The round trip between the middle of the reference network's tree and its farthest member. */
  private static final long ROUND_TRIP_NANOS = 378_000_000L;

  private static byte[] given(int node) {
    ByteBuffer packed = ByteBuffer.allocate(256 * 1024).order(ByteOrder.LITTLE_ENDIAN);
    while (packed.hasRemaining()) {
      packed.putFloat((float) Math.sin(node * 1_000_000.0 + packed.position()));
    }
    return packed.array();
  }

  private static List<SimVector> reduced(SimCluster cluster, int nodes, String name, int floats) {
    List<SimVector> vectors = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      byte[] given = given(node);
      vectors.add(
          new SimVector(
              cluster,
              node,
              name,
              Reduction.SUM_OF_FLOATS,
              floats,
              WAIT_MILLIS,
              SimVector.LIKE_THE_CLIENT,
              first -> given));
    }
    return vectors;
  }

  private static void runUntilEnded(SimCluster cluster, List<SimVector> vectors) {
    runUntilEnded(cluster, vectors, () -> {});
  }

  private static void runUntilEnded(
      SimCluster cluster, List<SimVector> vectors, Runnable afterEachEvent) {
    boolean allEnded =
        cluster.runUntil(
            () -> {
              vectors.forEach(SimVector::proceed);
              afterEachEvent.run();
              return vectors.stream().allMatch(SimVector::hasEnded);
            },
            WAIT_MILLIS);
    assertThat(allEnded).isTrue();
    assertThat(vectors).allSatisfy(vector -> assertThat(vector.failure()).isNull());
  }

  @Test
  void the_sums_of_floats_are_the_same_at_all_members_and_in_each_run() {
    List<List<Integer>> runs = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      int nodes = 9;
      SimCluster cluster = new SimCluster(OverlaySwarmTest.complete(nodes, new Random(1)), 1);
      assertThat(cluster.runUntilAtRest(120_000)).isTrue();
      List<SimVector> vectors = reduced(cluster, nodes, "sum", FLOATS / 4);
      runUntilEnded(cluster, vectors);
      List<Integer> first = vectors.get(0).hashes();
      assertThat(vectors).allSatisfy(vector -> assertThat(vector.hashes()).isEqualTo(first));
      runs.add(List.copyOf(first));
    }
    assertThat(runs.get(0)).isEqualTo(runs.get(1));
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({"16, 64, 10", "64, 256, 4"})
  void on_narrow_uplinks_large_vectors_take_hardly_longer_than_the_bound_of_a_ring(
      int mebibytes, int memoryMebibytes, int diameters) {
    assertHardlyLongerThanARing(ReferenceNetwork.topology(), mebibytes, memoryMebibytes, diameters);
  }

  @ParameterizedTest
  @CsvSource("4, 64, 10")
  void on_narrow_uplinks_vectors_go_along_a_chain_and_take_hardly_longer_than_the_bound_of_a_ring(
      int mebibytes, int memoryMebibytes, int diameters) {
    int nodes = 12;
    List<Link> links =
        ReferenceNetwork.topology().links().stream().filter(link -> link.high() < nodes).toList();
    assertHardlyLongerThanARing(Topology.of(nodes, links), mebibytes, memoryMebibytes, diameters);
  }

  /**
   * With uplinks of 100 Mbit/s. The lower bound of a ring is the time in which each member sends
   * its part of two vectors. The latency of the chain matters less for larger vectors, if the
   * memory for operations holds what is under way on it.
   *
   * @param topology the reference network or a part of it
   * @param memoryMebibytes memory of each agent for operations
   */
  private static void assertHardlyLongerThanARing(
      Topology topology, int mebibytes, int memoryMebibytes, int diameters) {
    long uplinkKbps = 100_000;
    int nodes = topology.nodes();
    int bytes = mebibytes << 20;
    BroadcastLimits logs = BroadcastLimits.forMemory(4L << 30).withRetainedBytes(0);
    SimSettings settings =
        SimSettings.DEFAULT
            .withBroadcast(logs)
            .withCollectives(new CombiningLimits(1_000, 1 << 20, (long) memoryMebibytes << 20));
    SimCluster cluster = ManyReceiversTest.measured(topology, settings, uplinkKbps);
    long diameterNanos = ROUND_TRIP_NANOS / 2;
    long boundNanos = 2L * bytes * (nodes - 1) / nodes * 8_000_000L / uplinkKbps;
    long begunNanos = cluster.nowNanos();
    List<SimVector> vectors = reduced(cluster, nodes, "sum", bytes / Float.BYTES);
    runUntilEnded(cluster, vectors);
    assertThat(vectors.get(0).isOnChain()).isTrue();
    long tookNanos = cluster.nowNanos() - begunNanos;
    assertThat(tookNanos).isLessThan(boundNanos * 3 / 2 + diameters * diameterNanos);
  }

  @Test
  void with_the_default_memory_a_large_vector_takes_few_round_trips_of_the_tree() {
    SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 1);
    assertThat(cluster.runUntilAtRest(120_000)).isTrue();
    long begunNanos = cluster.nowNanos();
    runUntilEnded(cluster, reduced(cluster, 24, "sum", FLOATS));
    assertThat(cluster.nowNanos() - begunNanos).isLessThan(5 * ROUND_TRIP_NANOS);
  }

  @Test
  void the_segments_cross_a_long_link_one_after_the_other_within_the_memory_of_agents() {
    int nodes = 6;
    List<Link> links = new ArrayList<>();
    IntStream.range(1, nodes)
        .forEach(node -> links.add(new Link(0, node, node == 1 ? 700_000 : 1_000)));
    SimCluster cluster =
        new SimCluster(
            Topology.of(nodes, links), 1, null, SimSettings.DEFAULT.withCollectives(SMALL));
    assertThat(cluster.runUntilAtRest(120_000)).isTrue();
    long begunNanos = cluster.nowNanos();
    List<SimVector> vectors = reduced(cluster, nodes, "one", FLOATS / 2);
    vectors.addAll(reduced(cluster, nodes, "other", FLOATS / 2));
    long[] mostKeptBytes = new long[1];
    runUntilEnded(
        cluster,
        vectors,
        () -> {
          if (cluster.nowNanos() / 1_000_000 % 20 == 0) {
            for (AgentSnapshot agent : cluster.snapshots()) {
              mostKeptBytes[0] = Math.max(mostKeptBytes[0], agent.collectives().keptBytes());
            }
          }
        });
    int segments = vectors.get(0).segmentsTaken();
    long roundTrips = (cluster.nowNanos() - begunNanos) / 700_000_000L;
    assertThat(mostKeptBytes[0]).isBetween(TOTAL_BYTES / 16, TOTAL_BYTES / 2);
    assertThat(roundTrips).isLessThan(segments / 2);
  }
}
