package io.treecast.it.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.Confirm;
import io.treecast.client.RetryToken;
import io.treecast.client.Treecast;
import io.treecast.it.command.AgentProcess.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * All agents of a cluster are killed and started, again and again, while applications live on:
 * answers to publishers are true, and nothing comes twice.
 */
@Timeout(600)
class KilledClusterTest {
  private static final int ROUNDS = Integer.getInteger("treecast.rounds", 5);
  private static final Duration WAIT = Duration.ofMillis(200);
  private static final Duration CONFIRMED = Duration.ofSeconds(2);
  private static final int MOST_ATTEMPTS = 60;

  @TempDir private Path directory;

  private final SplittableRandom random = new SplittableRandom(Long.getLong("treecast.seed", 1));
  private final ToldAndDelivered promises = new ToldAndDelivered();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final ConcurrentHashMap<String, CompletableFuture<?>> open = new ConcurrentHashMap<>();
  private final AtomicInteger sent = new AtomicInteger();
  private final List<Treecast> clients = new ArrayList<>();
  private List<AgentProcess> agents = List.of();

  @AfterEach
  void end() {
    timer.shutdownNow();
    clients.forEach(Treecast::close);
    agents.forEach(AgentProcess::close);
  }

  @Test
  @Tag("nightly")
  void answers_are_true_while_all_agents_are_killed_again_and_again() throws Exception {
    List<Place> places = AgentProcess.places("h1", "h2", "h3");
    start(places);
    AgentProcess.awaitTreeOf(3, agents);
    List<Treecast> publishers = new ArrayList<>();
    for (Place place : places) {
      Treecast reader = client(place);
      reader
          .subscribe(message -> promises.delivered(place.id(), message.text()))
          .ready()
          .get(60, TimeUnit.SECONDS);
      publishers.add(client(place));
    }
    Future<?> publishing =
        timer.scheduleAtFixedRate(() -> publish(publishers), 0, 2, TimeUnit.MILLISECONDS);
    for (int round = 0; round < ROUNDS; round++) {
      int before = promises.deliveries();
      await().atMost(TreecastProcess.LIMIT).until(() -> promises.deliveries() > before + 200);
      if (random.nextInt(4) == 0) {
        // The agents are killed once more before they have a tree.
        restart(places);
      }
      restart(places);
    }
    AgentProcess.awaitTreeOf(3, agents);
    publishing.cancel(false);
    await().atMost(TreecastProcess.LIMIT).until(() -> open.isEmpty());
    for (Place place : places) {
      Treecast last = client(place);
      String text = "last of " + place.id();
      // Messages of one origin come in their order, so all that was accepted has come before.
      last.blocking().broadcast(text.getBytes(UTF_8));
      await()
          .atMost(TreecastProcess.LIMIT)
          .until(() -> places.stream().allMatch(at -> promises.wasDelivered(at.id(), text)));
    }

    assertThat(promises.violations()).as("%s", promises).isEmpty();
    assertThat(promises.counts())
        .containsKeys(ToldAndDelivered.ACCEPTED, "AGENT_UNREACHABLE", "OUTCOME_UNKNOWN");
    assertThat(promises.counts()).as("a retry at a killed agent").containsKey("RETRY_TOO_LATE");
    assertThat(promises.confirmations()).isPositive();
    System.out.println(promises);
  }

  private Treecast client(Place place) {
    Treecast client =
        Treecast.builder(place.listen())
            .reconnectDelay(Duration.ofMillis(20), Duration.ofMillis(200))
            .connect();
    clients.add(client);
    return client;
  }

  private void start(List<Place> places) throws Exception {
    List<AgentProcess> started = new ArrayList<>();
    agents = started;
    for (Place place : places) {
      started.add(AgentProcess.start(directory, place, places));
    }
  }

  private void restart(List<Place> places) throws Exception {
    for (AgentProcess agent : agents) {
      agent.signal("KILL");
    }
    agents.forEach(AgentProcess::close);
    start(places);
  }

  /** Sends one broadcast of each kind through each agent in turn. */
  private void publish(List<Treecast> publishers) {
    int number = sent.getAndIncrement();
    Treecast publisher = publishers.get(number % publishers.size());
    BroadcastOptions options = BroadcastOptions.defaults().withWait(WAIT);
    switch (number / publishers.size() % 4) {
      case 0 -> send(publisher, "plain " + number, options, 1);
      case 1 ->
          send(publisher, "confirmed " + number, options.withConfirm(Confirm.ALL, CONFIRMED), 1);
      case 2 -> send(publisher, "replicated " + number, options.withReplicas(1), 1);
      default ->
          send(
              publisher,
              "retried " + number,
              options.withRetryToken(RetryToken.create()),
              MOST_ATTEMPTS);
    }
  }

  private void send(Treecast publisher, String text, BroadcastOptions options, int attempts) {
    CompletableFuture<?> result = publisher.broadcast(text.getBytes(UTF_8), options);
    open.put(text, result);
    var unused =
        result.whenComplete(
            (accepted, failure) -> {
              promises.told(text, accepted, failure);
              if (failure != null && attempts > 1 && promises.mayBeRetried(text)) {
                var unusedToo =
                    timer.schedule(
                        () -> send(publisher, text, options, attempts - 1),
                        2 * WAIT.toMillis(),
                        TimeUnit.MILLISECONDS);
              } else {
                open.remove(text);
              }
            });
  }
}
