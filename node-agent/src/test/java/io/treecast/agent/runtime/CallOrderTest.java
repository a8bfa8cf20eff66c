package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Treecast;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.BroadcastResponse;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Broadcasts are accepted in the order in which one thread calls, without waiting for any. */
class CallOrderTest {
  private final TestAgents agents = new TestAgents();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  /** A call of which only the head is sent, until the test says so. */
  private static final class Call extends ClientCall.Listener<BroadcastResponse> {
    final CompletableFuture<BroadcastResponse> answer = new CompletableFuture<>();
    final ClientCall<BroadcastRequest, BroadcastResponse> call;

    Call(Channel channel) {
      call = channel.newCall(TreecastServiceGrpc.getBroadcastMethod(), CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.request(1);
    }

    void sendPayload() {
      call.sendMessage(
          BroadcastRequest.newBuilder()
              .setPayload(ByteString.copyFromUtf8("x"))
              .setWaitMillis(10_000)
              .build());
      call.halfClose();
    }

    @Override
    public void onMessage(BroadcastResponse response) {
      answer.complete(response);
    }

    long sequence() throws Exception {
      return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).getMessageId().getSequence();
    }
  }

  /** The agent has seen all that was sent before on the connection. */
  private static void awaitArrival(Channel channel) {
    var unused = HealthGrpc.newBlockingStub(channel).check(HealthCheckRequest.getDefaultInstance());
  }

  @Test
  void a_call_whose_payload_comes_late_is_served_before_those_called_after_it() throws Exception {
    Channel channel = agents.channel(agents.startReadyCluster(1).get(0));
    Call first = new Call(channel);
    Call second = new Call(channel);
    Call third = new Call(channel);
    third.sendPayload();
    second.sendPayload();
    awaitArrival(channel);

    first.sendPayload();

    assertThat(List.of(first.sequence(), second.sequence(), third.sequence())).isSorted();
  }

  @Test
  void nobody_waits_for_a_call_that_is_given_up() throws Exception {
    Channel channel = agents.channel(agents.startReadyCluster(1).get(0));
    Call first = new Call(channel);
    Call second = new Call(channel);
    second.sendPayload();
    awaitArrival(channel);

    first.call.cancel("not sent after all", null);

    assertThat(second.sequence()).isOne();
  }

  @Test
  void calls_of_another_connection_wait_for_none() throws Exception {
    Agent agent = agents.startReadyCluster(1).get(0);
    Channel channel = agents.channel(agent);
    Call first = new Call(channel);
    awaitArrival(channel);

    try (Treecast other = Treecast.connect(agent.address().toString())) {
      assertThat(other.blocking().broadcast(new byte[0]).messageId().sequence()).isOne();
    }

    first.sendPayload();
    assertThat(first.sequence()).isEqualTo(2);
  }

  /** Many times, since it would be a race: the connection comes while they are sent. */
  @Test
  void a_burst_arrives_in_its_order_also_around_the_moment_of_connecting() throws Exception {
    String address = agents.startReadyCluster(1).get(0).address().toString();
    List<String> heard = new CopyOnWriteArrayList<>();
    try (Treecast subscriber = Treecast.connect(address)) {
      subscriber.subscribe(message -> heard.add(message.text().replace(".", ""))).ready().join();
      for (int round = 0; round < 20; round++) {
        heard.clear();
        List<String> sent = burst(address);

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(heard).hasSameSizeAs(sent));
        assertThat(heard).as("round %s", round).isEqualTo(sent);
      }
    }
  }

  /** A new application sends until the first has been accepted. */
  private static List<String> burst(String address) throws Exception {
    List<String> sent = new ArrayList<>();
    List<CompletableFuture<BroadcastResult>> results = new ArrayList<>();
    try (Treecast publisher = Treecast.connect(address)) {
      do {
        String name = "#" + sent.size();
        // Some are too large for the network to take at once.
        String text = sent.size() % 10 == 5 ? name + ".".repeat(200_000) : name;
        results.add(publisher.broadcast(text.getBytes(UTF_8)));
        sent.add(name);
      } while (results.size() < 500 && !results.get(0).isDone());
      CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    return sent;
  }
}
