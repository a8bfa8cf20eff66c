package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.stub.ServerCallStreamObserver;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.RequestPayload;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RequestServerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MEMBERS = 3 * TopicBudget.MAX_TOPICS;

  @Test
  void a_server_publishes_on_few_topics_however_many_members_ask() {
    try (ScriptedAgent agent = ScriptedAgent.running();
        Treecast treecast = Treecast.connect(agent.address())) {
      Subscription server = treecast.requests().serve("name", Request::payload);
      await().until(() -> !agent.watchers.isEmpty());
      agent.sendTree(WatchTreeTest.tree(1));
      server.ready().join();

      for (int i = 1; i <= MEMBERS; i++) {
        request(agent, i);
      }

      await().until(() -> agent.broadcasts.size() == MEMBERS);
      Set<String> topics =
          agent.broadcasts.stream().map(BroadcastRequest::getTopic).collect(Collectors.toSet());
      assertThat(topics).hasSize(TopicBudget.MAX_TOPICS + 1).contains("reply");
    }
  }

  /** Sends a request of its own member. */
  private static void request(ScriptedAgent agent, int number) {
    RequestPayload request =
        RequestPayload.newBuilder()
            .setId("request" + number)
            .setReplyTopic("reply/requester" + number)
            .setTimeoutMillis(60_000)
            .addReceivers(ScriptedAgent.NODE_ID)
            .build();
    agent
        .subscriber(0)
        .onNext(ScriptedAgent.chunk("m" + number, 1, 0, true, request.toByteString()));
  }

  @Test
  void a_server_that_is_closed_unsubscribes_when_the_agent_has_its_last_reply() {
    try (ScriptedAgent agent = ScriptedAgent.running();
        Treecast treecast = Treecast.connect(agent.address())) {
      agent.onBroadcast((reply, accepted) -> {});
      CompletableFuture<Subscription> itself = new CompletableFuture<>();
      Subscription server =
          treecast
              .requests()
              .serve(
                  "name",
                  request -> {
                    itself.join().close();
                    return request.payload();
                  });
      await().until(() -> !agent.watchers.isEmpty());
      agent.sendTree(WatchTreeTest.tree(1));
      server.ready().join();
      itself.complete(server);

      request(agent, 1);

      await().until(() -> agent.answers.size() == 1);
      assertThat(agent.subscribers).hasSize(2).noneMatch(ServerCallStreamObserver::isCancelled);
      assertThat(server.done()).isNotDone();
      ScriptedAgent.accept(agent.broadcasts.get(0), agent.answers.get(0));
      await().until(() -> server.done().isDone());
      await().until(() -> agent.subscribers.stream().allMatch(each -> each.isCancelled()));
    }
  }

  @Test
  void a_server_that_is_closed_before_it_is_ready_never_becomes_ready() {
    try (ScriptedAgent agent = ScriptedAgent.running();
        Treecast treecast = Treecast.connect(agent.address())) {
      Subscription server = treecast.requests().serve("name", Request::payload);

      server.close();

      assertFails(server.ready(), Reason.CLOSED);
      assertThat(server.done()).succeedsWithin(PATIENCE);
    }
  }

  @Test
  void a_server_that_may_not_receive_the_requests_to_its_member_ends() {
    try (ScriptedAgent agent = ScriptedAgent.running();
        Treecast treecast = Treecast.connect(agent.address())) {
      agent.onSubscribe(
          subscriber -> {
            if (agent.subscribeRequests.size() == 1) {
              ScriptedAgent.confirm(subscriber);
            } else {
              subscriber.onError(AgentRefusal.of("PERMISSION_DENIED", "only to several"));
            }
          });
      Subscription server = treecast.requests().serve("name", Request::payload);
      await().until(() -> !agent.watchers.isEmpty() && !agent.subscribers.isEmpty());

      agent.sendTree(WatchTreeTest.tree(1));

      assertFails(server.ready(), Reason.PERMISSION_DENIED);
      assertFails(server.done(), Reason.PERMISSION_DENIED);
      await().until(() -> agent.subscribers.get(0).isCancelled());
    }
  }

  @Test
  void a_server_that_may_not_watch_the_tree_ends() {
    try (ScriptedAgent agent = ScriptedAgent.running();
        Treecast treecast = Treecast.connect(agent.address())) {
      Subscription server = treecast.requests().serve("name", Request::payload);
      await().until(() -> !agent.watchers.isEmpty());

      agent.watchers.get(0).onError(AgentRefusal.of("PERMISSION_DENIED", "no administrate"));

      assertFails(server.ready(), Reason.PERMISSION_DENIED);
      assertFails(server.done(), Reason.PERMISSION_DENIED);
    }
  }

  private static void assertFails(CompletableFuture<?> future, Reason reason) {
    assertThatThrownBy(() -> future.get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
