package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.StreamObserver;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.BroadcastResponse;
import io.treecast.proto.v1.PublishAnswer;
import io.treecast.proto.v1.PublishRequest;
import io.treecast.proto.v1.PublishResponse;
import io.treecast.proto.v1.PublishingBegan;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which broadcasts share a message to the agent. */
class SharedMessagesTest {
  private static final int MAX_PAYLOAD_BYTES = 100_000;
  private static final int MAX_BROADCASTS = 8;

  /** Messages that the simulated network takes before it has written one. */
  private static final int MESSAGES_AHEAD = 4;

  private static final long PAST_ALL_NANOS = Duration.ofSeconds(10).toNanos();

  private final VirtualTimer timer = new VirtualTimer();
  private final SimulatedClient client =
      new SimulatedClient(1, timer, () -> 0L, () -> {}, () -> {});
  private final Agent agent = new Agent();

  /** Keeps the messages, and answers when the test says so. */
  private static final class Agent extends TreecastServiceGrpc.TreecastServiceImplBase {
    final List<PublishRequest> messages = new ArrayList<>();
    private @Nullable StreamObserver<PublishResponse> answers;

    @Override
    public StreamObserver<PublishRequest> publish(StreamObserver<PublishResponse> call) {
      answers = call;
      call.onNext(
          PublishResponse.newBuilder()
              .setBegan(
                  PublishingBegan.newBuilder()
                      .setMaxPayloadBytes(MAX_PAYLOAD_BYTES)
                      .setMaxBroadcasts(MAX_BROADCASTS))
              .build());
      return new StreamObserver<>() {
        @Override
        public void onNext(PublishRequest message) {
          messages.add(message);
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {}
      };
    }

    /** Accepts a broadcast, with its number as the version of the tree. */
    void accept(long number) {
      Objects.requireNonNull(answers)
          .onNext(
              PublishResponse.newBuilder()
                  .addAnswers(
                      PublishAnswer.newBuilder()
                          .setNumber(number)
                          .setAccepted(BroadcastResponse.newBuilder().setTreeVersion(number)))
                  .build());
    }

    List<Integer> broadcastsOfMessages() {
      return messages.stream().map(PublishRequest::getBroadcastsCount).toList();
    }

    /** Returns the first bytes of all payloads. */
    List<Integer> payloads() {
      return messages.stream()
          .flatMap(message -> message.getBroadcastsList().stream())
          .map(BroadcastRequest::getPayload)
          .map(payload -> Byte.toUnsignedInt(payload.byteAt(0)))
          .toList();
    }
  }

  /** The first broadcast opens the call. */
  @BeforeEach
  void connect() {
    client.channel().connect(agent.bindService());
    send(0, 1);
    client.settle();
    assertThat(agent.broadcastsOfMessages()).containsExactly(1);
    agent.accept(1);
    client.settle();
    agent.messages.clear();
  }

  private CompletableFuture<BroadcastResult> broadcast(int first, int bytes) {
    byte[] payload = new byte[bytes];
    payload[0] = (byte) first;
    return client.broadcast(payload, BroadcastOptions.defaults());
  }

  private void send(int first, int bytes) {
    var unused = broadcast(first, bytes);
  }

  /** Sends as many as the network takes before it has written one. */
  private void fillNetwork() {
    for (int i = 0; i < MESSAGES_AHEAD; i++) {
      send(i, 1);
    }
  }

  @Test
  void broadcasts_leave_at_once_and_alone_while_the_network_accepts_them() {
    fillNetwork();
    while (client.any(SimulatedChannel::write)) {
      client.any(SimulatedChannel::arrive);
    }

    assertThat(agent.broadcastsOfMessages()).containsExactly(1, 1, 1, 1);
  }

  @Test
  void broadcasts_that_wait_for_the_network_share_a_message_in_their_order() {
    fillNetwork();
    List<CompletableFuture<BroadcastResult>> waiting =
        List.of(broadcast(4, 1), broadcast(5, 1), broadcast(6, 1));
    client.settle();

    assertThat(agent.broadcastsOfMessages()).containsExactly(1, 1, 1, 1, 3);
    assertThat(agent.payloads()).containsExactly(0, 1, 2, 3, 4, 5, 6);
    assertThat(agent.messages)
        .extracting(PublishRequest::getNumber)
        .containsExactly(2L, 3L, 4L, 5L, 6L);

    agent.accept(7);
    client.settle();
    assertThat(waiting.get(1)).isCompletedWithValueMatching(result -> result.treeVersion() == 7);
    assertThat(waiting.get(0)).isNotDone();
    assertThat(waiting.get(2)).isNotDone();
  }

