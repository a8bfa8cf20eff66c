package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.it.command.AgentProcess.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Agents as processes, some of which are killed, frozen and restarted, and whose links are cut. A
 * seed determines the faults and their times; the agents' reactions depend on the machine. After
 * the faults, all agents have one minimal tree.
 */
@Order(2)
class ChaosTest {
  private static final Duration SETTLING = Duration.ofMinutes(3);

  @TempDir private Path directory;

  @Test
  @Timeout(600)
  @Tag("nightly")
  void four_agents_recover_from_a_few_faults() throws Exception {
    recover(4, Duration.ofSeconds(12), 1);
  }

  static LongStream seeds() {
    String seed = System.getProperty("treecast.seed");
    return LongStream.of(seed == null ? 1 : Long.parseLong(seed));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  @Tag("chaos")
  @Timeout(900)
  void twelve_agents_recover_from_two_minutes_of_faults(long seed) throws Exception {
    recover(12, Duration.ofMinutes(2), seed);
  }

  private void recover(int agents, Duration time, long seed) throws Exception {
    List<Place> places =
        AgentProcess.places(
            IntStream.rangeClosed(1, agents).mapToObj(n -> "h" + n).toArray(String[]::new));
    try (ChaoticCluster cluster = new ChaoticCluster(directory, places, seed)) {
      cluster.awaitTreeOfAll(SETTLING);
      cluster.run(time);
      cluster.restoreAll();
      cluster.awaitTreeOfAll(SETTLING);
      List<TreecastProcess.Ended> inquiries = new ArrayList<>();
      await()
          .atMost(SETTLING)
          .untilAsserted(
              () -> {
                inquiries.add(
                    TreecastProcess.run(
                        directory, List.of("tree", "verify", "--agent", places.get(0).listen())));
                TreecastProcess.Ended last = inquiries.get(inquiries.size() - 1);
                assertThat(last.exitCode()).as("%s %s", cluster, last).isZero();
              });
    }
  }
}
