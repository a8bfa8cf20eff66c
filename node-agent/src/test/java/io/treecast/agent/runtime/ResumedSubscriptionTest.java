package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static io.treecast.agent.runtime.TestAgents.listeningOn;
import static io.treecast.agent.runtime.TestAgents.snapshot;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.AgentConfig;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MessageId;
import io.treecast.client.MissedMessages;
import io.treecast.client.Positions;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.SubscriptionStart;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Subscriptions that go on after what was had, at real agents. */
class ResumedSubscriptionTest {
  private final TestAgents agents = new TestAgents();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  /** Keeps its positions as an application does. */
  private static final class Application implements MessageHandler {
    final List<String> heard = new CopyOnWriteArrayList<>();
    volatile Positions positions = Positions.of(List.of());

    @Override
    public void onBegan(Positions begin) {
      positions = begin;
    }

    @Override
    public void onLive() {
      heard.add("live");
    }

    @Override
    public void onMessage(Message message) {
      positions = positions.with(message.messageId());
      heard.add(message.text());
    }

    @Override
    public void onMissed(MissedMessages missed) {
      heard.add(missed.toString());
    }

    @Override
    public void onInterrupted(String reason) {
      heard.add("interrupted");
    }

    void awaitHeard(String... words) {
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(heard).containsExactly(words));
    }
  }

  private static Treecast client(Agent agent) {
    return Treecast.connect(agent.address().toString());
  }

  private static void broadcast(Treecast publisher, String... texts) {
    for (String text : texts) {
      var unused = publisher.blocking().broadcast(text.getBytes(UTF_8));
    }
  }

  @Test
  void a_restart_of_the_agent_loses_and_doubles_nothing() {
    List<Agent> cluster = agents.startReadyCluster(2);
    AgentConfig config = agents.config("h2", List.of(cluster.get(0).address().toString()));
    Application application = new Application();
    try (Treecast publisher = client(cluster.get(0));
        Treecast subscriber = client(cluster.get(1))) {
      broadcast(publisher, "before");
      await()
          .atMost(PATIENCE)
          .until(() -> snapshot(cluster.get(1)).broadcast().retainedBytes() > 0);
      subscriber.subscribe(application).ready().join();
      broadcast(publisher, "1", "2");
      application.awaitHeard("live", "1", "2");

      cluster.get(1).crash();
      broadcast(publisher, "3", "4");
      agents.start(listeningOn(config, cluster.get(1).address(), TestAgents.ANY_PORT));
      await().atMost(PATIENCE).until(() -> application.heard.contains("4"));
      broadcast(publisher, "5");

      await().atMost(PATIENCE).until(() -> application.heard.contains("5"));
      assertThat(application.heard)
          .filteredOn(word -> !word.equals("live"))
          .containsExactly("1", "2", "interrupted", "3", "4", "5");
    }
  }

  @Test
  void another_start_of_the_application_goes_on_at_another_agent() {
    List<Agent> cluster = agents.startReadyCluster(2);
    Application first = new Application();
    Application second = new Application();
    try (Treecast publisher = client(cluster.get(0));
        Treecast other = client(cluster.get(1))) {
      try (Treecast own = client(cluster.get(0))) {
        own.subscribe(first).ready().join();
        broadcast(publisher, "1", "2");
        first.awaitHeard("live", "1", "2");
      }
      broadcast(publisher, "3");
      await()
          .atMost(PATIENCE)
          .until(() -> snapshot(cluster.get(1)).broadcast().retainedBytes() >= 3 * 257);

      other.subscribe(
          SubscribeOptions.defaults().withStart(new SubscriptionStart.After(first.positions)),
          second);

      second.awaitHeard("3", "live");
    }
  }

  @Test
  void from_retained_gets_what_all_members_have_long_had() {
    List<Agent> cluster = agents.startReadyCluster(1);
    Application application = new Application();
    try (Treecast client = client(cluster.get(0))) {
      broadcast(client, "1", "2");

      client.subscribe(
          SubscribeOptions.defaults().withStart(new SubscriptionStart.Retained()), application);

      application.awaitHeard("1", "2", "live");
    }
  }

  @Test
  void a_position_that_cannot_be_ends_the_subscription_with_the_reason() {
    List<Agent> cluster = agents.startReadyCluster(1);
    try (Treecast client = client(cluster.get(0))) {
      MessageId sent = client.blocking().broadcast(new byte[0]).messageId();
      MessageId later = new MessageId(sent.origin(), sent.incarnation(), 9);

      var done =
          client
              .subscribe(
                  SubscribeOptions.defaults()
                      .withStart(new SubscriptionStart.After(Positions.of(List.of(later)))),
                  message -> {})
              .done();

      assertThat(done)
          .failsWithin(PATIENCE)
          .withThrowableThat()
          .withCauseInstanceOf(TreecastException.class)
          .withMessageMatching(".*" + Pattern.quote(String.valueOf(later)) + "\\b.* 1\\b.*");
    }
  }
}
