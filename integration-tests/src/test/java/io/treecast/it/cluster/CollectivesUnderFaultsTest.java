package io.treecast.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.ConfigException;
import io.treecast.client.CollectiveOptions;
import io.treecast.client.CollectiveResult;
import io.treecast.client.LongReduction;
import io.treecast.client.TreecastException;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Collective operations of three agents while one of them is down. */
@Timeout(300)
class CollectivesUnderFaultsTest {
  private static final CollectiveOptions PATIENT =
      CollectiveOptions.defaults().withWait(Duration.ofMinutes(10));

  private RunningCluster cluster;

  @BeforeEach
  void start() throws ConfigException {
    cluster =
        RunningCluster.start(
            Topology.of(
                3, List.of(new Link(0, 1, 2_000), new Link(0, 2, 4_000), new Link(1, 2, 3_000))));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void awaitUnderWayAt(int... nodes) {
    for (int node : nodes) {
      await()
          .atMost(RunningCluster.LIMIT)
          .until(
              () -> cluster.agents().agent(node).snapshot().join().collectives().underWay() == 1);
    }
  }

  private void awaitTreeOf(int members) {
    await()
        .atMost(RunningCluster.LIMIT)
        .until(
            () ->
                cluster.agents().unpaused().values().stream()
                    .allMatch(
                        agent -> {
                          CommittedTree tree = agent.tree().tree();
                          return tree != null && tree.members().size() == members;
                        }));
  }

  private static <T> CollectiveResult<T> result(CompletableFuture<CollectiveResult<T>> future)
      throws Exception {
    return future.get(RunningCluster.LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void a_contribution_to_an_agent_that_restarts_is_repeated_and_counts_once() throws Exception {
    CollectiveOptions options = PATIENT.among(Set.of("0", "1", "2"));
    var first = sum(0, options);
    var second = sum(1, options);
    awaitUnderWayAt(0, 1);

    cluster.agents().crash(0);
    cluster.agents().restart(0);
    awaitTreeOf(3);
    var third = sum(2, options);

    for (var sum : List.of(first, second, third)) {
      assertThat(result(sum).value()).containsExactly(111);
      assertThat(result(sum).contributors()).containsExactly("0", "1", "2");
    }
  }

  /** Contributes a digit of its own for each node: 1, 10 and 100. */
  private CompletableFuture<CollectiveResult<long[]>> sum(int node, CollectiveOptions options) {
    long[] given = {(long) Math.pow(10, node)};
    return cluster.client(node).collectives().allReduce("sum", LongReduction.SUM, given, options);
  }

  @Test
  void with_a_minimum_those_that_stay_wait_until_there_are_enough_members_again() throws Exception {
    CollectiveOptions options = PATIENT.withMinimum(3);
    cluster.agents().crash(2);
    awaitTreeOf(2);
    var first = cluster.client(0).collectives().barrier("all", options);
    var second = cluster.client(1).collectives().barrier("all", options);
    CollectiveOptions impatient = options.withWait(Duration.ofMillis(1_500));
    // Repeated, because a busy machine may not answer within that wait.
    AtomicInteger attempts = new AtomicInteger();
    await()
        .atMost(RunningCluster.LIMIT)
        .untilAsserted(
            () -> {
              String name = "too few " + attempts.incrementAndGet();
              assertThat(reason(cluster.client(0).collectives().barrier(name, impatient)))
                  .isEqualTo(TreecastException.Reason.MEMBERS_MISSING);
            });
    assertThat(first).isNotDone();
    assertThat(second).isNotDone();

    cluster.agents().restart(2);
    awaitTreeOf(3);
    var third = cluster.client(2).collectives().barrier("all", options);

    for (var barrier : List.of(first, second, third)) {
      assertThat(result(barrier).contributors()).containsExactly("0", "1", "2");
    }
  }

  private static TreecastException.Reason reason(CompletableFuture<?> future) throws Exception {
    try {
      future.get(RunningCluster.LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof TreecastException refused) {
        return refused.reason();
      }
      throw new AssertionError("the call failed otherwise", failed);
    }
    throw new AssertionError("the call has a result");
  }

  @Test
  void those_that_stay_go_on_without_the_one_that_has_not_come() throws Exception {
    var first = cluster.client(0).collectives().barrier("here", PATIENT);
    var second = cluster.client(1).collectives().barrier("here", PATIENT);
    awaitUnderWayAt(0, 1);
    assertThat(first).isNotDone();

    cluster.agents().crash(2);

    assertThat(result(first).contributors()).containsExactly("0", "1");
    assertThat(result(second).contributors()).containsExactly("0", "1");
  }
}
