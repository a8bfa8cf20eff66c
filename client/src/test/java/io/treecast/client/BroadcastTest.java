package io.treecast.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Metadata;
import io.grpc.Status;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.BroadcastResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(ExecutionMode.CONCURRENT)
class BroadcastTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  @Test
  void the_result_names_the_message_and_the_tree() throws Exception {
    BroadcastResult result = get(treecast.broadcast("hello".getBytes(UTF_8)));

    assertThat(result)
        .isEqualTo(
            new BroadcastResult(
                new MessageId(ScriptedAgent.NODE_ID, ScriptedAgent.INCARNATION, 7),
                5,
                new DisseminationTree(TreeMetric.LATENCY, 5),
                0,
                null));
    assertThat(agent.broadcasts.get(0).getPayload().toStringUtf8()).isEqualTo("hello");
  }

  private void answerWithReplicas(int replicas) {
    agent.onBroadcast(
        (request, answer) -> {
          answer.onNext(
              BroadcastResponse.newBuilder()
                  .setMessageId(ScriptedAgent.messageId(ScriptedAgent.NODE_ID, 7))
                  .setTreeVersion(5)
                  .setReplicas(replicas)
                  .build());
          answer.onCompleted();
        });
  }

  @Test
  void enough_replicas_complete_a_broadcast() throws Exception {
    answerWithReplicas(2);

    BroadcastResult result =
        get(treecast.broadcast(new byte[1], BroadcastOptions.defaults().withReplicas(2)));

    assertThat(result.replicas()).isEqualTo(2);
    assertThat(agent.broadcasts.get(0).getReplicas()).isEqualTo(2);
  }

  @Test
  void too_few_replicas_fail_a_broadcast_that_was_accepted() {
    answerWithReplicas(1);

    assertThatThrownBy(
            () ->
                treecast
                    .blocking()
                    .broadcast(new byte[1], BroadcastOptions.defaults().withReplicas(2)))
        .isInstanceOfSatisfying(
            TreecastException.class,
            failure -> {
              assertThat(failure.reason()).isEqualTo(Reason.NOT_REPLICATED);
              assertThat(failure.accepted())
                  .isNotNull()
                  .returns(1, BroadcastResult::replicas)
                  .returns(7L, accepted -> accepted.messageId().sequence());
            });
  }

  @Test
  void the_request_says_how_long_the_agent_may_wait_for_a_tree() throws Exception {
    get(treecast.broadcast(new byte[0]));
    get(treecast.broadcast(new byte[0], Duration.ofHours(1)));
    get(treecast.broadcast(new byte[0], Duration.ZERO));

    // The time until the connection was established is subtracted.
    assertThat(agent.broadcasts.get(0).getWaitMillis()).isBetween(1L, 30_000L);
    assertThat(agent.broadcasts.get(1).getWaitMillis()).isBetween(3_000_000L, 3_600_000L);
    assertThat(agent.broadcasts.get(2).getWaitMillis()).isZero();
  }

  /** Repeated, because a failure would depend on a race. */
  @Test
  void a_wait_of_zero_suffices_while_there_is_a_connection() throws Exception {
    get(treecast.broadcast(new byte[0]));

    for (int i = 0; i < 300; i++) {
      get(treecast.broadcast(new byte[0], Duration.ZERO));
    }
  }

  @Test
  void the_default_wait_is_that_of_the_builder() throws Exception {
    try (Treecast patient =
        Treecast.builder(agent.address()).defaultWait(Duration.ofMinutes(50)).connect()) {
      get(patient.broadcast(new byte[0]));

      assertThat(agent.broadcasts.get(0).getWaitMillis()).isBetween(1_800_000L, 3_000_000L);
    }
  }

  @Test
  void a_wait_out_of_range_is_refused_at_once() {
    assertThatThrownBy(() -> treecast.broadcast(new byte[0], Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Duration.ofMillis(-1).toString());
    assertThatThrownBy(() -> treecast.broadcast(new byte[0], Duration.ofMinutes(61)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Duration.ofMinutes(61).toString());
  }

  @Test
  void the_caller_may_reuse_its_array() throws Exception {
    try (ScriptedAgent late = ScriptedAgent.stopped();
        Treecast early = Treecast.connect(late.address())) {
      byte[] payload = "first".getBytes(UTF_8);
      CompletableFuture<BroadcastResult> result = early.broadcast(payload);
      System.arraycopy("other".getBytes(UTF_8), 0, payload, 0, 5);
      late.start();

      get(result);

      assertThat(late.broadcasts.get(0).getPayload().toStringUtf8()).isEqualTo("first");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NO_TREE, NO_TREE",
    "SHUTTING_DOWN, NO_TREE",
    "NO_ROOM, BUFFER_FULL",
    "PAYLOAD_TOO_LARGE, PAYLOAD_TOO_LARGE",
    "INVALID_REQUEST, REFUSED",
    "TOO_MANY_TOPICS, REFUSED",
    "TOKEN_REUSED, REFUSED",
    "MAY_BE_ACCEPTED, RETRY_TOO_LATE",
    "UNKNOWN_BROADCAST, REFUSED",
    "RESULT_NOT_READ, REFUSED",
    "UNSPECIFIED, REFUSED",
  })
  void the_agents_reason_determines_that_of_the_client_with_the_agents_text(
      String stated, Reason reason) {
    agent.onBroadcast(
        (request, answer) -> answer.onError(AgentRefusal.of(stated, "text-of-the-agent")));

    assertThat(failureOf(treecast.broadcast(new byte[1])))
        .hasMessageStartingWith(reason + ": ")
        .hasMessageContainingAll(agent.address(), "text-of-the-agent")
        .hasMessageNotContaining("UNKNOWN")
        .returns(reason, TreecastException::reason);
  }

  @Test
  void an_agent_without_a_tree_and_one_that_stops_have_different_remedies() {
    agent.onBroadcast((request, answer) -> answer.onError(AgentRefusal.of("NO_TREE", "text")));
    TreecastException withoutTree = failureOf(treecast.broadcast(new byte[1]));
    agent.onBroadcast(
        (request, answer) -> answer.onError(AgentRefusal.of("SHUTTING_DOWN", "text")));
    TreecastException stopping = failureOf(treecast.broadcast(new byte[1]));

    assertThat(withoutTree.reason()).isEqualTo(Reason.NO_TREE);
    assertThat(stopping.reason()).isEqualTo(Reason.NO_TREE);
    assertThat(stopping.getMessage()).isNotEqualTo(withoutTree.getMessage());
  }

  @Test
  void a_payload_above_the_limit_is_not_sent() {
    try (Treecast small = Treecast.builder(agent.address()).maxPayloadBytes(10).connect()) {
      assertThat(failureOf(small.broadcast(new byte[11])))
          .hasMessageContainingAll("11", "10", "maxPayloadBytes")
          .returns(Reason.PAYLOAD_TOO_LARGE, TreecastException::reason);
      assertThat(agent.broadcasts).isEmpty();
    }
  }

  @Test
  void a_payload_of_the_largest_size_is_sent() throws Exception {
    BroadcastResult result = get(treecast.broadcast(new byte[4 * 1024 * 1024]));

    assertThat(result.treeVersion()).isEqualTo(4 * 1024 * 1024);
  }

  @Test
  void more_than_the_client_may_hold_fails_and_freed_room_is_used_again() throws Exception {
    agent.onBroadcast((request, answer) -> {});
    long room = 2L * (PendingBroadcasts.BROADCAST_OVERHEAD_BYTES + 1);
    try (Treecast small = Treecast.builder(agent.address()).maxPendingBytes(room).connect()) {
      CompletableFuture<BroadcastResult> first = small.broadcast(new byte[1]);
      CompletableFuture<BroadcastResult> second = small.broadcast(new byte[1]);

      assertThat(failureOf(small.broadcast(new byte[1])))
          .hasMessageContainingAll(
              String.valueOf(room),
              String.valueOf(PendingBroadcasts.BROADCAST_OVERHEAD_BYTES + 1),
              "maxPendingBytes")
          .returns(Reason.BUFFER_FULL, TreecastException::reason);

      await().until(() -> agent.answers.size() == 2);
      for (int i = 0; i < 2; i++) {
        ScriptedAgent.accept(agent.broadcasts.get(i), agent.answers.get(i));
      }
      get(first);
      get(second);
      agent.onBroadcast(ScriptedAgent::accept);
      get(small.broadcast(new byte[1]));
    }
  }

  @Test
  void room_is_free_when_the_result_is_seen() throws Exception {
    try (Treecast small = Treecast.builder(agent.address()).maxPendingBytes(1).connect()) {
      CompletableFuture<BroadcastResult> last = small.broadcast(new byte[1]);
      for (int i = 0; i < 200; i++) {
        last = last.thenCompose(result -> small.broadcast(new byte[1]));
      }

      assertThat(get(last).treeVersion()).isEqualTo(1);
    }
  }

  @Test
  void an_agent_that_is_not_there_is_named_at_the_limit() {
    try (ScriptedAgent absent = ScriptedAgent.stopped();
        Treecast alone = Treecast.connect(absent.address())) {
      AgentConnectionTest.awaitRefusal(alone);
      assertThat(failureOf(alone.broadcast(new byte[1], SHORT)))
          .hasMessageContainingAll(absent.address(), SHORT.toMillis() + " ms")
          .returns(Reason.AGENT_UNREACHABLE, TreecastException::reason);
    }
  }

  @Test
  void each_of_several_broadcasts_fails_at_the_end_of_its_own_wait() {
    try (ScriptedAgent absent = ScriptedAgent.stopped();
        Treecast alone = Treecast.connect(absent.address())) {
      Duration longer = SHORT.multipliedBy(3);
      CompletableFuture<BroadcastResult> lasting = alone.broadcast(new byte[1]);
      CompletableFuture<BroadcastResult> second = alone.broadcast(new byte[1], longer);
      CompletableFuture<BroadcastResult> first = alone.broadcast(new byte[1], SHORT);

      assertThat(failureOf(first)).hasMessageContaining(SHORT.toMillis() + " ms");
      assertThat(failureOf(second)).hasMessageContaining(longer.toMillis() + " ms");
      assertThat(lasting).isNotDone();
    }
  }

  @Test
  void a_host_without_address_is_unreachable_too() {
    try (Treecast lost = Treecast.connect("no-such-host.invalid:7700")) {
      assertThat(failureOf(lost.broadcast(new byte[1], SHORT)))
          .hasMessageContaining("no-such-host.invalid:7700")
          .returns(Reason.AGENT_UNREACHABLE, TreecastException::reason);
    }
  }

  @Test
  void a_broadcast_that_expired_unsent_is_never_sent() throws Exception {
    try (ScriptedAgent late = ScriptedAgent.stopped();
        Treecast early = Treecast.connect(late.address())) {
      failureOf(early.broadcast("expired".getBytes(UTF_8), SHORT));
      CompletableFuture<BroadcastResult> cancelled = early.broadcast("cancelled".getBytes(UTF_8));
      assertThat(cancelled.cancel(false)).isTrue();
      late.start();

      get(early.broadcast("wanted".getBytes(UTF_8)));

      assertThat(late.broadcasts)
          .extracting(request -> request.getPayload().toStringUtf8())
          .containsExactly("wanted");
    }
  }

  @Test
  void a_broadcast_waits_for_an_agent_that_starts_late() throws Exception {
    try (ScriptedAgent late = ScriptedAgent.stopped();
        Treecast early = Treecast.connect(late.address())) {
      CompletableFuture<BroadcastResult> result = early.broadcast(new byte[3]);
      failureOf(early.broadcast(new byte[1], SHORT)); // The connection was refused meanwhile.
      assertThat(result).isNotDone();
      late.start();

      assertThat(get(result).treeVersion()).isEqualTo(3);
      assertThat(late.broadcasts).hasSize(1);
    }
  }

  @Test
  void a_connection_lost_before_the_answer_leaves_the_outcome_unknown_and_nothing_is_sent_twice()
      throws Exception {
    agent.onBroadcast((request, answer) -> {});
    CompletableFuture<BroadcastResult> result = treecast.broadcast("once".getBytes(UTF_8));
    await().until(() -> agent.broadcasts.size() == 1);
    agent.stop();

    assertThat(failureOf(result))
        .hasMessageContaining(agent.address())
        .returns(Reason.OUTCOME_UNKNOWN, TreecastException::reason);

    agent.onBroadcast(ScriptedAgent::accept);
    agent.start();
    get(treecast.broadcast("next".getBytes(UTF_8)));
    assertThat(agent.broadcasts)
        .extracting(request -> request.getPayload().toStringUtf8())
        .containsExactly("once", "next");
  }

  @Test
  void an_agent_that_never_answers_leaves_the_outcome_unknown() throws Exception {
    get(treecast.broadcast(new byte[1]));
    agent.onBroadcast((request, answer) -> {});

    assertThat(failureOf(treecast.broadcast(new byte[1], SHORT)))
        .hasMessageContainingAll(
            SHORT.plus(BroadcastCall.ANSWER_MARGIN).toMillis() + " ms",
            BroadcastCall.ANSWER_MARGIN.toMillis() + " ms")
        .returns(Reason.OUTCOME_UNKNOWN, TreecastException::reason);
  }

  @Test
  void cancelling_the_future_withdraws_the_broadcast() {
    agent.onBroadcast((request, answer) -> {});
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[1]);
    await().until(() -> agent.answers.size() == 1);

    assertThat(result.cancel(false)).isTrue();

    await().until(() -> agent.answers.get(0).isCancelled());
  }

  @Test
  void a_late_answer_to_a_withdrawn_broadcast_is_not_taken_for_the_next_one() throws Exception {
    agent.onBroadcast((request, answer) -> {});
    CompletableFuture<BroadcastResult> withdrawn = treecast.broadcast(new byte[1]);
    CompletableFuture<BroadcastResult> next = treecast.broadcast(new byte[2]);
    await().until(() -> agent.answers.size() == 2);
    withdrawn.cancel(false);

    for (int i = 0; i < 2; i++) {
      ScriptedAgent.accept(agent.broadcasts.get(i), agent.answers.get(i));
    }

    assertThat(get(next).treeVersion()).isEqualTo(2);
    assertThat(withdrawn).isCancelled();
  }

  @Test
  void broadcasts_arrive_in_the_order_of_their_calls_even_if_the_connection_opens_meanwhile()
      throws Exception {
    try (ScriptedAgent late = ScriptedAgent.stopped();
        Treecast early = Treecast.connect(late.address())) {
      late.start();
      List<CompletableFuture<BroadcastResult>> results = new ArrayList<>();
      for (int size = 0; size < 2_000; size++) {
        results.add(early.broadcast(new byte[size % 10 == 5 ? 50_000 : size]));
      }
      for (CompletableFuture<BroadcastResult> result : results) {
        get(result);
      }

      assertThat(late.broadcasts)
          .extracting(request -> request.getPayload().size())
          .containsExactlyElementsOf(
              IntStream.range(0, 2_000)
                  .map(size -> size % 10 == 5 ? 50_000 : size)
                  .boxed()
                  .toList());
    }
  }

  /** Such a payload would end the call, with the broadcasts sent before it. */
  @Test
  void a_payload_that_exceeds_the_agents_limit_is_not_sent() throws Exception {
    agent.onPublish(call -> call.begin(10));

    assertThat(failureOf(treecast.broadcast(new byte[11])))
        .hasMessageContainingAll(agent.address(), "10", "11", "limits.payloadBytes")
        .returns(Reason.PAYLOAD_TOO_LARGE, TreecastException::reason);
    get(treecast.broadcast(new byte[10]));
    assertThat(agent.broadcasts).hasSize(1);
  }

  @Test
  void an_agent_that_hangs_before_it_accepts_broadcasts_receives_none() throws Exception {
    treecast
        .subscribe(message -> {})
        .ready()
        .get(60, TimeUnit.SECONDS); // Ensures that there is a connection.
    agent.onPublish(call -> {});

    assertThat(failureOf(treecast.broadcast(new byte[1], SHORT)))
        .hasMessageContainingAll(
            agent.address(), SHORT.plus(BroadcastCall.ANSWER_MARGIN).toMillis() + " ms")
        .returns(Reason.AGENT_UNREACHABLE, TreecastException::reason);
    assertThat(agent.broadcasts).isEmpty();
  }

  @Test
  void a_broadcast_that_waits_fails_with_the_agents_reason_for_ending_the_call() {
    agent.onPublish(call -> call.end(Status.UNIMPLEMENTED.withDescription("text-of-the-agent")));

    assertThat(failureOf(treecast.broadcast(new byte[1])))
        .hasMessageContainingAll(agent.address(), "text-of-the-agent")
        .returns(Reason.REFUSED, TreecastException::reason);
  }

  @Test
  void a_refusal_by_a_proxy_does_not_count_as_a_missing_tree() {
    agent.onPublish(call -> call.end(Status.UNAVAILABLE.withDescription("no upstream")));

    assertThat(failureOf(treecast.broadcast(new byte[1])))
        .returns(Reason.AGENT_UNREACHABLE, TreecastException::reason);
  }

  @Test
  void an_unknown_reason_is_a_refusal_with_a_remedy_of_its_own() {
    Metadata trailers = new Metadata();
    trailers.put(CallFailure.REASON, "REFUSAL_REASON_OF_TOMORROW");
    agent.onPublish(call -> call.end(Status.INVALID_ARGUMENT.asRuntimeException(trailers)));
    TreecastException unknown = failureOf(treecast.broadcast(new byte[1]));
    agent.onPublish(call -> call.end(Status.INVALID_ARGUMENT.asRuntimeException()));
    TreecastException withoutReason = failureOf(treecast.broadcast(new byte[1]));

    assertThat(unknown.reason()).isEqualTo(Reason.REFUSED);
    assertThat(unknown.getMessage()).isNotEqualTo(withoutReason.getMessage());
  }

  @Test
  void a_refused_certificate_leads_to_the_advice_to_use_another_one() {
    agent.onPublish(call -> call.end(Status.UNAUTHENTICATED.withDescription("text-of-the-agent")));

    assertThat(failureOf(treecast.broadcast(new byte[1])))
        .hasMessageContainingAll("text-of-the-agent", "certificate")
        .returns(Reason.REFUSED, TreecastException::reason);
  }

  @Test
  void broadcasts_that_an_agent_that_stops_has_not_answered_were_not_accepted() throws Exception {
    agent.onBroadcast((request, answer) -> {});
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[1]);
    await().until(() -> agent.answers.size() == 1);

    agent.publishing.get(0).end(AgentRefusal.of("SHUTTING_DOWN", "goodbye"));

    assertThat(failureOf(result))
        .hasMessageContaining("goodbye")
        .returns(Reason.NO_TREE, TreecastException::reason);
    agent.onBroadcast(ScriptedAgent::accept);
    get(treecast.broadcast(new byte[1]));
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {"INTERNAL", "UNAVAILABLE"})
  void a_broadcast_under_way_when_a_call_ends_without_a_reason_has_an_unknown_outcome(
      Status.Code code) {
    agent.onBroadcast((request, answer) -> {});
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[1]);
    await().until(() -> agent.answers.size() == 1);

    agent.publishing.get(0).end(code.toStatus().withDescription("text-of-the-agent"));

    assertThat(failureOf(result))
        .hasMessageContaining("text-of-the-agent")
        .returns(Reason.OUTCOME_UNKNOWN, TreecastException::reason);
  }

  /** A hanging agent is sent no more than the network accepts, however long the client tries. */
  @Test
  void a_hanging_agent_is_sent_no_more_than_the_network_accepts() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    get(treecast.broadcast(new byte[1]));
    agent.onBroadcast((request, answer) -> hang(end));
    List<CompletableFuture<BroadcastResult>> results = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      results.add(treecast.broadcast(new byte[1_000_000], SHORT));
    }

    assertThat(failureOf(results.get(0)))
        .returns(Reason.OUTCOME_UNKNOWN, TreecastException::reason);
    assertThat(failureOf(results.get(39)))
        .hasMessageContaining(SHORT.plus(BroadcastCall.ANSWER_MARGIN).toMillis() + " ms")
        .returns(Reason.BUFFER_FULL, TreecastException::reason);
    end.countDown();
  }

  private static void hang(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void callbacks_of_a_result_may_block() throws Exception {
    CompletableFuture<BroadcastResult> second =
        treecast
            .broadcast(new byte[1])
            .thenApply(first -> treecast.blocking().broadcast(new byte[2]));

    assertThat(get(second).treeVersion()).isEqualTo(2);
  }

  @Test
  void callbacks_of_a_failure_may_block_while_the_client_continues() throws Exception {
    try (ScriptedAgent late = ScriptedAgent.stopped();
        Treecast early = Treecast.connect(late.address())) {
      CompletableFuture<BroadcastResult> second =
          early
              .broadcast(new byte[1], SHORT)
              .exceptionally(
                  expired -> {
                    late.start();
                    return early.blocking().broadcast(new byte[2]);
                  });

      assertThat(get(second).treeVersion()).isEqualTo(2);
    }
  }

  private static BroadcastResult get(CompletableFuture<BroadcastResult> result) throws Exception {
    return result.get(60, TimeUnit.SECONDS);
  }

  private static TreecastException failureOf(CompletableFuture<BroadcastResult> result) {
    try {
      throw new AssertionError("succeeded with " + result.get(60, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(TreecastException.class);
      return (TreecastException) e.getCause();
    } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