  @Test
  void a_message_has_at_most_as_many_broadcasts_as_the_agent_takes() {
    fillNetwork();
    for (int i = 0; i < 2 * MAX_BROADCASTS + 1; i++) {
      send(i, 1);
    }
    client.settle();

    assertThat(agent.broadcastsOfMessages())
        .containsExactly(1, 1, 1, 1, MAX_BROADCASTS, MAX_BROADCASTS, 1);
  }

  @Test
  void a_shared_message_has_a_limited_size() {
    fillNetwork();
    int half = PublishStream.SHARED_BYTES / 2;
    send(0, half);
    send(0, half);
    send(0, half);
    send(0, half + 1);
    send(0, 2 * half + 1);
    send(0, 1);
    client.settle();

    assertThat(agent.broadcastsOfMessages()).containsExactly(1, 1, 1, 1, 2, 1, 1, 1, 1);
  }

  @Test
  void a_broadcast_that_cannot_be_sent_leaves_the_message_to_the_others() {
    fillNetwork();
    CompletableFuture<BroadcastResult> tooLarge = broadcast(4, MAX_PAYLOAD_BYTES + 1);
    send(5, 1);
    CompletableFuture<BroadcastResult> cancelled = broadcast(6, 1);
    CompletableFuture<BroadcastResult> last = broadcast(7, 1);
    cancelled.cancel(false);
    client.settle();

    assertThat(tooLarge).isCompletedExceptionally();
    assertThat(agent.broadcastsOfMessages()).containsExactly(1, 1, 1, 1, 2);
    assertThat(agent.payloads()).endsWith(5, 7);
    agent.accept(7);
    client.settle();
    assertThat(last).isCompleted();
  }

  @Test
  void a_broadcast_of_a_shared_message_is_withdrawn_by_its_number() {
    fillNetwork();
    send(4, 1);
    CompletableFuture<BroadcastResult> cancelled = broadcast(5, 1);
    send(6, 1);
    client.settle();

    cancelled.cancel(false);
    client.settle();

    assertThat(agent.messages)
        .last()
        .returns(true, PublishRequest::hasWithdrawal)
        .returns(7L, PublishRequest::getNumber);
  }

  @Test
  void no_more_broadcasts_are_sent_than_the_agent_may_leave_without_an_answer() {
    int most = PublishStream.UNANSWERED_BROADCASTS;
    List<CompletableFuture<BroadcastResult>> all = new ArrayList<>();
    for (int i = 0; i < most + 2; i++) {
      all.add(broadcast(i, 1));
    }
    client.settle();
    assertThat(agent.payloads()).hasSize(most);

    agent.accept(2);
    client.settle();
    assertThat(agent.payloads()).hasSize(most + 1);

    all.get(1).cancel(false);
    client.settle();
    assertThat(agent.payloads()).hasSize(most + 2);
  }

  @Test
  void the_outcome_is_unknown_only_for_broadcasts_that_were_sent() {
    int most = PublishStream.UNANSWERED_BROADCASTS;
    for (int i = 0; i < most - 1; i++) {
      send(i, 1);
    }
    CompletableFuture<BroadcastResult> sent = broadcast(0, 1);
    // It gives up before the others give up and make room.
    CompletableFuture<BroadcastResult> unsent =
        client.broadcast(new byte[1], BroadcastOptions.defaults().withWait(Duration.ofMillis(100)));
    client.settle();

    timer.runFor(PAST_ALL_NANOS);

    assertThat(reasonOf(sent)).isEqualTo(Reason.OUTCOME_UNKNOWN);
    assertThat(reasonOf(unsent)).isEqualTo(Reason.BUFFER_FULL);
  }

  private static @Nullable Reason reasonOf(CompletableFuture<?> failed) {
    assertThat(failed).isCompletedExceptionally();
    try {
      var unused = failed.join();
      return null;
    } catch (CompletionException e) {
      return e.getCause() instanceof TreecastException failure ? failure.reason() : null;
    }
  }
}
