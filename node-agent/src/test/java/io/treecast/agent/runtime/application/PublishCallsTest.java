package io.treecast.agent.runtime.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.StreamObserver;
import io.treecast.agent.runtime.UntimedLoop;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.PublishAnswer;
import io.treecast.proto.v1.PublishRequest;
import io.treecast.proto.v1.PublishResponse;
import io.treecast.proto.v1.RefusalReason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much is taken from the network. */
class PublishCallsTest {
  private static final int FIRST = PublishCalls.MAX_UNANSWERED;

  private final EventLoop loop = UntimedLoop.create();

  private final Out out = new Out();
  private final LongAdder refusedBehind = new LongAdder();
  private final PublishCalls calls =
      new PublishCalls(
          () -> {
            throw new AssertionError("what is not allowed is refused before");
          },
          loop,
          100,
          refusedBehind);

  @AfterEach
  void stop() {
    loop.stop();
  }

  /** An application's end that reads when the test says so. */
  private static final class Out extends UnheededResponses<PublishResponse> {
    final List<PublishAnswer> answers = new ArrayList<>();
    volatile boolean ready = true;
    final AtomicInteger requested = new AtomicInteger();
    private Runnable onReady = () -> {};

    @Override
    public boolean isReady() {
      return ready;
    }

    void becomesReady() {
      ready = true;
      onReady.run();
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {
      onReady = handler;
    }

    @Override
    public void request(int count) {
      requested.addAndGet(count);
    }

    @Override
    public void onNext(PublishResponse response) {
      answers.addAll(response.getAnswersList());
    }
  }

  /** Sends so many that are refused at once, beginning with this number. */
  private void send(StreamObserver<PublishRequest> call, int first, int count) throws Exception {
    BroadcastRequest refused = BroadcastRequest.newBuilder().setRetryToken("x".repeat(101)).build();
    for (int number = first; number < first + count; number++) {
      call.onNext(PublishRequest.newBuilder().setNumber(number).addBroadcasts(refused).build());
    }
    awaitLoop();
  }

  private void awaitLoop() throws InterruptedException {
    UntimedLoop.await(loop);
  }

  @Test
  void more_is_taken_as_what_came_is_answered() throws Exception {
    loop.start();
    StreamObserver<PublishRequest> call = calls.accepted(out);
    int atFirst = out.requested.get();
    assertThat(atFirst).isGreaterThanOrEqualTo(FIRST);

    // One batch after the other, so that none is still counted when the next one begins.
    for (int sent = 0; sent < atFirst; sent += PublishCalls.REQUEST_BATCH) {
      send(call, sent + 1, PublishCalls.REQUEST_BATCH);
    }

    assertThat(out.answers).hasSize(atFirst);
    assertThat(out.requested).hasValue(2 * atFirst);
  }

  /** Else their answers would fill the agent's memory. */
  @Test
  void broadcasts_of_an_application_that_reads_no_answers_are_not_taken_until_it_does()
      throws Exception {
    loop.start();
    StreamObserver<PublishRequest> call = calls.accepted(out);
    int atFirst = out.requested.get();
    out.ready = false;

    send(call, 1, atFirst);
    assertThat(out.requested).hasValue(atFirst);

    out.becomesReady();
    awaitLoop();
    assertThat(out.requested).hasValue(2 * atFirst);
  }

  /** Each broadcast counts, so that a call has no more of them than with a message for each. */
  @Test
  void a_shared_message_is_replaced_by_one_message_when_its_broadcasts_are_answered()
      throws Exception {
    loop.start();
    StreamObserver<PublishRequest> call = calls.accepted(out);
    int atFirst = out.requested.get();
    int messages = 2 * PublishCalls.REQUEST_BATCH;
    int broadcasts = 2;

    for (int sent = 0; sent < messages; sent++) {
      PublishRequest.Builder shared = PublishRequest.newBuilder().setNumber(sent * broadcasts + 1);
      for (int i = 0; i < broadcasts; i++) {
        shared.addBroadcasts(BroadcastRequest.newBuilder().setRetryToken("x".repeat(101)));
      }
      call.onNext(shared.build());
      awaitLoop();
    }

    assertThat(out.answers).hasSize(messages * broadcasts);
    assertThat(out.requested).hasValue(atFirst + messages);
  }

  @Test
  void a_broadcast_without_room_in_the_loop_is_refused_in_order() throws Exception {
    StreamObserver<PublishRequest> call = calls.accepted(out);
    // Both messages together are more than may wait.
    BroadcastRequest half =
        BroadcastRequest.newBuilder().setRetryToken("x".repeat(300_000)).build();
    for (int number = 1; number <= 3; number += 2) {
      call.onNext(
          PublishRequest.newBuilder()
              .setNumber(number)
              .addBroadcasts(half)
              .addBroadcasts(half)
              .build());
    }
    loop.start();
    awaitLoop();

    assertThat(out.answers).extracting(PublishAnswer::getNumber).containsExactly(1L, 2L, 3L, 4L);
    assertThat(out.answers)
        .extracting(answer -> answer.getRefused().getReason())
        .containsExactly(
            RefusalReason.REFUSAL_REASON_INVALID_REQUEST,
            RefusalReason.REFUSAL_REASON_INVALID_REQUEST,
            RefusalReason.REFUSAL_REASON_NO_ROOM,
            RefusalReason.REFUSAL_REASON_NO_ROOM);
    assertThat(refusedBehind.sum()).isEqualTo(2);
  }
}
