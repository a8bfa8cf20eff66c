package io.treecast.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Returns the client library and the agent's endpoint and core, all as they are, under random
 * interleavings of deadlines, freezes, lost connections, restarts, cancels and answers: what failed
 * with a reason that says that it was not sent reaches nobody, and what succeeded is delivered
 * once.
 *
 * <p>{@code -Dtreecast.seed=17} runs that one only, {@code -Dtreecast.seeds=100000} that many.
 */
@Tag("seeded")
@Order(2)
class ClientOutcomesTest {
  private static final long DEFAULT_SEEDS = 60;

  @Test
  void outcomes_reported_to_clients_are_true() {
    Map<String, Integer> coverage = run(1);
    if (Long.getLong("treecast.seed") == null) {
      assertThat(coverage)
          .as("situations in the runs")
          .containsKeys(
              "BROADCAST accepted",
              "BROADCAST cancelled",
              "BROADCAST AGENT_UNREACHABLE",
              "BROADCAST BUFFER_FULL",
              "BROADCAST NO_TREE",
              "BROADCAST OUTCOME_UNKNOWN",
              "BROADCAST RETRY_TOO_LATE",
              "UPLOAD accepted",
              "UPLOAD AGENT_UNREACHABLE",
              "UPLOAD INCOMPLETE",
              "UPLOAD OUTCOME_UNKNOWN",
              "OPERATION accepted",
              "OPERATION AGENT_UNREACHABLE",
              "OPERATION OUTCOME_UNKNOWN",
              "repeated");
    }
  }

  @Test
  void outcomes_are_true_for_a_client_that_goes_from_agent_to_agent() {
    Map<String, Integer> coverage = run(2);
    if (Long.getLong("treecast.seed") == null) {
      assertThat(coverage)
          .as("what the runs came across")
          .containsKeys(
              "accepted at another agent than the first",
              "sent to another agent, since the first one left",
              "BROADCAST accepted",
              "BROADCAST OUTCOME_UNKNOWN",
              "BROADCAST RETRY_TOO_LATE",
              "UPLOAD accepted",
              "UPLOAD OUTCOME_UNKNOWN",
              "OPERATION accepted",
              "OPERATION OUTCOME_UNKNOWN",
              "repeated");
    }
  }

  private static Map<String, Integer> run(int agents) {
    Map<String, Integer> coverage = new TreeMap<>();
    Long only = Long.getLong("treecast.seed");
    long begin = only == null ? 0 : only;
    long end =
        only == null
            ? Long.getLong(
                "treecast.seeds", DEFAULT_SEEDS * Long.getLong("treecast.seeds.times", 1))
            : only + 1;
    for (long seed = begin; seed < end; seed++) {
      assertThat(new ClientOutcomesRun(seed, agents, coverage).violations())
          .as("seed %s, %s agents: repeat it with -Dtreecast.seed=%s", seed, agents, seed)
          .isEmpty();
    }
    return coverage;
  }
}
