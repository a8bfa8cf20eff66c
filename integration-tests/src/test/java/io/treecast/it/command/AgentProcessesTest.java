package io.treecast.it.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.client.EventIterator;
import io.treecast.client.Message;
import io.treecast.client.Treecast;
import io.treecast.it.command.AgentProcess.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three agents as separate processes, over loopback. Each test leaves a tree of all three. */
@Timeout(300)
@Order(1)
class AgentProcessesTest {
  @TempDir private static Path directory;

  private static List<Place> places = List.of();
  private static final List<AgentProcess> agents = new ArrayList<>();

  /** The seed starts last; the others are alone until then. */
  @BeforeAll
  static void agents_find_each_other() throws IOException {
    places = AgentProcess.places("h1", "h2", "h3");
    agents.add(start(1, places.subList(0, 1)));
    agents.add(start(2, places.subList(0, 1)));
    AgentProcess.awaitTreeOf(1, agents);
    agents.add(0, start(0, places.subList(0, 1)));
    AgentProcess.awaitTreeOf(3, agents);
  }

  @AfterAll
  static void kill() {
    agents.forEach(AgentProcess::close);
  }

  /** Runs a command, inside the test or not. */
  private interface Runner {
    TreecastProcess.Ended run(List<String> command) throws IOException, InterruptedException;
  }

  private static AgentProcess start(int agent, List<Place> seeds) throws IOException {
    return AgentProcess.start(directory, places.get(agent), seeds, "--allow-faults");
  }

  private static void restart(int agent) throws IOException {
    agents.get(agent).close();
    agents.set(agent, start(agent, places));
    AgentProcess.awaitTreeOf(3, agents);
  }

  @Test
  void a_broadcast_reaches_an_application_at_another_agent() throws Exception {
    try (Treecast at2 = Treecast.connect(places.get(1).listen());
        Treecast at3 = Treecast.connect(places.get(2).listen());
        EventIterator<Message> messages = at3.blocking().subscribe()) {
      at2.blocking().broadcast("over the tree".getBytes(UTF_8));

      Message message = Objects.requireNonNull(messages.poll(TreecastProcess.LIMIT));
      assertThat(message.origin()).isEqualTo("h2");
      assertThat(message.text()).isEqualTo("over the tree");
    }
    verify(places.get(0), command -> TreecastProcess.run(directory, command));
  }

  @Test
  void the_others_go_on_without_an_agent_that_leaves() throws Exception {
    TreecastProcess.Ended left = agents.get(2).terminate();
    assertThat(left.exitCode()).as(left.toString()).isZero();
    assertThat(left.out()).contains("has left");

    AgentProcess.awaitTreeOf(2, agents.subList(0, 2));
    verify(places.get(0), TreecastCommand::run);
    restart(2);
  }

  @Test
  void an_agent_that_crashes_leaves_the_tree_and_is_back_when_it_is_restarted() throws Exception {
    assertThat(agents.get(0).toString()).containsPattern("WARN.*faults");

    TreecastProcess.Ended crash =
        TreecastCommand.run(List.of("fault", "crash", "h1", "--agent", places.get(1).listen()));
    assertThat(crash.exitCode()).as(crash.toString()).isZero();
    TreecastProcess.Ended crashed = agents.get(0).awaitEnd();
    assertThat(crashed.exitCode()).as("as after kill -9").isEqualTo(137);
    assertThat(crashed.out()).doesNotContain("has left");
    assertThat(crashed.err()).contains(" h1 ", "treecast fault");

    AgentProcess.awaitTreeOf(2, agents.subList(1, 3));
    restart(0);
    verify(places.get(2), TreecastCommand::run);
  }

  /** Verifies the tree, with retries because an agent on a busy machine may answer too late. */
  private static void verify(Place place, Runner runner) {
    await()
        .atMost(TreecastProcess.LIMIT)
        .untilAsserted(
            () -> {
              TreecastProcess.Ended verified =
                  runner.run(List.of("tree", "verify", "--agent", place.listen()));
              assertThat(verified.exitCode()).as(verified.toString()).isZero();
            });
  }
}
