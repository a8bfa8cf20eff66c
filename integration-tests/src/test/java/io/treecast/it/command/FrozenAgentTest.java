package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.CollectiveOptions;
import io.treecast.client.Message;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.it.command.AgentProcess.Place;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent that is frozen for as long as its clients wait. */
@Timeout(300)
class FrozenAgentTest {
  private static final int ROUNDS = 4;
  private static final int SENDS = 2_500;
  private static final int CALLS = 250;
  private static final Duration WAIT = Duration.ofMillis(100);

  /** Reasons that say that a call did not leave, or that the agent refused it. */
  private static final Set<Reason> UNSENT =
      EnumSet.of(Reason.AGENT_UNREACHABLE, Reason.NO_TREE, Reason.BUFFER_FULL, Reason.REFUSED);

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

  /** Every call that has an effect; clients that have called before, and clients that have not. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("chaos")
  void a_call_reported_as_unsent_while_an_agent_is_frozen_has_no_effect(boolean hasCalledBefore)
      throws Exception {
    Place place = AgentProcess.places("h1").get(0);
    AgentProcess frozen =
        AgentProcess.start(
            directory, place, List.of(place), "--series", directory.resolve("series").toString());
    agent = frozen;
    frozen.awaitTreeOf(1);
    Map<Effect, Map<Reason, Integer>> failures = new EnumMap<>(Effect.class);
    List<String> wrong = new ArrayList<>();
    try (Treecast reader = Treecast.connect(place.listen());
        Observer observer = new Observer(reader);
        Treecast hasty = Treecast.builder(place.listen()).defaultWait(WAIT).connect()) {
      hasty.subscribe(message -> {}).ready().get(60, TimeUnit.SECONDS);
      if (hasCalledBefore) {
        for (Effect effect : Effect.values()) {
          String name = effect + "/before";
          await()
              .atMost(TreecastProcess.LIMIT)
              .until(
                  () ->
                      effect
                          .call(hasty, name, WAIT)
                          .handle((value, error) -> error == null)
                          .join());
        }
      }
      Map<Effect, Map<String, CompletableFuture<?>>> results = callWhileFrozen(frozen, hasty);
      // All that was accepted has come when this has: an origin's messages come in their order.
      for (Effect effect : List.of(Effect.BROADCAST, Effect.TOPIC, Effect.UPLOAD)) {
        String last = effect + "/last";
        effect.call(reader, last, TreecastProcess.LIMIT).join();
        await().atMost(TreecastProcess.LIMIT).until(() -> observer.had(effect, last));
      }
      results.forEach(
          (effect, calls) ->
              calls.forEach(
                  (name, result) -> {
                    Throwable failure = result.handle((value, error) -> error).join();
                    if (failure instanceof TreecastException told) {
                      failures
                          .computeIfAbsent(effect, any -> new EnumMap<>(Reason.class))
                          .merge(told.reason(), 1, Integer::sum);
                      if (UNSENT.contains(told.reason()) && observer.had(effect, name)) {
                        wrong.add(name + ": " + told);
                      }
                    } else if (failure != null) {
                      wrong.add(name + ": " + failure);
                    }
                  }));
    }

    assertThat(wrong).as("of %s", failures).isEmpty();
    assertThat(failures).containsKeys(Effect.BROADCAST, Effect.VALUE);
    System.out.println(hasCalledBefore + " " + failures);
  }

  /** A call with an effect. */
  private enum Effect {
    BROADCAST,
    TOPIC,
    UPLOAD,
    OPERATION,
    VALUE,
    CLAIM,
    REQUEST;

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final String TOPIC_NAME = "frozen";
    private static final String SERVICE = "frozen";

