package io.treecast.it.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.client.EventIterator;
import io.treecast.client.Message;
import io.treecast.client.Treecast;
import io.treecast.it.command.AgentProcess.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Agents as separate processes, over loopback. */
@Timeout(300)
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class AgentProcessesTest {
  @TempDir private Path directory;

  private final List<AgentProcess> agents = new ArrayList<>();

  @AfterEach
  void kill() {
    agents.forEach(AgentProcess::close);
  }

  private AgentProcess start(Place place, List<Place> seeds) throws Exception {
    AgentProcess agent = AgentProcess.start(directory, place, seeds);
    agents.add(agent);
    return agent;
  }

  @Test
  void three_agents_find_each_other_broadcast_and_go_on_without_one_that_leaves() throws Exception {
    List<Place> places = AgentProcess.places("h1", "h2", "h3");
    Place seed = places.get(0);

    // The seed starts last; the others are alone until then.
    AgentProcess h3 = start(places.get(2), List.of(seed));
    AgentProcess h2 = start(places.get(1), List.of(seed));
    AgentProcess.awaitTreeOf(1, agents);
    AgentProcess h1 = start(seed, List.of(seed));
    AgentProcess.awaitTreeOf(3, agents);

    try (Treecast at2 = Treecast.connect(places.get(1).listen());
        Treecast at3 = Treecast.connect(places.get(2).listen());
        EventIterator<Message> messages = at3.blocking().subscribe()) {
      at2.blocking().broadcast("over the tree".getBytes(UTF_8));

      Message message = Objects.requireNonNull(messages.poll(TreecastProcess.LIMIT));
      assertThat(message.origin()).isEqualTo("h2");
      assertThat(message.text()).isEqualTo("over the tree");
    }
    verify(seed);

    TreecastProcess.Ended left = h3.terminate();
    assertThat(left.exitCode()).as(left.toString()).isZero();
    h1.awaitTreeOf(2);
    h2.awaitTreeOf(2);
    verify(seed);
  }

  @Test
  void a_member_that_is_killed_leaves_the_tree_and_is_back_when_it_is_restarted() throws Exception {
    List<Place> places = AgentProcess.places("h1", "h2", "h3");
    for (Place place : places) {
      start(place, places);
    }
    AgentProcess.awaitTreeOf(3, agents);

    AgentProcess killed = agents.remove(1);
    killed.close();
    AgentProcess.awaitTreeOf(2, agents);

    start(places.get(1), places);
    AgentProcess.awaitTreeOf(3, agents);
    verify(places.get(2));
  }

  /** Verifies the tree, with retries because an agent on a busy machine may answer too late. */
  private void verify(Place place) {
    await()
        .atMost(TreecastProcess.LIMIT)
        .untilAsserted(
            () -> {
              TreecastProcess.Ended verified =
                  TreecastProcess.run(
                      directory, List.of("tree", "verify", "--agent", place.listen()));
              assertThat(verified.exitCode()).as(verified.toString()).isZero();
            });
  }

  @Test
  void an_agent_with_a_taken_id_ends_and_the_cluster_lives_on() throws Exception {
    List<Place> places = AgentProcess.places("h1", "h2", "h2");
    List<Place> seed = List.of(places.get(0));
    AgentProcess h1 = start(places.get(0), seed);
    AgentProcess h2 = start(places.get(1), seed);
    AgentProcess.awaitTreeOf(2, agents);

    TreecastProcess.Ended duplicate = start(places.get(2), seed).awaitEnd();

    assertThat(duplicate.exitCode()).as(duplicate.toString()).isEqualTo(1);
    assertThat(duplicate.err()).contains("h2", "--id");
    h1.awaitTreeOf(2);
    h2.awaitTreeOf(2);
  }
}
