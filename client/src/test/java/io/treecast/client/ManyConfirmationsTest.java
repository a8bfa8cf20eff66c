package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.proto.v1.AwaitConfirmationResponse;
import io.treecast.proto.v1.BroadcastResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More broadcasts wait for their confirmation than there are open queries. */
@Timeout(120)
class ManyConfirmationsTest {
  private static final int ASKED = PendingConfirmations.MAX_ASKED;
  private static final byte[] STUCK = new byte[1];
  private static final byte[] DELIVERED = new byte[2];

  /** An agent whose connections accept few more calls than there are open queries. */
  private final ScriptedAgent agent = ScriptedAgent.running(ASKED + 10);

  private final Treecast treecast = Treecast.connect(agent.address());

  ManyConfirmationsTest() {
    // The number of a message is the size of its payload.
    agent.onBroadcast(
        (request, answer) -> {
          answer.onNext(
              BroadcastResponse.newBuilder()
                  .setMessageId(
                      ScriptedAgent.messageId(ScriptedAgent.NODE_ID, request.getPayload().size()))
                  .build());
          answer.onCompleted();
        });
  }

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  private CompletableFuture<BroadcastResult> broadcast(byte[] payload, Duration deadline) {
    return treecast.broadcast(
        payload, BroadcastOptions.defaults().withConfirm(Confirm.ALL, deadline));
  }

  private List<CompletableFuture<BroadcastResult>> broadcastStuck(int count) {
    List<CompletableFuture<BroadcastResult>> results = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      results.add(broadcast(STUCK, Duration.ofHours(1)));
    }
    await().atMost(Duration.ofSeconds(60)).until(() -> agent.confirmations.size() >= ASKED);
    return results;
  }

  /**
   * Answers the queries from this one on, and returns the number of the first that has not arrived
   * yet.
   */
  private int answer(int from, byte[] payload) {
    int next = from;
    for (; next < agent.confirmations.size(); next++) {
      if (agent.questions.get(next).getMessageId().getSequence() == payload.length) {
        agent.confirmations.get(next).onNext(AwaitConfirmationResponse.getDefaultInstance());
        agent.confirmations.get(next).onCompleted();
      }
    }
    return next;
  }

  private void answerUntilDone(byte[] payload, List<CompletableFuture<BroadcastResult>> results)
      throws Exception {
    int[] next = new int[1];
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              next[0] = answer(next[0], payload);
              return results.stream().allMatch(CompletableFuture::isDone);
            });
    for (CompletableFuture<BroadcastResult> result : results) {
      assertThat(result.get().confirmation()).isNotNull();
    }
  }

  @Test
  void open_queries_leave_room_for_other_calls() throws Exception {
    broadcastStuck(2 * ASKED + 1);

    treecast.broadcast(new byte[1]).get(60, TimeUnit.SECONDS);
  }

  @Test
  void all_queries_get_a_turn_however_long_some_have_no_answer() throws Exception {
    List<CompletableFuture<BroadcastResult>> stuck = broadcastStuck(ASKED);

    answerUntilDone(DELIVERED, List.of(broadcast(DELIVERED, Duration.ofMinutes(30))));

    assertThat(stuck).noneMatch(CompletableFuture::isDone);
  }

  @Test
  void a_query_that_was_set_aside_is_asked_again() throws Exception {
    List<CompletableFuture<BroadcastResult>> results = broadcastStuck(ASKED + 1);
    await().atMost(Duration.ofSeconds(60)).until(() -> agent.confirmations.size() > ASKED);
    assertThat(agent.confirmations).anyMatch(question -> question.isCancelled());

    answerUntilDone(STUCK, results);
  }

  @Test
  void a_query_that_has_timed_out_gets_a_turn_before_all_others() throws Exception {
    broadcastStuck(13 * ASKED);

    answerUntilDone(DELIVERED, List.of(broadcast(DELIVERED, Duration.ofMillis(1))));
  }
}
