package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.client.Message;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.it.command.AgentProcess.Place;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent that is frozen for as long as its clients wait. */
@Timeout(300)
class FrozenAgentTest {
  private static final int ROUNDS = 4;
  private static final int SENDS = 2_500;
  private static final Duration WAIT = Duration.ofMillis(100);

  @TempDir private Path directory;

  private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
  private @Nullable AgentProcess agent;

  @AfterEach
  void end() {
    sender.shutdownNow();
    if (agent != null) {
      agent.close();
    }
  }

  /**
   * Each client broadcasts for the first time while the agent is frozen, so the agent has accepted
   * none of its calls.
   */
  @Test
  @Tag("chaos")
  void a_broadcast_reported_as_unsent_while_an_agent_is_frozen_is_not_delivered() throws Exception {
    Place place = AgentProcess.places("h1").get(0);
    AgentProcess frozen = AgentProcess.start(directory, place, List.of(place));
    agent = frozen;
    frozen.awaitTreeOf(1);
    Queue<String> delivered = new ConcurrentLinkedQueue<>();
    Map<Reason, Integer> failures = new EnumMap<>(Reason.class);
    List<String> unsent = new ArrayList<>();
    try (Treecast reader = Treecast.connect(place.listen())) {
      reader
          .subscribe((Message message) -> delivered.add(message.text()))
          .ready()
          .get(60, TimeUnit.SECONDS);
      for (int round = 0; round < ROUNDS; round++) {
        Map<String, CompletableFuture<?>> results = sendWhileFrozen(frozen, place, round);
        results.forEach(
            (text, result) -> {
              Throwable failure = result.handle((value, error) -> error).join();
              if (failure instanceof TreecastException told) {
                failures.merge(told.reason(), 1, Integer::sum);
                if (told.reason() != Reason.OUTCOME_UNKNOWN) {
                  unsent.add(text);
                }
              }
            });
      }
      // Messages of one origin arrive in order, so all accepted ones precede this one.
      reader.blocking().broadcast("last".getBytes(StandardCharsets.UTF_8));
      await().atMost(TreecastProcess.LIMIT).until(() -> delivered.contains("last"));
    }

    assertThat(failures).containsKey(Reason.AGENT_UNREACHABLE);
    assertThat(delivered).as("of %s", failures).doesNotContainAnyElementsOf(unsent);
    assertThat(delivered).doesNotHaveDuplicates();
  }

  private Map<String, CompletableFuture<?>> sendWhileFrozen(
      AgentProcess frozen, Place place, int round) throws Exception {
    Map<String, CompletableFuture<?>> results = new ConcurrentHashMap<>();
    List<CompletableFuture<?>> inOrder = new CopyOnWriteArrayList<>();
    try (Treecast treecast = Treecast.connect(place.listen())) {
      treecast.subscribe(message -> {}).ready().get(60, TimeUnit.SECONDS);
      frozen.signal("STOP");
      for (int number = 0; number < SENDS; number++) {
        String text = round + "/" + number;
        var unused =
            sender.schedule(
                () -> {
                  var result = treecast.broadcast(text.getBytes(StandardCharsets.UTF_8), WAIT);
                  results.put(text, result);
                  inOrder.add(result);
                },
                number * 200L,
                TimeUnit.MICROSECONDS);
      }
      await().atMost(TreecastProcess.LIMIT).until(() -> !inOrder.isEmpty());
      // Some calls have failed by now; the others are about to.
      await()
          .pollInterval(Duration.ofMillis(1))
          .atMost(TreecastProcess.LIMIT)
          .until(() -> inOrder.get(0).isDone());
      frozen.signal("CONT");
      await()
          .atMost(TreecastProcess.LIMIT)
          .until(
              () ->
                  results.size() == SENDS
                      && results.values().stream().allMatch(CompletableFuture::isDone));
    }
    return results;
  }
}
