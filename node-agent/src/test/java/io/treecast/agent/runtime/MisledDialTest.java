package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.HostPort;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.Confirm;
import io.treecast.client.Confirmation;
import io.treecast.client.Treecast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Agents of which one advertises the address of a proxy, which leads elsewhere. */
@Execution(ExecutionMode.CONCURRENT)
@Order(2)
class MisledDialTest {
  private static final int BROADCASTS = 10;

  /** Where the proxy leads, instead of to h2, which advertises it. */
  enum Leads {
    /** To another member. */
    TO_ANOTHER,
    /** To the agent that dials. */
    BACK,
    /** The first connection to the right agent, the next to another, and so on. */
    IN_TURN,
    /** The first connection to another agent, the next to the right one, and so on. */
    IN_TURN_FROM_ANOTHER
  }

  private final TestAgents agents = new TestAgents();
  private final Forwarder proxy = new Forwarder();
  private final List<Treecast> clients = new ArrayList<>();

  @AfterEach
  void closeAll() {
    clients.forEach(Treecast::close);
    agents.close();
    proxy.close();
  }

  @ParameterizedTest
  @EnumSource
  void agents_of_a_misleading_address_are_one_tree_that_delivers_each_message_once(Leads leads)
      throws Exception {
    AgentConfig first = agents.config("h1", List.of(proxy.address().toString()));
    AgentConfig misled = agents.config("h2", List.of(first.listen().toString()));
    AgentConfig third =
        agents.config("h3", List.of(first.listen().toString(), proxy.address().toString()));
    HostPort right = misled.listen();
    HostPort other = leads == Leads.BACK ? first.listen() : third.listen();
    proxy.leadTo(
        number ->
            switch (leads) {
              case TO_ANOTHER, BACK -> other;
              case IN_TURN -> number % 2 == 0 ? right : other;
              case IN_TURN_FROM_ANOTHER -> number % 2 == 0 ? other : right;
            });
    Map<String, Agent> all = new TreeMap<>();
    all.put("h3", agents.start(third));
    all.put("h2", agents.start(TestAgents.advertising(misled, proxy.address())));
    all.put("h1", agents.start(first));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(all.values())
                    .allSatisfy(agent -> assertThat(TestAgents.memberCount(agent)).isEqualTo(3)));

    Map<String, List<String>> came = new TreeMap<>();
    Map<String, Treecast> publishers = new TreeMap<>();
    for (String id : all.keySet()) {
      List<String> messages = new CopyOnWriteArrayList<>();
      came.put(id, messages);
      Treecast client = Objects.requireNonNull(all.get(id)).client();
      clients.add(client);
      publishers.put(id, client);
      client
          .subscribe(message -> messages.add(message.origin() + message.text()))
          .ready()
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    List<String> sent = new ArrayList<>();
    for (int number = 0; number < BROADCASTS; number++) {
      for (String id : all.keySet()) {
        Confirmation confirmed =
            Objects.requireNonNull(
                Objects.requireNonNull(publishers.get(id))
                    .broadcast(
                        ("-" + number).getBytes(UTF_8),
                        BroadcastOptions.defaults()
                            .withConfirm(Confirm.ALL, Duration.ofSeconds(20)))
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .confirmation());
        sent.add(id + "-" + number);
        assertThat(confirmed.delivered()).hasSize(3);
      }
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(came.values())
                    .allSatisfy(
                        messages ->
                            assertThat(messages).containsExactlyInAnyOrderElementsOf(sent)));
    assertThat(TestAgents.snapshot(Objects.requireNonNull(all.get("h1"))).linksWithoutData())
        .isZero();
  }
}
