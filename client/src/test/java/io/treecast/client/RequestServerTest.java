package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.RequestPayload;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RequestServerTest {
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
        RequestPayload request =
            RequestPayload.newBuilder()
                .setId("request" + i)
                .setReplyTopic("reply/requester" + i)
                .setTimeoutMillis(60_000)
                .addReceivers(ScriptedAgent.NODE_ID)
                .build();
        agent
            .subscriber(0)
            .onNext(ScriptedAgent.chunk("m" + i, 1, 0, true, request.toByteString()));
      }

      await().until(() -> agent.broadcasts.size() == MEMBERS);
      Set<String> topics =
          agent.broadcasts.stream().map(BroadcastRequest::getTopic).collect(Collectors.toSet());
      assertThat(topics).hasSize(TopicBudget.MAX_TOPICS + 1).contains("reply");
    }
  }
}
