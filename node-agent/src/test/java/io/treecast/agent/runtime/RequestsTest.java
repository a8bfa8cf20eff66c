package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.Reply;
import io.treecast.client.Reply.Outcome;
import io.treecast.client.RequestHandler;
import io.treecast.client.Requests;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastMetrics;
import io.treecast.proto.v1.RequestPayload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests between applications of real agents. */
@Timeout(120)
class RequestsTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  private final TestAgents agents = new TestAgents();
  private final List<Treecast> clients = new ArrayList<>();
  private final List<String> handled = new CopyOnWriteArrayList<>();

  @AfterEach
  void closeAll() {
    clients.forEach(Treecast::close);
    agents.close();
  }

  private Treecast client(Agent agent) {
    Treecast client = agent.client();
    clients.add(client);
    return client;
  }

  private void serve(Agent agent, RequestHandler handler) {
    String id = id(agent);
    client(agent)
        .requests()
        .serve(
            "name",
            request -> {
              handled.add(id);
              return handler.answer(request);
            })
        .ready()
        .join();
  }

  private static String id(Agent agent) {
    return TestAgents.snapshot(agent).self().id().toString();
  }

  private static RequestHandler echo(Agent agent) {
    String id = id(agent);
    return request -> (id + " " + new String(request.payload(), UTF_8)).getBytes(UTF_8);
  }

  private static CompletableFuture<Reply> request(Treecast from, Agent to, Duration timeout) {
    return from.requests().request(id(to), "name", "hello".getBytes(UTF_8), timeout);
  }

  @Test
  void a_request_is_answered_by_the_member_that_it_names_alone() {
    List<Agent> cluster = agents.startReadyCluster(3);
    for (Agent agent : cluster) {
      serve(agent, echo(agent));
    }
    Treecast requester = client(cluster.get(0));

    for (Agent agent : cluster) {
      Reply reply = request(requester, agent, PATIENCE).join();
      assertThat(reply.text()).isEqualTo(id(agent) + " hello");
      assertThat(reply.member()).isEqualTo(id(agent));
    }
    assertThat(handled).containsExactlyElementsOf(cluster.stream().map(RequestsTest::id).toList());
  }

  @Test
  void all_members_answer_a_request_to_all() {
    List<Agent> cluster = agents.startReadyCluster(3);
    for (Agent agent : cluster) {
      serve(agent, echo(agent));
    }

    Map<String, Reply> replies =
        client(cluster.get(1)).requests().requestAll("name", new byte[0], PATIENCE).join();

    assertThat(replies.keySet())
        .containsExactlyElementsOf(cluster.stream().map(RequestsTest::id).sorted().toList());
    assertThat(replies.values()).allMatch(Reply::isAnswered);
  }

  @Test
  void a_request_to_some_members_does_not_come_to_servers_of_others() {
    List<Agent> cluster = agents.startReadyCluster(3);
    for (Agent agent : cluster) {
      serve(agent, echo(agent));
    }
    Agent other = cluster.get(2);
    List<String> receivers = List.of(id(cluster.get(0)), id(cluster.get(1)));

    Map<String, Reply> replies =
        client(cluster.get(0))
            .requests()
            .requestEach(receivers, "name", new byte[0], PATIENCE)
            .join();

    assertThat(replies.values()).extracting(Reply::outcome).containsOnly(Outcome.ANSWERED);
    // A later request of the same origin is the first that the other member's server gets.
    Reply later = request(client(cluster.get(0)), other, PATIENCE).join();
    assertThat(later.outcome()).isEqualTo(Outcome.ANSWERED);
    assertThat(TestAgents.snapshot(other).broadcast().deliveredMessages()).isEqualTo(1);
  }

  @Test
  void replies_to_more_clients_than_there_are_topics_for_still_go_to_their_members_alone() {
    List<Agent> cluster = agents.startReadyCluster(3);
    serve(cluster.get(0), echo(cluster.get(0)));
    Subscription others =
        client(cluster.get(2))
            .subscribe(
                SubscribeOptions.defaults().withTopics("reply"), message -> handled.add("reply"));
    others.ready().join();

    for (int i = 0; i < 20; i++) {
      Reply reply = request(client(cluster.get(1)), cluster.get(0), PATIENCE).join();
      assertThat(reply.outcome()).isEqualTo(Outcome.ANSWERED);
    }

    assertThat(handled).hasSize(20).doesNotContain("reply");
  }

  @Test
  void the_outcome_says_why_a_member_has_not_answered() {
    List<Agent> cluster = agents.startReadyCluster(2);
    serve(
        cluster.get(0),
        request -> {
          throw new IllegalStateException("out-of-paper");
        });
    Treecast requester = client(cluster.get(1));

    Map<String, Reply> replies =
        requester
            .requests()
            .requestEach(
                List.of(id(cluster.get(0)), id(cluster.get(1)), "nobody"),
                "name",
                new byte[0],
                PATIENCE)
            .join();

    assertThat(replies.values())
        .extracting(Reply::outcome)
        .containsExactly(Outcome.FAILED, Outcome.NO_SERVER, Outcome.ABSENT);
    assertThat(replies.values()).anyMatch(reply -> reply.error().contains("out-of-paper"));
  }

  @Test
  void the_next_candidate_gets_a_request_that_a_lost_member_has_not_answered() {
    List<Agent> cluster = agents.startReadyCluster(3);
    CountDownLatch release = new CountDownLatch(1);
    serve(
        cluster.get(1),
        request -> {
          release.await();
          return new byte[0];
        });
    serve(cluster.get(2), echo(cluster.get(2)));
    List<String> candidates = List.of("nobody", id(cluster.get(1)), id(cluster.get(2)));
    CompletableFuture<Reply> reply =
        client(cluster.get(0))
            .requests()
            .requestAny(candidates, "name", "hello".getBytes(UTF_8), PATIENCE);
    await().until(() -> handled.contains(candidates.get(1)));

    cluster.get(1).close();

    assertThat(reply.join().text()).isEqualTo(candidates.get(2) + " hello");
    release.countDown();
  }

  @Test
  void a_server_does_not_handle_a_request_whose_time_is_over() {
    Agent agent = agents.startReadyCluster(1).get(0);
    CountDownLatch release = new CountDownLatch(1);
    serve(
        agent,
        request -> {
          release.await();
          return new byte[0];
        });
    Treecast requester = client(agent);
    CompletableFuture<Reply> first = request(requester, agent, PATIENCE);
    await().until(() -> handled.size() == 1);

    // The time may be over before the agent has taken the request.
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(CompletionException.class)
        .untilAsserted(
            () ->
                assertThat(request(requester, agent, SHORT).join().outcome())
                    .isEqualTo(Outcome.NO_ANSWER));
    // The server counts the time from the publication of the request, which may be late, but is
    // before that of the next message.
    requester.broadcast(new byte[1]).join();
    Instant over = Instant.now().plus(SHORT);
    await().until(() -> Instant.now().isAfter(over));
    release.countDown();

    assertThat(first.join().outcome()).isEqualTo(Outcome.ANSWERED);
    assertThat(request(requester, agent, PATIENCE).join().outcome()).isEqualTo(Outcome.ANSWERED);
    assertThat(handled).hasSize(2);
  }

  @Test
  void a_server_ignores_requests_that_no_client_sends_and_goes_on() {
    Agent agent = agents.startReadyCluster(1).get(0);
    serve(agent, echo(agent));
    Treecast requester = client(agent);
    BroadcastOptions toServer = BroadcastOptions.defaults().withTopic("request/name/" + id(agent));
    RequestPayload request =
        RequestPayload.newBuilder()
            .setId("forged")
            .setReplyTopic("reply/forged")
            .setTimeoutMillis(PATIENCE.toMillis())
            .addReceivers(id(agent))
            .build();
    List<RequestPayload> forged = new ArrayList<>();
    for (String topic : List.of("", "config", "replies", "reply/\n", "reply/" + "x".repeat(200))) {
      forged.add(request.toBuilder().setReplyTopic(topic).build());
    }
    for (long millis : List.of(-1L, Requests.MAX_TIMEOUT.toMillis() + 1, Long.MAX_VALUE)) {
      forged.add(request.toBuilder().setTimeoutMillis(millis).build());
    }

    forged.forEach(each -> requester.broadcast(each.toByteArray(), toServer).join());

    assertThat(request(requester, agent, PATIENCE).join().outcome()).isEqualTo(Outcome.ANSWERED);
    assertThat(handled).hasSize(1);
  }

  @Test
  void an_answer_that_is_too_large_to_send_is_a_failure() {
    Agent agent = agents.startReadyCluster(1).get(0);
    serve(agent, request -> new byte[5 << 20]);

    Reply reply = request(client(agent), agent, PATIENCE).join();

    assertThat(reply.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(reply.error()).contains("PAYLOAD_TOO_LARGE");
  }

  @Test
  void a_closed_server_answers_no_more() {
    Agent agent = agents.startReadyCluster(1).get(0);
    var server = client(agent).requests().serve("name", echo(agent));
    server.ready().join();

    server.close();

    server.done().join();
    Reply reply = request(client(agent), agent, PATIENCE).join();
    assertThat(reply.outcome()).isEqualTo(Outcome.NO_SERVER);
  }

  @Test
  void requests_are_counted_by_outcome() {
    Agent agent = agents.startReadyCluster(1).get(0);
    Treecast server = client(agent);
    server.requests().serve("name", echo(agent)).ready().join();
    Treecast requester = client(agent);
    SimpleMeterRegistry ofServer = new SimpleMeterRegistry();
    SimpleMeterRegistry ofRequester = new SimpleMeterRegistry();
    new TreecastMetrics(server).bindTo(ofServer);
    new TreecastMetrics(requester).bindTo(ofRequester);

    request(requester, agent, PATIENCE).join();
    requester.requests().request("nobody", "name", new byte[0], PATIENCE).join();

    assertThat(count(ofServer, "served", Tags.empty())).isEqualTo(1);
    assertThat(count(ofRequester, "requests", Tags.of("outcome", "answered"))).isEqualTo(1);
    assertThat(count(ofRequester, "requests", Tags.of("outcome", "absent"))).isEqualTo(1);
    assertThat(count(ofRequester, "requests", Tags.of("outcome", "no_server"))).isZero();
  }

  private static double count(SimpleMeterRegistry registry, String meter, Tags tags) {
    return registry.get("treecast.client." + meter).tags(tags).functionCounter().count();
  }

  @Test
  void names_and_timeouts_out_of_range_are_refused() {
    Agent agent = agents.startReadyCluster(1).get(0);
    Requests requests = client(agent).requests();
    Duration tooLong = Requests.MAX_TIMEOUT.plusMillis(1);

    assertThatThrownBy(() -> requests.serve("a/b", request -> new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> requests.requestAll("", new byte[0], SHORT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> requests.requestAll("x".repeat(101), new byte[0], SHORT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> requests.requestAll("name", new byte[0], tooLong))
        .isInstanceOf(IllegalArgumentException.class);
    for (Duration timeout : List.of(Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE))) {
      assertThatThrownBy(() -> requests.requestAll("name", new byte[0], timeout))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_request_without_an_agent_is_not_sent() {
    try (Treecast alone = Treecast.connect("127.0.0.1:1")) {
      assertThatThrownBy(() -> alone.requests().requestAll("name", new byte[0], SHORT).join())
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(TreecastException.class);
    }
  }
}
