package io.treecast.agent.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.treecast.agent.config.ConfigException;
import io.treecast.client.EventIterator;
import io.treecast.client.Message;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents inside another program. */
class EmbeddedAgentTest {
  private static AgentBuilder agent(String id) {
    return Agent.builder().id(id).listen("127.0.0.1:0");
  }

  @Test
  void agents_of_one_program_form_a_cluster_and_their_clients_need_no_socket() throws Exception {
    try (Agent one = agent("h1").set("readyMembers", 2).start();
        Agent other = agent("h2").seeds(one.address().toString()).start();
        Treecast sender = one.client();
        Treecast receiver = other.client()) {
      one.ready().get(60, TimeUnit.SECONDS);
      try (EventIterator<Message> messages = receiver.blocking().subscribe()) {
        sender.blocking().broadcast("hello".getBytes(UTF_8));

        Message message = Objects.requireNonNull(messages.poll(Duration.ofSeconds(60)));
        assertThat(message.text()).isEqualTo("hello");
        assertThat(message.origin()).isEqualTo("h1");
      }
      assertThat(sender.toString()).contains("h1-");
    }
  }

  @Test
  void a_client_of_the_same_program_does_not_outlive_the_agent() throws Exception {
    Agent agent = agent("h1").start();
    try (Treecast client = agent.clientBuilder().defaultWait(Duration.ofMillis(100)).connect()) {
      agent.ready().get(60, TimeUnit.SECONDS);
      client.blocking().broadcast(new byte[1], Duration.ofSeconds(60));
      agent.close();

      assertThatThrownBy(() -> client.blocking().broadcast(new byte[1]))
          .isInstanceOf(TreecastException.class)
          .extracting(e -> ((TreecastException) e).reason())
          .isEqualTo(TreecastException.Reason.AGENT_UNREACHABLE);
    }
    try (Treecast late = agent.clientBuilder().defaultWait(Duration.ofMillis(100)).connect()) {
      assertThatThrownBy(() -> late.blocking().broadcast(new byte[1]))
          .extracting(e -> ((TreecastException) e).reason())
          .isEqualTo(TreecastException.Reason.AGENT_UNREACHABLE);
    }
  }

  @Test
  void a_wait_for_readiness_fails_when_the_agent_stops_before() throws Exception {
    Agent agent = agent("h1").set("readyMembers", 2).start();
    var ready = agent.ready();
    agent.close();

    assertThatThrownBy(() -> ready.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(agent.ready()).isCompletedExceptionally();
  }

  @Test
  void a_wait_for_readiness_with_a_limit_ends_with_the_reason() throws Exception {
    try (Agent agent = agent("h1").seeds("127.0.0.1:1").set("readyMembers", 2).start()) {
      await().until(() -> !agent.snapshot().get(60, TimeUnit.SECONDS).unansweredSeeds().isEmpty());

      assertThatThrownBy(() -> agent.ready(Duration.ofMillis(1)).get(60, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("agent h1 ")
          .hasMessageContaining("127.0.0.1:1");
    }
  }

  @Test
  void an_agent_that_is_ready_in_time_passes_the_limit() throws Exception {
    try (Agent agent = agent("h1").start()) {
      assertThat(agent.ready(Duration.ofSeconds(60))).succeedsWithin(Duration.ofSeconds(60));
      assertThat(agent.ready(Duration.ofNanos(1))).succeedsWithin(Duration.ofSeconds(60));
    }
  }

  @Test
  void a_wait_with_a_limit_fails_as_well_when_the_agent_stops_before() throws Exception {
    Agent agent = agent("h1").set("readyMembers", 2).start();
    var ready = agent.ready(Duration.ofDays(1));
    agent.close();

    assertThatThrownBy(() -> ready.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void any_registry_gets_the_meters_and_the_admin_page_shows_them_as_well() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Agent agent = agent("h1").registry(registry).set("admin", "127.0.0.1:0").start()) {
      agent.ready().get(60, TimeUnit.SECONDS);
      var unused = agent.snapshot().get(60, TimeUnit.SECONDS);

      assertThat(registry.get("treecast.ready").tag("node", "h1").gauge().value()).isEqualTo(1);
      assertThat(page(agent, "/metrics")).contains("treecast_ready{node=\"h1\"} 1.0");
    }
    assertThat(registry.getMeters()).as("after the agent has closed").isEmpty();
  }

  private static String page(Agent agent, String path) throws Exception {
    URI uri = URI.create("http://" + agent.adminAddress() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }

  @Test
  void settings_have_the_checks_of_a_file() {
    assertThatThrownBy(() -> agent("h1").set("limits.memoryBites", 1).start())
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("Agent.builder(): limits.memoryBites: ")
        .hasMessageContaining("memoryBytes");
    assertThatThrownBy(() -> agent("h1").set("readyMembers", "two").start())
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("Agent.builder(): readyMembers: 'two'");
    assertThatThrownBy(() -> Agent.builder().start())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("listen");
    assertThatThrownBy(() -> Agent.builder().id("h1").listen("0.0.0.0:0").start())
        .as("in plain text for other machines")
        .isInstanceOf(ConfigException.class);
  }

  @Test
  void settings_of_the_program_come_before_those_of_the_file(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("agent.yaml");
    Files.writeString(file, "id: h9\nlisten: 127.0.0.1:0\nsite: lab\n");
    try (Agent agent = Agent.builder().id("h1").file(file).start()) {
      var snapshot = agent.snapshot().get(60, TimeUnit.SECONDS);

      assertThat(snapshot.self().id().toString()).isEqualTo("h1");
      assertThat(agent.address().host()).isEqualTo("127.0.0.1");
    }
  }
}
