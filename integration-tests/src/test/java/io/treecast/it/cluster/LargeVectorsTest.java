package io.treecast.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.ConfigException;
import io.treecast.client.CollectiveOptions;
import io.treecast.client.CollectiveResult;
import io.treecast.client.Located;
import io.treecast.client.NumberVector;
import io.treecast.client.TreecastException;
import io.treecast.client.VectorReduction;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Reductions of vectors that exceed one message, with three agents and their clients. */
@Timeout(400)
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class LargeVectorsTest {
  private static final int NODES = 3;
  private static final int ELEMENTS = 700_001;
  private static final CollectiveOptions PATIENT =
      CollectiveOptions.defaults().withWait(Duration.ofMinutes(10));

  private RunningCluster cluster;

  @BeforeEach
  void start() throws ConfigException {
    cluster =
        RunningCluster.start(
            Topology.of(
                NODES,
                List.of(new Link(0, 1, 2_000), new Link(0, 2, 4_000), new Link(1, 2, 3_000))));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static <T> T result(CompletableFuture<T> future) throws Exception {
    return future.get(RunningCluster.LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  /** Returns a whole number, so that sums of floats are exact in any order. */
  private static float given(int node, int element) {
    return (float) ((element * 31L + node * 17L) % 1_000);
  }

  private static float[] vector(int node, int elements) {
    float[] vector = new float[elements];
    for (int i = 0; i < elements; i++) {
      vector[i] = given(node, i);
    }
    return vector;
  }

  private static void assertSum(FloatBuffer sum, Set<String> contributors) {
    int[] nodes = contributors.stream().mapToInt(Integer::parseInt).toArray();
    for (int i = 0; i < sum.capacity(); i++) {
      float expected = 0;
      for (int node : nodes) {
        expected += given(node, i);
      }
      if (sum.get(i) != expected) {
        throw new AssertionError("element " + i + " is " + sum.get(i) + ", not " + expected);
      }
    }
  }

  @Test
  void all_get_the_sum_of_several_vectors_that_are_under_way_at_once() throws Exception {
    List<CompletableFuture<CollectiveResult<NumberVector>>> sums = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int node = 0; node < NODES; node++) {
        sums.add(
            cluster
                .client(node)
                .collectives()
                .allReduce(
                    "sum " + round,
                    VectorReduction.SUM,
                    NumberVector.of(vector(node, ELEMENTS)),
                    null,
                    PATIENT));
      }
    }
    for (var sum : sums) {
      assertThat(result(sum).contributors()).containsExactly("0", "1", "2");
      assertSum(result(sum).value().floats(), result(sum).contributors());
    }
  }

  @Test
  void one_member_gets_the_mean_in_a_buffer_outside_of_the_heap() throws Exception {
    FloatBuffer into =
        ByteBuffer.allocateDirect(ELEMENTS * Float.BYTES)
            .order(ByteOrder.BIG_ENDIAN)
            .asFloatBuffer();
    List<CompletableFuture<CollectiveResult<Optional<NumberVector>>>> means = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      means.add(
          cluster
              .client(node)
              .collectives()
              .reduce(
                  "mean",
                  "1",
                  VectorReduction.MEAN,
                  NumberVector.of(vector(node, ELEMENTS)),
                  node == 1 ? NumberVector.of(into) : null,
                  PATIENT));
    }
    assertThat(result(means.get(0)).value()).isEmpty();
    assertThat(result(means.get(1)).value()).isPresent();
    assertThat(result(means.get(2)).value()).isEmpty();
    for (int i = 0; i < ELEMENTS; i += 999) {
      assertThat(into.get(i)).isEqualTo((given(0, i) + given(1, i) + given(2, i)) / NODES);
    }
  }

  @Test
  void all_learn_which_member_has_the_greatest_elements() throws Exception {
    List<CompletableFuture<CollectiveResult<Located>>> calls = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      calls.add(
          cluster
              .client(node)
              .collectives()
              .locate(
                  "greatest",
                  VectorReduction.MAX,
                  NumberVector.of(vector(node, ELEMENTS)),
                  PATIENT));
    }
    for (var call : calls) {
      Located located = result(call).value();
      for (int i = 0; i < ELEMENTS; i++) {
        int best = 0;
        for (int node = 1; node < NODES; node++) {
          best = given(node, i) > given(best, i) ? node : best;
        }
        if (located.members().get(i) != best
            || located.values().floats().get(i) != given(best, i)) {
          throw new AssertionError("element " + i + " is located at " + located.members().get(i));
        }
      }
    }
  }

  @Test
  void a_small_vector_is_reduced_in_one_step() throws Exception {
    List<CompletableFuture<CollectiveResult<NumberVector>>> means = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      NumberVector vector = NumberVector.of(new double[] {node, 1.5});
      means.add(
          cluster
              .client(node)
              .collectives()
              .allReduce("small", VectorReduction.MEAN, vector, null, PATIENT));
    }
    for (var mean : means) {
      assertThat(result(mean).value().doubles())
          .isEqualTo(NumberVector.of(new double[] {1, 1.5}).doubles());
    }
  }

  /** Starts operations until one is under way when this returns. */
  private List<CompletableFuture<CollectiveResult<NumberVector>>> startedLarge(
      CollectiveOptions options) {
    for (int attempt = 1; ; attempt++) {
      var sums = startedLarge("large " + attempt, options);
      if (!sums.get(0).isDone()) {
        return sums;
      }
    }
  }

  private List<CompletableFuture<CollectiveResult<NumberVector>>> startedLarge(
      String name, CollectiveOptions options) {
    long before = completed();
    List<CompletableFuture<CollectiveResult<NumberVector>>> sums = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      NumberVector vector = NumberVector.of(vector(node, 6 * ELEMENTS));
      sums.add(
          cluster
              .client(node)
              .collectives()
              .allReduce(name, VectorReduction.SUM, vector, null, options));
    }
    await()
        .pollInterval(Duration.ofMillis(2))
        .atMost(RunningCluster.LIMIT)
        .until(() -> completed() > before + 3);
    return sums;
  }

  private long completed() {
    return cluster.agents().agent(0).snapshot().join().collectives().completed();
  }

  @Test
  void those_that_stay_repeat_all_segments_without_a_member_that_is_lost_in_the_middle()
      throws Exception {
    var sums = startedLarge(PATIENT);
    cluster.agents().crash(2);
    for (var sum : sums.subList(0, 2)) {
      assertThat(result(sum).contributors()).containsExactly("0", "1");
      assertSum(result(sum).value().floats(), result(sum).contributors());
    }
  }

  @Test
  void with_named_participants_the_operation_waits_for_a_lost_member_until_its_time_is_over() {
    var sums = startedLarge(PATIENT.among(Set.of("0", "1", "2")).withWait(Duration.ofSeconds(20)));
    cluster.agents().crash(2);
    for (var sum : sums.subList(0, 2)) {
      assertThat(reason(sum)).isEqualTo(TreecastException.Reason.MEMBERS_MISSING);
    }
  }

  private static TreecastException.Reason reason(CompletableFuture<?> future) {
    try {
      result(future);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof TreecastException refused) {
        return refused.reason();
      }
      throw new AssertionError("the call failed otherwise", failed);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("the call has a result");
  }
}
