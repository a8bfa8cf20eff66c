package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.it.command.AgentProcess.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code treecast fault} at agents in separate processes. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class FaultsByHandTest {
  @TempDir private Path directory;

  private final List<AgentProcess> agents = new ArrayList<>();

  @AfterEach
  void kill() {
    agents.forEach(AgentProcess::close);
  }

  private TreecastProcess.Ended fault(Place agent, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("fault"));
    Collections.addAll(command, arguments);
    Collections.addAll(command, "--agent", agent.listen());
    return TreecastProcess.run(directory, command);
  }

  @Test
  void a_link_is_cut_and_heals_and_an_agent_crashes() throws Exception {
    List<Place> places = AgentProcess.places("h1", "h2");
    Place seed = places.get(0);
    for (Place place : places) {
      agents.add(AgentProcess.start(directory, place, List.of(seed), "--allow-faults"));
    }
    agents.forEach(agent -> agent.awaitTreeOf(2));
    AgentProcess h2 = agents.get(1);
    assertThat(h2.toString()).containsPattern("WARN.*faults");

    await()
        .atMost(TreecastProcess.LIMIT)
        .untilAsserted(
            () -> {
              TreecastProcess.Ended cut = fault(seed, "cut", "h1-h2");
              assertThat(cut.exitCode()).as(cut.toString()).isZero();
              assertThat(cut.out()).contains(" h1-h2 ", "(set at h1 and h2)");
            });
    await()
        .atMost(TreecastProcess.LIMIT)
        .untilAsserted(
            () ->
                assertThat(fault(seed, "status").out())
                    .containsPattern("h1 -> h2: held, [1-9]\\d* messages? waiting"));
    agents.forEach(agent -> agent.awaitTreeOf(1));
    await()
        .atMost(TreecastProcess.LIMIT)
        .untilAsserted(() -> assertThat(fault(seed, "heal").exitCode()).isZero());
    agents.forEach(agent -> agent.awaitTreeOf(2));

    TreecastProcess.Ended crash = fault(seed, "crash", "h2");
    assertThat(crash.exitCode()).as(crash.toString()).isZero();
    TreecastProcess.Ended crashed = h2.awaitEnd();
    assertThat(crashed.exitCode()).as("as after kill -9").isEqualTo(137);
    assertThat(crashed.out()).doesNotContain("has left");
    assertThat(crashed.err()).contains(" h2 ", "treecast fault");
    agents.get(0).awaitTreeOf(1);
  }

  @Test
  void an_agent_without_the_option_refuses_faults() throws Exception {
    Place alone = AgentProcess.places("h1").get(0);
    agents.add(AgentProcess.start(directory, alone, List.of(alone)));
    agents.get(0).awaitTreeOf(1);
    await()
        .atMost(TreecastProcess.LIMIT)
        .untilAsserted(
            () -> {
              TreecastProcess.Ended refused = fault(alone, "crash", "h1");
              assertThat(refused.exitCode()).isEqualTo(1);
              assertThat(refused.err()).contains(" h1 ", "--allow-faults");
            });
    agents.get(0).awaitTreeOf(1);
  }
}
