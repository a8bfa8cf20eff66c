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
import org.junit.jupiter.params.provider.EnumSource;

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

  private static void assertFails(CompletableFuture<?> result, Reason reason, String... values) {
    assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .message()
        .startsWith(reason + ": ")
        .satisfies(message -> assertThat(values).allMatch(message::contains));
  }

  private static String messageOf(CompletableFuture<?> failed) {
    return failed.handle((result, error) -> String.valueOf(error)).join();
  }

  @ParameterizedTest
  @CsvSource({
    "MEMBERS_MISSING, MEMBERS_MISSING",
    "DISAGREEMENT, DISAGREEMENT",
    "OVERFLOW, OVERFLOW",
    "TOO_LARGE, PAYLOAD_TOO_LARGE",
    "NO_ROOM, BUFFER_FULL",
    "NAME_USED, NAME_USED",
    "NOT_A_PARTICIPANT, REFUSED",
    "RESULT_LOST, RESULT_LOST",
    "LEFT_OUT, LEFT_OUT",
    "UNSPECIFIED, PROTOCOL_VIOLATION",
  })
  void each_failure_has_a_reason_and_the_agents_words(String failed, Reason reason) {
    CompletableFuture<?> result = asked(PATIENT);

    answer(
        0,
        TakePartResponse.newBuilder()
            .setFailure(
                CollectiveFailure.newBuilder()
                    .setReason(
                        CollectiveFailureReason.valueOf("COLLECTIVE_FAILURE_REASON_" + failed))
                    .setText("text-of-the-agent"))
            .build());

    assertFails(result, reason, agent.address(), "text-of-the-agent");
  }

  @ParameterizedTest
  @CsvSource({
    "INVALID_REQUEST, REFUSED",
    "NO_ROOM, BUFFER_FULL",
    "TOKEN_REUSED, REFUSED",
  })
  void a_refused_call_is_not_repeated(String stated, Reason reason) {
    CompletableFuture<?> result = asked(PATIENT);

    agent.outcomes.get(0).onError(AgentRefusal.of(stated, "text-of-the-agent"));

    assertFails(result, reason, "text-of-the-agent");
    assertThat(agent.operations).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "UNIMPLEMENTED, version",
    "UNAUTHENTICATED, certificate",
    "PERMISSION_DENIED, certificate",
  })
  void a_call_that_ends_without_a_reason_is_not_repeated(Status.Code code, String remedy) {
    CompletableFuture<?> result = asked(PATIENT);

    agent
        .outcomes
        .get(0)
        .onError(Status.fromCode(code).withDescription("text-of-the-agent").asRuntimeException());

    assertFails(result, Reason.REFUSED, "text-of-the-agent", remedy);
    assertThat(agent.operations).hasSize(1);
  }

  /** The agent's server ends a call so when its deadline passes, or when its code fails. */
  @ParameterizedTest
  @EnumSource(names = {"DEADLINE_EXCEEDED", "CANCELLED", "UNKNOWN", "INTERNAL"})
  void a_contribution_whose_call_the_other_end_breaks_off_may_count(Status.Code code) {
    CompletableFuture<?> result = asked(PATIENT);

    agent.outcomes.get(0).onError(code.toStatus().asRuntimeException());

    assertFails(result, Reason.OUTCOME_UNKNOWN, agent.address(), "'round 1'");
    assertThat(agent.operations).hasSize(1);
  }

  @Test
  void invalid_answers_are_named() {
    CompletableFuture<?> none = asked(PATIENT);
    answer(0, TakePartResponse.getDefaultInstance());
    assertFails(none, Reason.PROTOCOL_VIOLATION, "'round 1'");

    CompletableFuture<?> other = asked(PATIENT);
    answer(1, CollectivesTest.completed(CollectivesTest.longs(1L)));
    assertFails(other, Reason.PROTOCOL_VIOLATION, "longs", "'round 1'");
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
    var unused = asked(PATIENT); // Ensures that there is a connection.
    CollectiveOptions options = CollectiveOptions.defaults().withWait(Duration.ofSeconds(2));
    CompletableFuture<?> result = asked(options);
    CompletableFuture<?> withToken = asked(options.withRetryToken(RetryToken.create()));
    agent.stop();

    assertFails(result, Reason.OUTCOME_UNKNOWN, "'round 1'");
    assertFails(withToken, Reason.OUTCOME_UNKNOWN, "'round 1'");
    assertThat(messageOf(withToken)).isNotEqualTo(messageOf(result));
  }

  @Test
  void a_call_with_a_retry_token_fails_with_a_remedy_of_its_own() {
    CompletableFuture<?> withToken = asked(PATIENT.withRetryToken(RetryToken.create()));
    CompletableFuture<?> without = asked(PATIENT);
    TakePartResponse missing =
        TakePartResponse.newBuilder()
            .setFailure(
                CollectiveFailure.newBuilder()
                    .setReason(CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_MEMBERS_MISSING)
                    .setText("h3"))
            .build();

    answer(0, missing);
    answer(1, missing);

    assertFails(withToken, Reason.MEMBERS_MISSING, "h3");
    assertFails(without, Reason.MEMBERS_MISSING, "h3");
    assertThat(messageOf(withToken)).isNotEqualTo(messageOf(without));
  }

  @Test
  void an_agent_that_is_silent_is_given_a_little_more_than_its_time() {
    var unused = asked(PATIENT); // Ensures that there is a connection.
    CompletableFuture<?> result =
        asked(CollectiveOptions.defaults().withWait(Duration.ofMillis(500)));

    assertFails(result, Reason.OUTCOME_UNKNOWN, "5500 ms", "5000 ms");
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
          absent.address(),
          "300 ms (Connection refused)",
          "'round 1'");
    }
  }

  @Test
  void a_failure_does_not_deny_an_earlier_call_with_the_same_token() {
    CollectiveOptions options =
        CollectiveOptions.defaults()
            .withWait(Duration.ofSeconds(1))
            .withRetryToken(RetryToken.create());
    var unused = asked(PATIENT); // Ensures that there is a connection.
    CompletableFuture<?> first = asked(options);
    agent.stop();
    assertFails(first, Reason.OUTCOME_UNKNOWN);
    AgentConnectionTest.awaitRefusal(treecast);

    assertFails(
        treecast.collectives().barrier("round 1", options),
        Reason.AGENT_UNREACHABLE,
        "(Connection refused)",
        "'round 1'",
        "token");
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

    assertFails(result, Reason.CLOSED);
    await().until(() -> agent.outcomes.get(0).isCancelled());
    assertFails(treecast.collectives().barrier("round 2"), Reason.CLOSED);
  }

  @Test
  void the_failure_of_an_interrupted_thread_reports_whether_the_operation_may_count() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> treecast.blocking().collectives().barrier("round 1"))
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INTERRUPTED))
        .hasMessageContaining("'round 1'");
    assertThat(Thread.interrupted()).isTrue();
  }

  // Bounds.

  @Test
  void a_contribution_too_large_for_the_client_is_not_sent() {
    try (Treecast small = Treecast.builder(agent.address()).maxPayloadBytes(1_000).connect()) {
      assertFails(
          small.collectives().allGather("round 1", new byte[1_001]),
          Reason.PAYLOAD_TOO_LARGE,
          "'round 1'",
          "1065 bytes",
          "1000",
          "maxPayloadBytes");
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
        assertFails(result, Reason.PAYLOAD_TOO_LARGE, "'round 1'", String.valueOf(most));
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
        agent.address(),
        String.valueOf(PendingCollectives.MAX_PENDING));
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
          agent.address(),
          "3000",
          "maxPendingBytes");
      assertThat(first).isNotDone(); // A single call is always accepted.
      assertThat(first.cancel(false)).isTrue();

      for (int i = 0; i < 10; i++) {
        CompletableFuture<?> little = collectives.allGather("little " + i, new byte[1]);
        assertThat(little).isNotDone();
        CompletableFuture<?> much = collectives.allGather("much " + i, new byte[2_000]);
        assertThat(much).isNotDone();
        assertFails(collectives.allGather("too much " + i, new byte[2_000]), Reason.BUFFER_FULL);
        assertThat(little.cancel(false) && much.cancel(false)).isTrue();
      }
    }
  }
}
