package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static io.treecast.agent.runtime.TestAgents.snapshot;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Treecast;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.PublishAnswer;
import io.treecast.proto.v1.PublishRequest;
import io.treecast.proto.v1.PublishResponse;
import io.treecast.proto.v1.PublishingBegan;
import io.treecast.proto.v1.RefusalReason;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.Withdrawal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises of a call for many broadcasts, at the level of the protocol. */
@Execution(ExecutionMode.CONCURRENT)
class PublishCallTest {
  private static final int WAIT_MILLIS = 60_000;

  /** The most broadcasts of a message. */
  private static final int SHARED = 64;

  private final TestAgents agents = new TestAgents();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  /** The application's end. */
  private static final class Call
      implements ClientResponseObserver<PublishRequest, PublishResponse> {
    final List<PublishAnswer> answers = new CopyOnWriteArrayList<>();
    final CompletableFuture<PublishingBegan> began = new CompletableFuture<>();
    final CompletableFuture<RefusalReason> end = new CompletableFuture<>();
    ClientCallStreamObserver<PublishRequest> requests; // Set before the call starts.

    @SuppressWarnings("NullAway.Init")
    private Call() {}

    static Call to(Channel channel) {
      Call call = new Call();
      var unused = TreecastServiceGrpc.newStub(channel).publish(call);
      return call;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<PublishRequest> stream) {
      requests = stream;
    }

    Call send(long number, BroadcastRequest... broadcasts) {
      requests.onNext(
          PublishRequest.newBuilder()
              .setNumber(number)
              .addAllBroadcasts(List.of(broadcasts))
              .build());
      return this;
    }

    Call withdraw(long number) {
      requests.onNext(
          PublishRequest.newBuilder()
              .setNumber(number)
              .setWithdrawal(Withdrawal.getDefaultInstance())
              .build());
      return this;
    }

    @Override
    public void onNext(PublishResponse response) {
      if (response.hasBegan()) {
        began.complete(response.getBegan());
      }
      answers.addAll(response.getAnswersList());
    }

    @Override
    public void onError(Throwable error) {
      end.complete(TestAgents.reason(error));
    }

    @Override
    public void onCompleted() {
      end.cancel(false);
    }

    List<PublishAnswer> await(int count) {
      org.awaitility.Awaitility.await().atMost(PATIENCE).until(() -> answers.size() >= count);
      return answers;
    }

    RefusalReason end() throws Exception {
      return end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    void awaitCompletion() {
      org.awaitility.Awaitility.await().atMost(PATIENCE).until(end::isCancelled);
    }
  }

  private static BroadcastRequest payload(int bytes) {
    return BroadcastRequest.newBuilder()
        .setPayload(ByteString.copyFrom(new byte[bytes]))
        .setWaitMillis(WAIT_MILLIS)
        .build();
  }

  private Agent small() {
    return withSmallLimits().startReadyCluster(1).get(0);
  }

  /** Two payloads of 2,000 bytes are more than may wait for a tree. */
  private TestAgents withSmallLimits() {
    return agents.withLimits(
        BroadcastLimits.builder()
            .chunkBytes(1_000)
            .payloadBytes(2_000)
            .publishBufferBytes(3_000)
            .logBytes(1 << 20)
            .edgeWindowBytes(10_000)
            .subscriberWindowBytes(10_000)
            .subscribers(10)
            .topics(10)
            .origins(10)
            .build());
  }

  @Test
  void it_begins_with_the_limits_of_payloads_and_messages() throws Exception {
    Call call = Call.to(agents.channel(small()));

    assertThat(call.began.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .returns(2_000L, PublishingBegan::getMaxPayloadBytes)
        .returns(SHARED, PublishingBegan::getMaxBroadcasts);
  }

  @Test
  void each_broadcast_is_answered_by_its_number_and_they_are_accepted_in_their_order() {
    Call call = Call.to(agents.channel(agents.startReadyCluster(1).get(0)));
    for (int number = 1; number <= 3_000; number++) {
      call.send(2L * number, payload(10));
    }

    for (PublishAnswer answer : call.await(3_000)) {
      assertThat(2 * answer.getAccepted().getMessageId().getSequence())
          .isEqualTo(answer.getNumber());
    }
  }

  @Test
  void a_refusal_does_not_end_the_call() throws Exception {
    Call call = Call.to(agents.channel(small()));
    call.send(1, payload(2_001));
    call.send(2, BroadcastRequest.newBuilder().setTopic("a\nb").build());
    call.send(3, payload(10));
    call.requests.onCompleted();

    call.awaitCompletion();
    assertThat(call.answers).extracting(PublishAnswer::getNumber).containsExactly(1L, 2L, 3L);
    assertThat(call.answers.get(0).getRefused().getReason())
        .isEqualTo(RefusalReason.REFUSAL_REASON_PAYLOAD_TOO_LARGE);
    assertThat(call.answers.get(0).getRefused().getText())
        .contains("2001 bytes", "limits.payloadBytes = 2000");
    assertThat(call.answers.get(1).getRefused().getReason())
        .isEqualTo(RefusalReason.REFUSAL_REASON_INVALID_REQUEST);
    assertThat(call.answers.get(2).getOutcomeCase()).isEqualTo(PublishAnswer.OutcomeCase.ACCEPTED);
  }

  @Test
  void broadcasts_of_one_message_have_consecutive_numbers_and_outcomes_of_their_own() {
    Call call = Call.to(agents.channel(small()));
    call.send(5, payload(1), payload(2_001), payload(2)).send(9, payload(3));

    assertThat(call.await(4)).extracting(PublishAnswer::getNumber).containsExactly(5L, 6L, 7L, 9L);
    assertThat(call.answers)
        .extracting(answer -> answer.getAccepted().getMessageId().getSequence())
        .containsExactly(1L, 0L, 2L, 3L);
    assertThat(call.answers.get(1).getRefused().getReason())
        .isEqualTo(RefusalReason.REFUSAL_REASON_PAYLOAD_TOO_LARGE);
  }

  @Test
  void a_message_with_too_many_broadcasts_ends_the_call() throws Exception {
    Call call = Call.to(agents.channel(small()));
    call.send(1, copies(SHARED, payload(1))).send(SHARED + 1, copies(SHARED + 1, payload(1)));

    assertThat(call.end()).isEqualTo(RefusalReason.REFUSAL_REASON_INVALID_REQUEST);
    assertThat(call.answers).hasSize(SHARED);
  }

  @Test
  void a_message_with_a_number_that_was_used_before_ends_the_call() throws Exception {
    Call call = Call.to(agents.channel(small()));
    call.send(1, payload(1), payload(1)).send(2, payload(1));

    assertThat(call.end()).isEqualTo(RefusalReason.REFUSAL_REASON_INVALID_REQUEST);
  }

  /** No other member can have the broadcasts, so they have no answer until their deadline. */
  @Test
  void more_broadcasts_without_an_answer_than_a_call_may_have_are_refused() {
    Call call = Call.to(agents.channel(agents.startReadyCluster(1).get(0)));
    BroadcastRequest unanswered = payload(1).toBuilder().setReplicas(1).build();
    int first = 1;
    for (; first <= 2 * 1_024; first += SHARED) {
      call.send(first, copies(SHARED, unanswered));
    }

    int refused = call.await(first - 1 - 1_024 - SHARED).size();
    assertThat(call.answers)
        .extracting(answer -> answer.getRefused().getReason())
        .containsOnly(RefusalReason.REFUSAL_REASON_NO_ROOM);
    assertThat(refused).isEqualTo(1_024 - SHARED);
  }

  private static BroadcastRequest[] copies(int count, BroadcastRequest broadcast) {
    return Collections.nCopies(count, broadcast).toArray(BroadcastRequest[]::new);
  }

  @Test
  void more_replicas_than_there_may_be_are_refused() throws Exception {
    Call call = Call.to(agents.channel(small()));
    call.send(1, BroadcastRequest.newBuilder().setReplicas(10_001).build());
    call.send(2, BroadcastRequest.newBuilder().setReplicas(-1).build());
    call.requests.onCompleted();

    call.awaitCompletion();
    assertThat(call.answers)
        .extracting(answer -> answer.getRefused().getReason())
        .containsExactly(
            RefusalReason.REFUSAL_REASON_INVALID_REQUEST,
            RefusalReason.REFUSAL_REASON_INVALID_REQUEST);
  }

  @Test
  void a_number_that_was_used_before_ends_the_call() throws Exception {
    Call call = Call.to(agents.channel(agents.startReadyCluster(1).get(0)));
    call.send(7, payload(1)).send(7, payload(1));

    assertThat(call.end()).isEqualTo(RefusalReason.REFUSAL_REASON_INVALID_REQUEST);
  }

  @Test
  void a_request_that_says_nothing_ends_the_call() throws Exception {
    Call call = Call.to(agents.channel(agents.startReadyCluster(1).get(0)));
    call.requests.onNext(PublishRequest.getDefaultInstance());

    assertThat(call.end()).isEqualTo(RefusalReason.REFUSAL_REASON_INVALID_REQUEST);
  }

  @Test
  void a_request_with_a_broadcast_and_a_withdrawal_ends_the_call() throws Exception {
    Call call = Call.to(agents.channel(agents.startReadyCluster(1).get(0)));
    call.requests.onNext(
        PublishRequest.newBuilder()
            .setNumber(1)
            .addBroadcasts(payload(1))
            .setWithdrawal(Withdrawal.getDefaultInstance())
            .build());

    assertThat(call.end()).isEqualTo(RefusalReason.REFUSAL_REASON_INVALID_REQUEST);
    assertThat(call.answers).isEmpty();
  }

  @Test
  void a_broadcast_withdrawn_while_it_waits_is_not_sent_and_makes_room() {
    Agent waiting = withSmallLimits().startWaiting("h1");
    Call call = Call.to(agents.channel(waiting));
    call.send(1, payload(2_000), payload(2_000));
    assertThat(call.await(1).get(0).getRefused().getReason())
        .isEqualTo(RefusalReason.REFUSAL_REASON_NO_ROOM);

    call.withdraw(1).send(3, payload(2_000)).send(4, payload(2_000));
    // The agent handles a call's requests in their order: 1 is withdrawn, and 3 has its room.
    assertThat(call.await(2).get(1).getNumber()).isEqualTo(4);
    agents.silenceEnds();

    PublishAnswer last = call.await(3).get(2);
    assertThat(last.getNumber()).isEqualTo(3);
    assertThat(last.getAccepted().getMessageId().getSequence()).isEqualTo(1);
  }

  @Test
  void a_broadcast_that_waits_when_the_call_ends_is_not_sent() {
    Agent waiting = agents.startWaiting("h1");
    Call call = Call.to(agents.channel(waiting)).send(1, payload(1));
    await().atMost(PATIENCE).until(() -> snapshot(waiting).publishing().waiting() == 1);

    call.requests.cancel("the application is gone", null);

    await().atMost(PATIENCE).until(() -> snapshot(waiting).publishing().waiting() == 0);
  }

  @Test
  void an_agent_that_closes_refuses_what_waits_and_ends_the_call() throws Exception {
    Agent waiting = agents.startWaiting("h1");
    Call call = Call.to(agents.channel(waiting)).send(1, payload(1));
    await().atMost(PATIENCE).until(() -> snapshot(waiting).publishing().waiting() == 1);

    waiting.close();

    assertThat(call.end()).isEqualTo(RefusalReason.REFUSAL_REASON_SHUTTING_DOWN);
    assertThat(call.answers.get(0).getRefused().getReason())
        .isEqualTo(RefusalReason.REFUSAL_REASON_SHUTTING_DOWN);
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
