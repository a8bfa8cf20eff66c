package io.treecast.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.runtime.server.AgentServer;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.proto.v1.AcquireClaim;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.Claim;
import io.treecast.proto.v1.ClaimServiceGrpc;
import io.treecast.proto.v1.CollectiveKind;
import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.HoldRequest;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.SubscribeResponse;
import io.treecast.proto.v1.TakePartRequest;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.UploadRequest;
import io.treecast.proto.v1.WatchTreeRequest;
import io.treecast.proto.v1.WatchTreeResponse;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One client, which is a connection, leaves to others as much of an agent as it has. */
class ClientSharesCallTest {
  private final TestAgents agents =
      new TestAgents()
          .withLimits(
              BroadcastLimits.builder()
                  .chunkBytes(1_024)
                  .payloadBytes(8_192)
                  .publishBufferBytes(1 << 20)
                  .logBytes(1 << 20)
                  .edgeWindowBytes(1 << 20)
                  .subscriberWindowBytes(1 << 20)
                  .subscribers(4)
                  .topics(4)
                  .origins(100)
                  .build()
                  .withUploads(4, 1 << 20))
          .withLimits(new CombiningLimits(4, 1 << 10, 1 << 24));

  private Channel greedy;
  private Channel other;

  @BeforeEach
  void start() {
    Agent agent = agents.startReadyCluster(1).get(0);
    greedy = agents.channel(agent);
    other = agents.channel(agent);
  }

  @AfterEach
  void closeAll() {
    agents.close();
  }

  private static Iterator<SubscribeResponse> subscribe(Channel client, String... topics) {
    Iterator<SubscribeResponse> events =
        TreecastServiceGrpc.newBlockingStub(client)
            .withDeadlineAfter(TestAgents.PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .subscribe(SubscribeRequest.newBuilder().addAllTopics(List.of(topics)).build());
    events.next();
    return events;
  }

  private static void refused(Status.Code code, String setting, Runnable call) {
    assertThatExceptionOfType(StatusRuntimeException.class)
        .isThrownBy(call::run)
        .satisfies(e -> assertThat(e.getStatus().getCode()).isEqualTo(code))
        .withMessageContaining(setting);
  }

  @Test
  void one_client_cannot_take_all_subscriptions() {
    subscribe(greedy);
    subscribe(greedy);

    refused(Status.Code.RESOURCE_EXHAUSTED, "limits.subscribers", () -> subscribe(greedy));
    subscribe(other);
  }

  @Test
  void one_client_cannot_subscribe_to_all_topics() {
    subscribe(greedy, "a", "b");

    refused(Status.Code.FAILED_PRECONDITION, "limits.topics", () -> subscribe(greedy, "c"));
    subscribe(other, "c");
  }

  @Test
  void one_client_cannot_publish_on_all_topics() {
    broadcast(greedy, "a");
    broadcast(greedy, "b");

    refused(Status.Code.FAILED_PRECONDITION, "limits.topics", () -> broadcast(greedy, "c"));
    broadcast(greedy, "b");
    broadcast(other, "c");
    broadcast(greedy, "c");
  }

  private static void broadcast(Channel client, String topic) {
    var response =
        TreecastServiceGrpc.newBlockingStub(client)
            .broadcast(
                BroadcastRequest.newBuilder()
                    .setTopic(topic)
                    .setPayload(ByteString.copyFromUtf8("x"))
                    .build());
    assertThat(response.hasMessageId()).isTrue();
  }

  @Test
  void one_client_cannot_take_all_uploads() throws Exception {
    assertShare(2, "limits.uploads", i -> upload(greedy));
    assertShare(1, "limits.uploads", i -> upload(other));
  }

  /** Begins one; completes if it is over. */
  private static CompletableFuture<Status> upload(Channel client) {
    CompletableFuture<Status> over = new CompletableFuture<>();
    TreecastServiceGrpc.newStub(client)
        .upload(over(over))
        .onNext(UploadRequest.newBuilder().setBegin(BroadcastRequest.newBuilder()).build());
    return over;
  }

  private static <T> StreamObserver<T> over(CompletableFuture<Status> over) {
    return new StreamObserver<>() {
      @Override
      public void onNext(T value) {}

      @Override
      public void onError(Throwable error) {
        over.complete(Status.fromThrowable(error));
      }

      @Override
      public void onCompleted() {
        over.complete(Status.OK);
      }
    };
  }

  @Test
  void one_client_cannot_take_all_collective_operations() throws Exception {
    assertShare(2, "limits.collectives", i -> takePart(greedy, "g" + i));
    assertShare(1, "limits.collectives", i -> takePart(other, "o" + i));
  }

  /** Takes part in an operation that does not end, since a participant is absent. */
  private static CompletableFuture<Status> takePart(Channel client, String name) {
    CompletableFuture<Status> over = new CompletableFuture<>();
    TakePartRequest request =
        TakePartRequest.newBuilder()
            .setToken("token of " + name)
            .setWaitMillis(TestAgents.PATIENCE.toMillis())
            .setOperation(
                CollectiveOperation.newBuilder()
                    .setName(name)
                    .setKind(CollectiveKind.COLLECTIVE_KIND_BARRIER)
                    .addParticipants("h1")
                    .addParticipants("absent"))
            .build();
    TreecastServiceGrpc.newStub(client).takePart(request, over(over));
    return over;
  }

  @Test
  void one_client_cannot_take_all_watches_of_the_tree() {
    for (int i = 0; i < AgentServer.MAX_CALLS_PER_CONNECTION / 2; i++) {
      watchTree(greedy);
    }

    refused(Status.Code.RESOURCE_EXHAUSTED, "watches of the tree", () -> watchTree(greedy));
    watchTree(other);
  }

  private static void watchTree(Channel client) {
    Iterator<WatchTreeResponse> events =
        TreecastServiceGrpc.newBlockingStub(client)
            .withDeadlineAfter(TestAgents.PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .watchTree(WatchTreeRequest.getDefaultInstance());
    events.next();
  }

  @Test
  void one_client_cannot_take_all_claims() throws Exception {
    int limit = ClaimLimits.defaults().calls();
    assertShare(limit / 2, "limits.claims", i -> acquire(greedy, "g" + i));
    assertShare(limit / 4, "limits.claims", i -> acquire(other, "o" + i));
  }

  /**
   * Asserts that of one call more than a client's share one is refused, and that the client has the
   * others. Calls may arrive in any order.
   */
  private static void assertShare(
      int share, String setting, IntFunction<CompletableFuture<Status>> call) throws Exception {
    List<CompletableFuture<Status>> calls = IntStream.rangeClosed(0, share).mapToObj(call).toList();
    Status refusal =
        (Status)
            CompletableFuture.anyOf(calls.toArray(CompletableFuture<?>[]::new))
                .get(TestAgents.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(refusal.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refusal.getDescription()).contains(setting, " has " + share + " of ");
    assertThat(calls).filteredOn(CompletableFuture::isDone).hasSize(1);
  }

  /** Waits for a claim that is not granted, since its member is absent. */
  private static CompletableFuture<Status> acquire(Channel client, String name) {
    CompletableFuture<Status> over = new CompletableFuture<>();
    ClaimServiceGrpc.newStub(client)
        .hold(over(over))
        .onNext(
            HoldRequest.newBuilder()
                .setAcquire(
                    AcquireClaim.newBuilder()
                        .setClaim(Claim.newBuilder().setName(name).addMembers("absent"))
                        .setLeaseMillis(60_000)
                        .setWaitForHolder(true)
                        .setWaitMillis(TestAgents.PATIENCE.toMillis()))
                .build());
    return over;
  }
}
