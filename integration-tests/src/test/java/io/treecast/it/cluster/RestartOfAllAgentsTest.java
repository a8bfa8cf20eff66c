package io.treecast.it.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.Confirm;
import io.treecast.client.Confirmation;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MissedMessages;
import io.treecast.client.Treecast;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All agents restart, as for a new release, while applications keep running. */
@Timeout(300)
class RestartOfAllAgentsTest {
  private static final List<Integer> ALL = List.of(0, 1, 2);
  private static final Topology TRIANGLE =
      Topology.of(
          3,
          List.of(
              new Topology.Link(0, 1, 1_000),
              new Topology.Link(1, 2, 2_000),
              new Topology.Link(0, 2, 3_000)));

  /** Records its messages and its gaps. */
  private static final class Application implements MessageHandler {
    final List<String> heard = new CopyOnWriteArrayList<>();

    @Override
    public void onMessage(Message message) {
      heard.add(message.text());
    }

    @Override
    public void onMissed(MissedMessages missed) {
      heard.add(missed.toString());
    }
  }

  private static void awaitTreeOf(LocalCluster agents, int members) {
    await()
        .atMost(RunningCluster.LIMIT)
        .untilAsserted(
            () ->
                assertThat(agents.snapshots())
                    .hasSize(members)
                    .allMatch(AgentSnapshot::carriesBroadcasts)
                    .extracting(agent -> Objects.requireNonNull(agent.tree().tree()))
                    .allMatch(tree -> tree.members().size() == members));
  }

  private static long version(LocalCluster agents) {
    return agents.snapshots().stream()
        .map(agent -> Objects.requireNonNull(agent.tree().tree()))
        .mapToLong(CommittedTree::version)
        .max()
        .orElseThrow();
  }

  private static Confirmation broadcast(Treecast publisher, String text) {
    return Objects.requireNonNull(
        publisher
            .blocking()
            .broadcast(
                text.getBytes(UTF_8),
                BroadcastOptions.defaults()
                    .withWait(RunningCluster.LIMIT)
                    .withConfirm(Confirm.ALL, Duration.ofSeconds(20)))
            .confirmation());
  }

  @Test
  void a_subscription_that_lives_on_gets_all_of_what_is_published_then() throws Exception {
    try (RunningCluster cluster = RunningCluster.start(TRIANGLE);
        Treecast subscriber = Treecast.connect(cluster.address(2))) {
      LocalCluster agents = cluster.agents();
      Treecast publisher = cluster.client(1);
      for (int i = 0; i < 2; i++) {
        agents.crash(2);
        awaitTreeOf(agents, 2);
        agents.restart(2);
        awaitTreeOf(agents, 3);
      }
      Application application = new Application();
      subscriber.subscribe(application).ready().join();
      assertThat(broadcast(publisher, "before").delivered()).containsExactly("2");
      await().atMost(RunningCluster.LIMIT).until(() -> application.heard.contains("before"));
      long versionBefore = version(agents);

      ALL.forEach(agents::crash);
      ALL.forEach(agents::restart);
      awaitTreeOf(agents, 3);
      assertThat(version(agents)).isLessThan(versionBefore);
      List<String> published = new ArrayList<>(List.of("before"));
      Confirmation confirmation;
      do {
        String text = "after " + published.size();
        confirmation = broadcast(publisher, text);
        published.add(text);
        if (confirmation.delivered().contains("2")) {
          await().atMost(RunningCluster.LIMIT).until(() -> application.heard.contains(text));
        }
      } while (!confirmation.delivered().contains("2"));

      assertThat(confirmation.withoutSubscriber()).containsExactly("0", "1");
      assertThat(application.heard).containsExactlyElementsOf(published);
    }
  }
}
