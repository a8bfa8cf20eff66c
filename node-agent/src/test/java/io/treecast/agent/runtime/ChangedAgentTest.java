package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.client.BroadcastResult;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MissedMessages;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients whose agent ends, and that go on at another agent of the cluster. */
class ChangedAgentTest {
  private static final int BEFORE = 50;
  private static final int ALL = 200;

  private final TestAgents agents = new TestAgents();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  private static final class Heard implements MessageHandler {
    final List<String> texts = new CopyOnWriteArrayList<>();

    @Override
    public void onMessage(Message message) {
      texts.add(message.text());
    }

    @Override
    public void onMissed(MissedMessages missed) {
      texts.add("missed " + missed);
    }
  }

  private static Treecast client(Agent... usable) {
    return Treecast.connect(
        List.of(usable).stream().map(agent -> agent.address().toString()).toArray(String[]::new));
  }

  private static void end(Agent agent, String way) {
    if (way.equals("crash")) {
      agent.crash();
    } else {
      agent.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"crash", "leave"})
  void a_subscription_loses_and_doubles_nothing_when_its_agent_ends(String way) {
    List<Agent> cluster = agents.startReadyCluster(3);
    Heard heard = new Heard();
    try (Treecast subscriber = client(cluster.get(1), cluster.get(2));
        Treecast publisher = client(cluster.get(0))) {
      var ready = subscriber.subscribe(heard).ready();
      assertThat(ready).succeedsWithin(PATIENCE);
      for (int i = 0; i < ALL; i++) {
        publisher.blocking().broadcast(("m" + i).getBytes(UTF_8));
        if (i == BEFORE) {
          await().atMost(PATIENCE).until(() -> heard.texts.size() > BEFORE / 2);
          end(cluster.get(1), way);
        }
      }

      await().atMost(PATIENCE).until(() -> heard.texts.size() >= ALL);
      assertThat(heard.texts)
          .containsExactlyElementsOf(IntStream.range(0, ALL).mapToObj(i -> "m" + i).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"crash", "leave"})
  void broadcasts_are_delivered_once_or_not_as_their_outcome_says(String way) {
    List<Agent> cluster = agents.startReadyCluster(3);
    Heard heard = new Heard();
    try (Treecast publisher = client(cluster.get(1), cluster.get(2));
        Treecast subscriber = client(cluster.get(0))) {
      assertThat(subscriber.subscribe(heard).ready()).succeedsWithin(PATIENCE);
      List<CompletableFuture<BroadcastResult>> results = new ArrayList<>();
      for (int i = 0; i < ALL; i++) {
        results.add(publisher.broadcast(("m" + i).getBytes(UTF_8)));
        if (i == BEFORE) {
          results.get(0).join();
          end(cluster.get(1), way);
        }
      }
      List<@Nullable Reason> reasons = new ArrayList<>();
      results.forEach(result -> reasons.add(reason(result)));
      publisher.blocking().broadcast("last".getBytes(UTF_8));

      await().atMost(PATIENCE).until(() -> heard.texts.contains("last"));
      Set<String> once = new HashSet<>(heard.texts);
      assertThat(heard.texts).as("no message comes twice").hasSameSizeAs(once);
      for (int i = 0; i < ALL; i++) {
        if (reasons.get(i) == null && (way.equals("leave") || i > BEFORE)) {
          assertThat(once).contains("m" + i);
        } else if (reasons.get(i) != null) {
          assertThat(reasons.get(i)).as("m" + i).isEqualTo(Reason.OUTCOME_UNKNOWN);
        }
      }
    }
  }

  /** Returns null for a broadcast that was accepted. */
  private static @Nullable Reason reason(CompletableFuture<BroadcastResult> result) {
    try {
      result.join();
      return null;
    } catch (CompletionException e) {
      return ((TreecastException) Objects.requireNonNull(e.getCause())).reason();
    }
  }
}
