package io.treecast.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.SubscriptionStart;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that may use one of several agents. */
@Timeout(120)
class SeveralAgentsTest {
  // A strong reference: a logger without one loses its level.
  private static final Logger QUIET = Logger.getLogger("io.treecast.client");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private final ScriptedAgent first = ScriptedAgent.running();
  private final ScriptedAgent second = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(first.address(), second.address());

  @AfterEach
  void close() {
    treecast.close();
    first.close();
    second.close();
  }

  /** Stops the client's agent, and waits until the client uses the next one. */
  private void stop(ScriptedAgent present, ScriptedAgent next) {
    var unused = treecast.subscribe(message -> {});
    await().until(() -> present.subscribers.size() == 1);
    present.stop();
    await().until(() -> next.subscribers.size() == 1);
  }

  private static byte[] text(String text) {
    return text.getBytes(UTF_8);
  }

  private static void assertFails(CompletableFuture<?> result, Reason reason) {
    assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void an_address_given_twice_is_refused() {
    assertThatThrownBy(() -> Treecast.connect("h1:7700", "h2", "h1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("h1:7700");
  }

  @Test
  void the_first_agent_is_preferred_and_kept() {
    for (int i = 0; i < 3; i++) {
      treecast.blocking().broadcast(text("x"));
    }

    assertThat(first.broadcasts).hasSize(3);
    assertThat(second.broadcasts).isEmpty();
  }

  @Test
  void a_text_may_name_several_agents() {
    first.stop();
    try (Treecast other = Treecast.connect(first.address() + ", " + second.address())) {
      other.blocking().broadcast(text("x"));
    }

    assertThat(second.broadcasts).hasSize(1);
  }

  @Test
  void the_client_goes_to_an_agent_that_answers_and_stays_with_it() {
    treecast.blocking().broadcast(text("one"));
    stop(first, second);
    treecast.blocking().broadcast(text("two"));
    first.start();
    treecast.blocking().broadcast(text("three"));

    assertThat(first.broadcasts).hasSize(1);
    assertThat(second.broadcasts).hasSize(2);
  }

  @Test
  void the_client_returns_to_the_first_agent_when_the_last_one_fails() {
    stop(first, second);
    treecast.blocking().broadcast(text("one"));
    int before = first.subscribeRequests.size();
    second.stop();
    first.start();
    await().until(() -> first.subscribeRequests.size() > before);
    treecast.blocking().broadcast(text("two"));

    assertThat(second.broadcasts).hasSize(1);
    assertThat(first.broadcasts).hasSize(1);
  }

  @Test
  void the_client_leaves_an_agent_that_accepts_connections_and_stays_silent() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Treecast other = Treecast.connect("127.0.0.1:" + silent.getLocalPort(), second.address())) {
      assertThat(other.broadcast(text("x"))).succeedsWithin(Duration.ofSeconds(60));
    }
  }

  @Test
  void the_failure_names_all_agents_with_the_cause_of_each() {
    first.stop();
    second.stop();
    try (Treecast other =
        Treecast.builder(first.address(), second.address())
            .defaultWait(Duration.ofMillis(10))
            .connect()) {
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> other.blocking().broadcast(text("x")))
                      .isInstanceOfSatisfying(
                          TreecastException.class,
                          e -> assertThat(e.reason()).isEqualTo(Reason.AGENT_UNREACHABLE))
                      .hasMessageContaining(first.address() + ": Connection refused")
                      .hasMessageContaining(second.address() + ": Connection refused"));
    }
  }

  @Test
  void a_subscription_resumes_at_the_next_agent_after_its_last_message() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    Subscription subscription = treecast.subscribe(message -> heard.add(message.text()));
    subscription.ready().get(60, TimeUnit.SECONDS);
    await().until(() -> first.subscribers.size() == 1);
    first.sendMessage("h3", 1, "a");
    await().until(() -> heard.equals(List.of("a")));
    first.stop();

    await().until(() -> second.subscribeRequests.size() == 1);

    assertThat(second.subscribeRequests.get(0).getStart())
        .isEqualTo(SubscriptionStart.SUBSCRIPTION_START_AFTER);
    assertThat(second.subscribeRequests.get(0).getAfterList())
        .containsExactly(ScriptedAgent.messageId("h3", 1));
  }

  @Test
  void a_broadcast_whose_outcome_is_unknown_is_not_sent_to_another_agent() {
    first.onBroadcast((request, answer) -> {});
    CompletableFuture<BroadcastResult> lost = treecast.broadcast(text("x"));
    await().until(() -> first.broadcasts.size() == 1);
    first.stop();

    assertFails(lost, Reason.OUTCOME_UNKNOWN);
    treecast.blocking().broadcast(text("y"));
    assertThat(second.broadcasts)
        .extracting(b -> b.getPayload().toStringUtf8())
        .containsExactly("y");
  }

  @Test
  void a_broadcast_that_an_agent_refuses_as_it_shuts_down_goes_to_the_next() {
    first.onBroadcast(
        (request, answer) -> answer.onError(AgentRefusal.of("SHUTTING_DOWN", "goodbye")));

    CompletableFuture<BroadcastResult> one = treecast.broadcast(text("1"));
    CompletableFuture<BroadcastResult> two = treecast.broadcast(text("2"));

    assertThat(one).succeedsWithin(Duration.ofSeconds(60));
    assertThat(two).succeedsWithin(Duration.ofSeconds(60));
    assertThat(second.broadcasts)
        .extracting(b -> b.getPayload().toStringUtf8())
        .containsExactly("1", "2");
  }

  @Test
  void a_retry_goes_only_to_the_agent_of_the_first_attempt() {
    RetryToken token = RetryToken.create();
    BroadcastOptions options = BroadcastOptions.defaults().withRetryToken(token);
    first.onBroadcast((request, answer) -> {});
    CompletableFuture<BroadcastResult> lost = treecast.broadcast(text("x"), options);
    await().until(() -> first.broadcasts.size() == 1);
    first.stop();
    assertFails(lost, Reason.OUTCOME_UNKNOWN);

    assertFails(treecast.broadcast(text("x"), options), Reason.RETRY_TOO_LATE);
    RetryToken stored = RetryToken.parse(token.toString());
    assertFails(
        treecast.broadcast(text("x"), BroadcastOptions.defaults().withRetryToken(stored)),
        Reason.RETRY_TOO_LATE);
    assertThat(second.broadcasts).isEmpty();
  }

  @Test
  void an_operation_that_may_count_at_one_agent_is_not_repeated_at_another() {
    CollectiveOptions patient = CollectiveOptions.defaults().withWait(Duration.ofMinutes(10));
    CompletableFuture<?> result = treecast.collectives().barrier("round 1", patient);
    await().until(() -> first.operations.size() == 1);
    first.stop();

    assertFails(result, Reason.OUTCOME_UNKNOWN);
    assertThat(second.operations).isEmpty();
  }

  @Test
  void a_close_while_the_client_goes_to_the_next_agent_leaves_no_connection() {
    VirtualTimer timer = new VirtualTimer();
    List<SimulatedChannel> channels = new CopyOnWriteArrayList<>();
    List<Runnable> onNext = new CopyOnWriteArrayList<>();
    AgentConnection connection =
        new AgentConnection(
            AgentConnectionTest.settings("h1,h2"),
            host -> true,
            agent -> {
              onNext.forEach(Runnable::run);
              SimulatedChannel channel = new SimulatedChannel(() -> {});
              channels.add(channel);
              return channel;
            },
            timer,
            timer::nowNanos,
            () -> 0L);
    onNext.add(connection::close);

    timer.runFor(2 * AgentConnection.CONNECT_LIMIT.toNanos());

    assertThat(channels).hasSize(2).allMatch(SimulatedChannel::isShutdown);
  }

  @Test
  void a_write_that_waits_for_a_silent_agent_reaches_the_next_one() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Treecast other =
            Treecast.builder("127.0.0.1:" + silent.getLocalPort(), second.address())
                .defaultWait(Duration.ofSeconds(60))
                .connect()) {
      // The scripted agent has no shared values, and says so.
      assertThatThrownBy(() -> other.values("routes").put("eu", text("h7")).get(60, SECONDS))
          .hasMessageContaining(second.address())
          .cause()
          .isInstanceOfSatisfying(
              TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.REFUSED));
    }
  }

  @Test
  void a_write_that_waits_for_an_agent_fails_when_the_client_is_closed() {
    first.stop();
    second.stop();
    Treecast other = Treecast.connect(first.address(), second.address());
    CompletableFuture<?> put = other.values("routes").put("eu", text("h7"));

    other.close();

    assertFails(put, Reason.CLOSED);
  }
}
