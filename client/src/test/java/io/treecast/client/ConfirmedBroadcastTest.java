package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.treecast.client.Confirmation.Hop;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.AwaitConfirmationResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConfirmedBroadcastTest {
  private static final BroadcastOptions ALL =
      BroadcastOptions.defaults().withConfirm(Confirm.ALL, Duration.ofSeconds(20));

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  private static AwaitConfirmationResponse confirmation() {
    return AwaitConfirmationResponse.newBuilder()
        .setTreeVersion(5)
        .addDelivered(hop("h1", "").setAfterNanos(0).setWithoutSubscriber(true))
        .addDelivered(hop("h2", "h1").setAfterNanos(9_000_000).setErrorNanos(200))
        .addFailed("h3")
        .addUnknown("h4")
        .build();
  }

  private static io.treecast.proto.v1.Hop.Builder hop(String member, String from) {
    return io.treecast.proto.v1.Hop.newBuilder().setMember(member).setFrom(from);
  }

  private void answer(int question) {
    var out = agent.confirmations.get(question);
    out.onNext(confirmation());
    out.onCompleted();
  }

  @Test
  void the_result_names_the_members_and_the_way_of_the_payload() throws Exception {
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[5], ALL);
    await().until(() -> agent.confirmations.size() == 1);
    assertThat(result).isNotDone();

    answer(0);

    Confirmation confirmation = result.get(60, TimeUnit.SECONDS).confirmation();
    assertThat(confirmation)
        .isEqualTo(
            new Confirmation(
                5,
                List.of(
                    new Hop("h1", null, 0, 0, false), new Hop("h2", "h1", 9_000_000, 200, true)),
                List.of("h3"),
                List.of("h4")))
        .returns(List.of("h2"), Confirmation::delivered)
        .returns(List.of("h1"), Confirmation::withoutSubscriber)
        .returns(false, Confirmation::isComplete)
        .returns(9_000_000L, Confirmation::timeToLastNanos)
        .returns(200L, Confirmation::timeToLastErrorNanos);
    assertThat(agent.broadcasts.get(0).getConfirmMillis()).isEqualTo(20_000);
    assertThat(agent.questions.get(0).getMessageId())
        .isEqualTo(ScriptedAgent.messageId(ScriptedAgent.NODE_ID, 7));
  }

  @Test
  void a_broadcast_without_confirmation_does_not_wait_for_one() throws Exception {
    BroadcastResult result =
        treecast.broadcast(new byte[5], BroadcastOptions.defaults()).get(60, TimeUnit.SECONDS);

    assertThat(result.confirmation()).isNull();
    assertThat(agent.broadcasts.get(0).getConfirmMillis()).isZero();
    assertThat(agent.questions).isEmpty();
  }

  @Test
  void the_query_is_repeated_when_the_connection_was_lost() throws Exception {
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[5], ALL);
    await().until(() -> agent.confirmations.size() == 1);
    agent.stop();
    agent.start();
    await().until(() -> agent.confirmations.size() == 2);

    answer(1);

    assertThat(result.get(60, TimeUnit.SECONDS).confirmation()).isNotNull();
    assertThat(agent.broadcasts).hasSize(1);
  }

  @Test
  void the_query_is_repeated_when_the_call_was_lost_and_the_connection_was_not() throws Exception {
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[5], ALL);
    await().until(() -> agent.confirmations.size() == 1);
    endWithoutResponse(0);
    await().until(() -> agent.confirmations.size() == 2);

    answer(1);

    assertThat(result.get(60, TimeUnit.SECONDS).confirmation()).isNotNull();
  }

  @Test
  void a_query_whose_call_is_lost_is_repeated_after_a_pause_only() throws Exception {
    Duration pause = Duration.ofHours(1);
    try (Treecast client =
        Treecast.builder(agent.address()).reconnectDelay(pause, pause).connect()) {
      CompletableFuture<BroadcastResult> result = client.broadcast(new byte[5], ALL);
      await().until(() -> agent.confirmations.size() == 1);

      endWithoutResponse(0);

      // This takes long enough: the agent answers many other calls of the same connection
      // meanwhile.
      for (int i = 0; i < 100; i++) {
        client.broadcast(new byte[1]).get(60, TimeUnit.SECONDS);
      }
      assertThat(agent.questions).hasSize(1);
      assertThat(result).isNotDone();
    }
  }

  /**
   * Ends a call without its response, which resets it: the client receives a status that is not the
   * agent's.
   */
  private void endWithoutResponse(int question) {
    agent.confirmations.get(question).onCompleted();
  }

  @Test
  void an_agent_that_does_not_know_leaves_the_broadcast_accepted_and_unconfirmed() {
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[5], ALL);
    await().until(() -> agent.confirmations.size() == 1);

    agent.confirmations.get(0).onError(AgentRefusal.of("UNKNOWN_BROADCAST", "restarted"));

    assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(TreecastException.class)
        .hasMessageContainingAll("restarted", "h1/")
        .extracting(e -> ((TreecastException) e).reason())
        .isEqualTo(Reason.NOT_CONFIRMED);
  }

  private static BroadcastOptions atLeast(int members) {
    return BroadcastOptions.defaults().withConfirm(Confirm.ALL, Duration.ofSeconds(20), members);
  }

  @Test
  void fewer_members_than_the_minimum_are_a_failure_with_their_number() {
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[5], atLeast(3));
    await().until(() -> agent.confirmations.size() == 1);

    answer(0);

    assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class,
            failure -> {
              assertThat(failure.reason()).isEqualTo(Reason.NOT_CONFIRMED);
              BroadcastResult accepted = Objects.requireNonNull(failure.accepted());
              assertThat(accepted.confirmation())
                  .isNotNull()
                  .returns(List.of("h2"), Confirmation::delivered)
                  .returns(List.of("h1"), Confirmation::withoutSubscriber);
            });
  }

  @Test
  void the_minimum_counts_the_origin_and_members_without_a_subscriber_too() throws Exception {
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[5], atLeast(2));
    await().until(() -> agent.confirmations.size() == 1);

    answer(0);

    assertThat(result.get(60, TimeUnit.SECONDS).confirmation()).isNotNull();
  }

  @Test
  void closing_the_client_ends_the_wait() {
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[5], ALL);
    await().until(() -> agent.confirmations.size() == 1);

    treecast.close();

    assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED));
  }

  @Test
  void cancelling_the_future_cancels_the_broadcast() {
    agent.onBroadcast((request, answer) -> {});
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[5], ALL);
    await().until(() -> agent.answers.size() == 1);

    assertThat(result.cancel(false)).isTrue();

    await().until(() -> agent.answers.get(0).isCancelled());
  }

  @Test
  void cancelling_the_future_of_an_accepted_broadcast_cancels_the_query() {
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[5], ALL);
    await().until(() -> agent.confirmations.size() == 1);

    assertThat(result.cancel(false)).isTrue();

    await().until(() -> agent.confirmations.get(0).isCancelled());
  }

  @Test
  void a_deadline_out_of_range_is_refused_at_once() {
    assertThatThrownBy(() -> ALL.withConfirm(Confirm.ALL, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0S");
  }

  // Retries.

  @Test
  void a_retry_carries_the_token_and_how_old_it_is() throws Exception {
    RetryToken token = RetryToken.create();
    BroadcastOptions options = BroadcastOptions.defaults().withRetryToken(token);
    treecast.broadcast(new byte[5], options).get(60, TimeUnit.SECONDS);
    treecast.broadcast(new byte[5], options).get(60, TimeUnit.SECONDS);

    assertThat(agent.broadcasts.get(0).getRetryToken()).isNotEmpty();
    assertThat(agent.broadcasts.get(0).getTokenAgeMillis()).isZero();
    assertThat(agent.broadcasts.get(1).getRetryToken())
        .isEqualTo(agent.broadcasts.get(0).getRetryToken());
    assertThat(agent.broadcasts.get(1).getTokenAgeMillis()).isPositive();
  }

  @Test
  void another_process_reads_the_token_and_its_age() {
    RetryToken token = RetryToken.create();
    assertThat(token.sentNow(AgentAddress.parse("h1"))).isZero();

    RetryToken read = RetryToken.parse(token.toString());

    assertThat(read.name()).isEqualTo(token.name());
    assertThat(read.sentNow(AgentAddress.parse("h1"))).isPositive();
    assertThatThrownBy(() -> RetryToken.parse("without-time"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'without-time'");
  }

  @Test
  void a_token_from_the_future_is_refused_since_it_would_always_seem_new() {
    long soonMillis = System.currentTimeMillis() + TimeUnit.MINUTES.toMillis(10);

    assertThatThrownBy(() -> RetryToken.parse("t@" + soonMillis))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("t@" + soonMillis, Instant.ofEpochMilli(soonMillis).toString());
    assertThatThrownBy(() -> RetryToken.parse("t@999999999999999"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void an_agent_that_does_not_know_the_outcome_reports_it_and_nothing_is_sent() {
    agent.onBroadcast(
        (request, answer) -> answer.onError(AgentRefusal.of("MAY_BE_ACCEPTED", "restarted")));

    assertThatThrownBy(
            () ->
                treecast
                    .blocking()
                    .broadcast(
                        new byte[1],
                        BroadcastOptions.defaults().withRetryToken(RetryToken.create())))
        .isInstanceOf(TreecastException.class)
        .hasMessageContaining("restarted")
        .extracting(e -> ((TreecastException) e).reason())
        .isEqualTo(Reason.RETRY_TOO_LATE);
  }
}
