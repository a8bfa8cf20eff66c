package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static io.treecast.agent.runtime.TestAgents.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.monitor.throughput.ThroughputExpectation;
import io.treecast.monitor.throughput.ThroughputPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Bulk probes between real agents. */
@ResourceLock(MeasuredThroughputTest.ALL_BANDWIDTH)
class MeasuredThroughputTest {
  /** Bulk probes take what the processors give; two tests with probes would disturb each other. */
  static final String ALL_BANDWIDTH = "all bandwidth of this machine";

  /** Often, whatever it costs: a busy machine is slow, and would be spared for minutes. */
  static final ThroughputPolicy OFTEN =
      new ThroughputPolicy(
          true, Duration.ofSeconds(10), ThroughputPolicy.MAX_BUDGET_PERMILLE, 3_000);

  @Test
  void owners_come_to_know_how_fast_their_links_are_and_links_stay_as_they_were() {
    try (TestAgents agents = new TestAgents().withThroughput(OFTEN)) {
      List<Agent> cluster = agents.startReadyCluster(3);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                for (LinkView link : snapshot(cluster.get(0)).links()) {
                  ThroughputExpectation throughput = link.throughput();
                  assertThat(throughput).isNotNull();
                  assertThat(throughput.measuredKbps()).isPositive();
                }
              });
      assertThat(snapshot(cluster.get(2)).links())
          .allSatisfy(
              link -> {
                assertThat(link.throughput()).as("the owner alone measures").isNull();
                assertThat(link.session()).isEqualTo(1);
              });
    }
  }
}