    /** Calls it with a name of its own. */
    CompletableFuture<?> call(Treecast treecast, String name, Duration wait) {
      byte[] payload = name.getBytes(StandardCharsets.UTF_8);
      BroadcastOptions options = BroadcastOptions.defaults().withWait(wait);
      return switch (this) {
        case BROADCAST -> treecast.broadcast(payload, options);
        case TOPIC -> treecast.broadcast(payload, options.withTopic(TOPIC_NAME));
        case UPLOAD -> treecast.upload(new ByteArrayInputStream(payload), options);
        case OPERATION ->
            treecast.collectives().barrier(name, CollectiveOptions.defaults().withWait(wait));
        case VALUE -> treecast.values("frozen").put(name, payload);
        case CLAIM -> treecast.claims().among("h1").acquire(name, LEASE, wait);
        case REQUEST -> treecast.requests().request("h1", SERVICE, payload, wait);
      };
    }
  }

  /** Sees the effects of calls. */
  private static final class Observer implements AutoCloseable {
    private final Treecast reader;
    private final Queue<String> came = new ConcurrentLinkedQueue<>();

    Observer(Treecast reader) throws Exception {
      this.reader = reader;
      reader
          .subscribe(
              SubscribeOptions.defaults().withTopics("", Effect.TOPIC_NAME),
              (Message message) -> came.add(message.text()))
          .ready()
          .get(60, TimeUnit.SECONDS);
      reader
          .requests()
          .serve(
              Effect.SERVICE,
              request -> {
                came.add(new String(request.payload(), StandardCharsets.UTF_8));
                return new byte[0];
              })
          .ready()
          .get(60, TimeUnit.SECONDS);
    }

    boolean had(Effect effect, String name) {
      return switch (effect) {
        case BROADCAST, TOPIC, UPLOAD, REQUEST -> came.contains(name);
        case OPERATION -> isNameUsed(name);
        case VALUE -> reader.values("frozen").get(name).join().isPresent();
        case CLAIM -> reader.claims().among("h1").holder(name).join().fence() > 0;
      };
    }

    /** This member takes part in an operation once. */
    private boolean isNameUsed(String name) {
      Throwable failure =
          reader
              .collectives()
              .barrier(name, CollectiveOptions.defaults())
              .handle((value, error) -> error)
              .join();
      return failure instanceof TreecastException told && told.reason() == Reason.NAME_USED;
    }

    @Override
    public void close() {
      reader.close();
    }
  }

  private Map<Effect, Map<String, CompletableFuture<?>>> callWhileFrozen(
      AgentProcess frozen, Treecast treecast) throws Exception {
    Map<Effect, Map<String, CompletableFuture<?>>> results = new EnumMap<>(Effect.class);
    List<CompletableFuture<?>> inOrder = new CopyOnWriteArrayList<>();
    for (Effect effect : Effect.values()) {
      results.put(effect, new ConcurrentHashMap<>());
    }
    frozen.signal("STOP");
    for (int number = 0; number < CALLS; number++) {
      for (Effect effect : Effect.values()) {
        String name = effect + "/" + number;
        var unused =
            sender.schedule(
                () -> {
                  var result = effect.call(treecast, name, WAIT);
                  Objects.requireNonNull(results.get(effect)).put(name, result);
                  if (effect == Effect.BROADCAST) {
                    inOrder.add(result);
                  }
                },
                number * 2_000L,
                TimeUnit.MICROSECONDS);
      }
    }
    // Broadcasts have five seconds for an answer beyond their wait; some have failed by then.
    await().atMost(TreecastProcess.LIMIT).until(() -> !inOrder.isEmpty());
    await()
        .pollInterval(Duration.ofMillis(1))
        .atMost(TreecastProcess.LIMIT)
        .until(() -> inOrder.get(0).isDone());
    frozen.signal("CONT");
    await()
        .atMost(TreecastProcess.LIMIT)
        .until(
            () ->
                results.values().stream()
                    .allMatch(
                        calls ->
                            calls.size() == CALLS
                                && calls.values().stream().allMatch(CompletableFuture::isDone)));
    return results;
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
