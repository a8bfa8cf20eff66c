package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.CollectiveFailure;
import io.treecast.proto.v1.CollectiveFailureReason;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.TakePartResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Collective operations that fail, are repeated, or are cancelled. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class CollectiveCallTest {
  private static final CollectiveOptions PATIENT =
      CollectiveOptions.defaults().withWait(Duration.ofMinutes(10));
  private static final CollectiveValue NOTHING = CollectiveValue.getDefaultInstance();

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  private CompletableFuture<?> asked(CollectiveOptions options) {
    int before = agent.outcomes.size();
    CompletableFuture<?> result = treecast.collectives().barrier("round 1", options);
    await().until(() -> agent.outcomes.size() == before + 1);
    return result;
  }

  private void answer(int question, TakePartResponse response) {
    agent.outcomes.get(question).onNext(response);
    agent.outcomes.get(question).onCompleted();
  }

  private static void assertFails(CompletableFuture<?> result, Reason reason, String... words) {
    assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .message()
        .startsWith(reason + ": ")
        .contains(words);
  }

  @ParameterizedTest
  @CsvSource({
    "MEMBERS_MISSING, MEMBERS_MISSING, '; to be able to go on waiting, give each call a retry token'",
    "DISAGREEMENT, DISAGREEMENT, ''",
    "OVERFLOW, OVERFLOW, ''",
    "TOO_LARGE, PAYLOAD_TOO_LARGE, ''",
    "NO_ROOM, BUFFER_FULL, ''",
    "NAME_USED, NAME_USED, ''",
    "NOT_A_PARTICIPANT, REFUSED, ''",
    "RESULT_LOST, RESULT_LOST, ''",
    "LEFT_OUT, LEFT_OUT, ''",
    "UNSPECIFIED, PROTOCOL_VIOLATION, '; the reason is unknown to this client'",
  })
  void each_failure_has_a_reason_and_the_agents_words(String failed, Reason reason, String next) {
    CompletableFuture<?> result = asked(PATIENT);

    answer(
        0,
        TakePartResponse.newBuilder()
            .setFailure(
                CollectiveFailure.newBuilder()
                    .setReason(
                        CollectiveFailureReason.valueOf("COLLECTIVE_FAILURE_REASON_" + failed))
                    .setText("'round 1' (BARRIER): h3 is late"))
            .build());

    assertFails(
        result,
        reason,
        "agent " + agent.address() + " says: 'round 1' (BARRIER): h3 is late" + next);
  }

  @ParameterizedTest
  @CsvSource({
    "INVALID_REQUEST, REFUSED, of operation 'round 1' will be refused again",
    "NO_ROOM, BUFFER_FULL, call operation 'round 1' again when earlier ones are through",
    "TOKEN_REUSED, REFUSED, check that the address is an agent's and that its version fits",
  })
  void a_refused_call_is_not_repeated(String stated, Reason reason, String next) {
    CompletableFuture<?> result = asked(PATIENT);

    agent.outcomes.get(0).onError(AgentRefusal.of(stated, "that will not do"));

    assertFails(result, reason, "says: that will not do; ", next);
    assertThat(agent.operations).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "UNIMPLEMENTED, REFUSED, check that the address is an agent's and that its version fits",
    "UNAUTHENTICATED, REFUSED, connect with a certificate that it accepts",
    "PERMISSION_DENIED, REFUSED, connect with a certificate that it accepts",
  })
  void a_call_that_ends_without_a_reason_is_not_repeated(
      Status.Code code, Reason reason, String next) {
    CompletableFuture<?> result = asked(PATIENT);

    agent
        .outcomes
        .get(0)
        .onError(Status.fromCode(code).withDescription("that will not do").asRuntimeException());

    assertFails(result, reason, "says: that will not do; ", next);
    assertThat(agent.operations).hasSize(1);
  }

  @Test
  void invalid_answers_are_named() {
    CompletableFuture<?> none = asked(PATIENT);
    answer(0, TakePartResponse.getDefaultInstance());
    assertFails(
        none,
        Reason.PROTOCOL_VIOLATION,
        "answered neither a result nor a failure to operation 'round 1'; check that client and");

    CompletableFuture<?> other = asked(PATIENT);
    answer(1, CollectivesTest.completed(CollectivesTest.longs(1L)));
    assertFails(
        other, Reason.PROTOCOL_VIOLATION, "answered a vector of longs where nothing was due to");
  }

  // Repetitions.

  @Test
  void the_same_call_is_made_again_when_the_connection_was_lost() throws Exception {
    CompletableFuture<?> result = asked(PATIENT);
    agent.stop();
    agent.start();
    await().until(() -> agent.outcomes.size() == 2);
    assertThat(result).isNotDone();

    answer(1, CollectivesTest.completed(NOTHING));

    result.get(60, TimeUnit.SECONDS);
    var first = agent.operations.get(0);
    var again = agent.operations.get(1);
    assertThat(again.getWaitMillis()).isLessThan(first.getWaitMillis());
    assertThat(again.toBuilder().clearWaitMillis().build())
        .isEqualTo(first.toBuilder().clearWaitMillis().build());
  }

  @Test
  void the_same_call_is_made_again_when_the_agent_stops() throws Exception {
    CompletableFuture<?> result = asked(PATIENT);
    agent.outcomes.get(0).onError(AgentRefusal.of("SHUTTING_DOWN", "goodbye"));
    await().until(() -> agent.outcomes.size() == 2);

    answer(1, CollectivesTest.completed(NOTHING));

    result.get(60, TimeUnit.SECONDS);
    assertThat(agent.operations.get(1).getToken()).isEqualTo(agent.operations.get(0).getToken());
  }

  @Test
  void a_call_whose_answer_was_lost_may_count() {
    CollectiveOptions options = CollectiveOptions.defaults().withWait(Duration.ofSeconds(2));
    CompletableFuture<?> result = asked(options);
    CompletableFuture<?> withToken = asked(options.withRetryToken(RetryToken.create()));
    agent.stop();

    assertFails(
        result,
        Reason.OUTCOME_UNKNOWN,
        "gave no answer on operation 'round 1' within 2000 ms (",
        "): this member's contribution may count; to be able to get the result, give each call a"
            + " retry token");
    assertFails(
        withToken,
        Reason.OUTCOME_UNKNOWN,
        "): this member's contribution may count; to get the result, call again with the same"
            + " retry token");
  }

  @Test
  void a_call_with_a_retry_token_fails_with_the_advice_to_repeat_it() {
    CompletableFuture<?> result = asked(PATIENT.withRetryToken(RetryToken.create()));

    answer(
        0,
        TakePartResponse.newBuilder()
            .setFailure(
                CollectiveFailure.newBuilder()
                    .setReason(CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_MEMBERS_MISSING)
                    .setText("h3 is late"))
            .build());

    assertFails(
        result,
        Reason.MEMBERS_MISSING,
        "says: h3 is late; to go on waiting, call again with the same retry token");
  }

  @Test
  void an_agent_that_is_silent_is_given_a_little_more_than_its_time() {
    var unused = asked(PATIENT); // Ensures that there is a connection.
    CompletableFuture<?> result =
        asked(CollectiveOptions.defaults().withWait(Duration.ofMillis(500)));

    assertFails(
        result,
        Reason.OUTCOME_UNKNOWN,
        "within 5500 ms, the wait and 5000 ms for the answer: this member's contribution may count");
    await().until(() -> agent.outcomes.get(1).isCancelled());
  }

  @Test
  void without_an_agent_this_member_has_not_taken_part() {
    try (ScriptedAgent absent = ScriptedAgent.stopped();
        Treecast client = Treecast.connect(absent.address())) {
      AgentConnectionTest.awaitRefusal(client);
      assertFails(
          client
              .collectives()
              .barrier("round 1", CollectiveOptions.defaults().withWait(Duration.ofMillis(300))),
          Reason.AGENT_UNREACHABLE,
          "no connection to agent " + absent.address() + " within 300 ms (Connection refused)",
          ", so this member did not take part in operation 'round 1': start the agent,");
    }
  }

  @Test
  void a_failure_does_not_deny_an_earlier_call_with_the_same_token() {
    CollectiveOptions options =
        CollectiveOptions.defaults()
            .withWait(Duration.ofSeconds(1))
            .withRetryToken(RetryToken.create());
    CompletableFuture<?> first = asked(options);
    agent.stop();
    assertFails(first, Reason.OUTCOME_UNKNOWN, "this member's contribution may count");

    assertFails(
        treecast.collectives().barrier("round 1", options),
        Reason.AGENT_UNREACHABLE,
        "(Connection refused), so this call of operation 'round 1' was not sent; an earlier"
            + " one with the same retry token may count: start the agent,");
  }

  // Abandoned calls.

  @Test
  void cancelling_the_future_cancels_the_call() {
    CompletableFuture<?> result = asked(PATIENT);

    assertThat(result.cancel(false)).isTrue();

    await().until(() -> agent.outcomes.get(0).isCancelled());
  }

  @Test
  void a_call_cancelled_before_there_is_a_connection_is_never_sent() {
    try (ScriptedAgent absent = ScriptedAgent.stopped();
        Treecast client = Treecast.connect(absent.address())) {
      CompletableFuture<?> givenUp = client.collectives().barrier("given up", PATIENT);
      assertThat(givenUp.cancel(false)).isTrue();
      CompletableFuture<?> wanted = client.collectives().barrier("wanted", PATIENT);

      absent.start();

      await().until(() -> absent.outcomes.size() == 1);
      assertThat(absent.operations.get(0).getOperation().getName()).isEqualTo("wanted");
      assertThat(wanted).isNotDone();
    }
  }

  @Test
  void callbacks_of_a_failure_may_block_while_the_client_continues() throws Exception {
    try (ScriptedAgent late = ScriptedAgent.stopped();
        Treecast early = Treecast.connect(late.address())) {
      CompletableFuture<?> second =
          early
              .collectives()
              .barrier("round 1", CollectiveOptions.defaults().withWait(Duration.ofMillis(300)))
              .exceptionally(
                  expired -> {
                    late.start();
                    return early.blocking().collectives().barrier("round 2", PATIENT);
                  });
      await().until(() -> late.outcomes.size() == 1);
      late.outcomes.get(0).onNext(CollectivesTest.completed(NOTHING));
      late.outcomes.get(0).onCompleted();

      second.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void closing_the_client_ends_the_wait() {
    CompletableFuture<?> result = asked(PATIENT);

    treecast.close();

    assertFails(
        result,
        Reason.CLOSED,
        "was closed before there was a result: this member's contribution may count");
    await().until(() -> agent.outcomes.get(0).isCancelled());
    assertFails(treecast.collectives().barrier("round 2"), Reason.CLOSED, "create another one");
  }

  @Test
  void the_failure_of_an_interrupted_thread_reports_whether_the_operation_may_count() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> treecast.blocking().collectives().barrier("round 1"))
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INTERRUPTED))
        .hasMessageContaining("on operation 'round 1': this member's contribution may count");
    assertThat(Thread.interrupted()).isTrue();
  }

  // Bounds.

  @Test
  void a_contribution_too_large_for_the_client_is_not_sent() {
    try (Treecast small = Treecast.builder(agent.address()).maxPayloadBytes(1_000).connect()) {
      assertFails(
          small.collectives().allGather("round 1", new byte[1_001]),
          Reason.PAYLOAD_TOO_LARGE,
          "the contribution to operation 'round 1' counts as 1065 bytes; the client's limit is 1000: broadcast"
              + " large payloads, or raise maxPayloadBytes");
    }
    assertThat(agent.operations).isEmpty();
  }

  @Test
  void a_contribution_too_large_for_any_agent_is_not_sent() {
    int most = 4 * 1024 * 1024; // An element counts 8 bytes, a part 64 and its payload.
    try (Treecast client =
        Treecast.builder(agent.address()).maxPayloadBytes(Integer.MAX_VALUE).connect()) {
      Collectives collectives = client.collectives();
      Map<String, byte[]> parts = new HashMap<>();
      byte[] part = new byte[most / 2 - 64];
      for (int i = 0; i < 2_000; i++) { // All parts share one array; copies would take 4 GB.
        parts.put("h" + i, part);
      }
      for (CompletableFuture<?> result :
          List.of(
              collectives.allReduce("round 1", LongReduction.SUM, new long[most / 8 + 1]),
              collectives.allReduce("round 1", DoubleReduction.SUM, new double[most / 8 + 1]),
              collectives.allGather("round 1", new byte[most - 63]),
              collectives.scatter("round 1", parts))) {
        assertThat(result).isDone();
        assertFails(
            result,
            Reason.PAYLOAD_TOO_LARGE,
            "the contribution to operation 'round 1' counts as ",
            " bytes; agents take at most 4194304: broadcast large payloads");
      }
      assertThat(agent.operations).isEmpty();

      parts.keySet().retainAll(Set.of("h1", "h2"));
      var scattered = collectives.scatter("round 2", parts);
      var gathered = collectives.allGather("round 3", new byte[most - 64]);
      await().until(() -> agent.operations.size() == 2);
      assertThat(scattered).isNotDone();
      assertThat(gathered).isNotDone();
    }
  }

  @Test
  void pending_calls_leave_room_for_other_calls_and_are_not_queued() throws Exception {
    List<CompletableFuture<?>> results = new ArrayList<>();
    for (int i = 0; i < PendingCollectives.MAX_PENDING; i++) {
      results.add(treecast.collectives().barrier("round " + i, PATIENT));
    }
    await().until(() -> agent.outcomes.size() == PendingCollectives.MAX_PENDING);
    assertFails(
        treecast.collectives().barrier("one more", PATIENT),
        Reason.BUFFER_FULL,
        "256 collective operations wait for the answer of agent " + agent.address(),
        ", the limit of a client: wait for earlier results, or use another client");
    treecast.broadcast(new byte[1]).get(60, TimeUnit.SECONDS);

    answer(0, CollectivesTest.completed(NOTHING));
    await().until(() -> results.stream().anyMatch(CompletableFuture::isDone));

    CompletableFuture<?> next = treecast.collectives().barrier("next", PATIENT);
    await().until(() -> agent.outcomes.size() == PendingCollectives.MAX_PENDING + 1);
    assertThat(next).isNotDone();

    assertThat(next.cancel(false)).isTrue();
    assertThat(treecast.collectives().barrier("instead", PATIENT)).isNotDone();
  }

  @Test
  void pending_calls_are_bounded_by_their_bytes_and_give_them_back() {
    try (Treecast small = Treecast.builder(agent.address()).maxPendingBytes(3_000).connect()) {
      Collectives collectives = small.collectives();
      CompletableFuture<?> first = collectives.allGather("round 1", new byte[4_000]);
      assertFails(
          collectives.allGather("round 2", new byte[1]),
          Reason.BUFFER_FULL,
          "1 collective operations of 4",
          " bytes wait for the answer of agent " + agent.address(),
          ", and one more of ",
          " bytes would pass the limit of 3000 bytes: wait for earlier results, or raise"
              + " maxPendingBytes");
      assertThat(first).isNotDone(); // A single call is always accepted.
      assertThat(first.cancel(false)).isTrue();

      for (int i = 0; i < 10; i++) {
        CompletableFuture<?> little = collectives.allGather("little " + i, new byte[1]);
        assertThat(little).isNotDone();
        CompletableFuture<?> much = collectives.allGather("much " + i, new byte[2_000]);
        assertThat(much).isNotDone();
        assertFails(
            collectives.allGather("too much " + i, new byte[2_000]), Reason.BUFFER_FULL, "2 coll");
        assertThat(little.cancel(false) && much.cancel(false)).isTrue();
      }
    }
  }
}
