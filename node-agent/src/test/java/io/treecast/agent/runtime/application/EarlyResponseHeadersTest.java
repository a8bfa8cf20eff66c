package io.treecast.agent.runtime.application;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.treecast.agent.runtime.TestAgents;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.SubscribeResponse;
import io.treecast.proto.v1.SubscriptionStart;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.WhenSlow;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client can tell an agent that has no tree from one that hangs. */
class EarlyResponseHeadersTest {
  private final TestAgents agents = new TestAgents();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  @Test
  void the_answer_begins_before_there_is_a_tree_and_goes_on_when_there_is_one() throws Exception {
    CompletableFuture<Metadata> head = new CompletableFuture<>();
    CompletableFuture<SubscribeResponse> first = new CompletableFuture<>();
    ClientCall<SubscribeRequest, SubscribeResponse> call =
        agents
            .channel(agents.startWaiting("h1"))
            .newCall(TreecastServiceGrpc.getSubscribeMethod(), CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onHeaders(Metadata headers) {
            head.complete(headers);
          }

          @Override
          public void onMessage(SubscribeResponse response) {
            first.complete(response);
          }
        },
        new Metadata());
    call.request(1);
    call.sendMessage(
        SubscribeRequest.newBuilder()
            .setStart(SubscriptionStart.SUBSCRIPTION_START_NOW)
            .setWhenSlow(WhenSlow.WHEN_SLOW_SLOW_PUBLISHER)
            .addTopics("")
            .build());
    call.halfClose();

    var unused = head.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(first).isNotDone();

    agents.silenceEnds();
    assertThat(first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).getEvents(0).hasSubscribed())
        .isTrue();
  }
}
