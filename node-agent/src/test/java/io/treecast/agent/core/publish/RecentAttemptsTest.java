package io.treecast.agent.core.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentHost;
import io.treecast.agent.core.publish.Publication.Attempt;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One of several requests for a broadcast is carried out, or none when that is not certain. */
class RecentAttemptsTest {
  private static final long START = 1_000;

  /** A request first sent at this time, by its clock, was first sent after the start. */
  private static final long CERTAIN = START + RecentAttempts.UNDER_WAY_NANOS;

  private final RecentAttempts attempts = new RecentAttempts();

  RecentAttemptsTest() {
    attempts.start(START);
  }

  private static Publication publication(String payload) {
    return Publication.of("", "", ByteBuffer.wrap(payload.getBytes(UTF_8)), 0);
  }

  /**
   * Makes a request at some time, first sent at another; returns whether it is to be carried out.
   */
  private boolean isCarriedOut(
      String token, String payload, long firstNanos, long nowNanos, PublishOutcome outcome) {
    PublishOutcome first =
        attempts.firstOf(publication(payload), new Attempt(token, firstNanos), outcome, nowNanos);
    if (first != null) {
      first.accepted(id(nowNanos), 5, 2);
    }
    return first != null;
  }

  private static MessageId id(long sequence) {
    return new MessageId(NodeId.of("self"), 1, sequence);
  }

  @Test
  void a_retry_is_answered_as_the_first_request_was() {
    AgentHost.Outcome first = new AgentHost.Outcome();
    AgentHost.Outcome second = new AgentHost.Outcome();

    assertThat(isCarriedOut("t", "x", 2_000, 2_000, first)).isTrue();
    assertThat(isCarriedOut("t", "x", 2_000, 3_000, second)).isFalse();

    assertThat(first.messageId).isEqualTo(id(2_000));
    assertThat(second.messageId).isEqualTo(id(2_000));
    assertThat(second.replicas).isEqualTo(2);
  }

  @Test
  void a_broadcast_is_wanted_as_long_as_one_of_its_requests_is() {
    AgentHost.Outcome first = new AgentHost.Outcome();
    AgentHost.Outcome second = new AgentHost.Outcome();
    Attempt attempt = new Attempt("t", 2_000);
    PublishOutcome both =
        Objects.requireNonNull(attempts.firstOf(publication("x"), attempt, first, 2_000));
    attempts.firstOf(publication("x"), attempt, second, 3_000);

    first.giveUp();
    assertThat(both.isWanted()).isTrue();
    second.giveUp();
    assertThat(both.isWanted()).isFalse();
  }

  @Test
  void repetitions_that_were_given_up_are_not_kept_while_the_first_waits() {
    AtomicInteger looks = new AtomicInteger();
    AtomicInteger told = new AtomicInteger();
    Attempt attempt = new Attempt("t", 2_000);
    PublishOutcome all =
        Objects.requireNonNull(
            attempts.firstOf(publication("x"), attempt, new AgentHost.Outcome(), 2_000));
    for (int i = 0; i < 100; i++) {
      attempts.firstOf(publication("x"), attempt, new GivenUp(looks, told), 3_000);
    }
    AgentHost.Outcome last = new AgentHost.Outcome();
    attempts.firstOf(publication("x"), attempt, last, 3_000);

    assertThat(looks).as("each is looked at once").hasValue(100);
    all.accepted(id(9), 5, 0);
    assertThat(told).hasValue(0);
    assertThat(last.messageId).isEqualTo(id(9));
  }

  /** Nobody waits for it any more. */
  private record GivenUp(AtomicInteger looks, AtomicInteger told) implements PublishOutcome {
    @Override
    public void accepted(MessageId messageId, long treeVersion, int replicas) {
      told.incrementAndGet();
    }

    @Override
    public boolean isWanted() {
      looks.incrementAndGet();
      return false;
    }

    @Override
    public void refused(Reason reason, String text) {
      told.incrementAndGet();
    }
  }

  @Test
  void a_retry_while_the_first_request_waits_hears_of_it_too() {
    AgentHost.Outcome first = new AgentHost.Outcome();
    AgentHost.Outcome second = new AgentHost.Outcome();
    PublishOutcome waiting =
        Objects.requireNonNull(
            attempts.firstOf(publication("x"), new Attempt("t", 2_000), first, 2_000));
    assertThat(isCarriedOut("t", "x", 2_000, 3_000, second)).isFalse();
    assertThat(second.isKnown()).isFalse();

    waiting.accepted(id(9), 5, 0);

    assertThat(first.messageId).isEqualTo(id(9));
    assertThat(second.messageId).isEqualTo(id(9));
  }

  @Test
  void a_refused_request_may_be_tried_again() {
    AgentHost.Outcome first = new AgentHost.Outcome();
    Objects.requireNonNull(
            attempts.firstOf(publication("x"), new Attempt("t", CERTAIN), first, CERTAIN))
        .refused(Reason.NO_TREE, "no tree");
    assertThat(first.refusal).isEqualTo(Reason.NO_TREE);

    assertThat(isCarriedOut("t", "x", CERTAIN, CERTAIN + 1_000, new AgentHost.Outcome())).isTrue();
  }

  @Test
  void a_first_attempt_that_never_arrived_is_made_up_for() {
    assertThat(isCarriedOut("t", "x", CERTAIN, CERTAIN + 1_000, new AgentHost.Outcome())).isTrue();
  }

  @Test
  void a_request_first_sent_before_this_start_may_have_been_accepted_by_the_earlier_one() {
    AgentHost.Outcome outcome = new AgentHost.Outcome();

    assertThat(isCarriedOut("t", "x", START - 1, 3_000, outcome)).isFalse();

    assertThat(outcome.refusal).isEqualTo(Reason.MAY_BE_ACCEPTED);
    assertThat(outcome.text).contains(" token t ");
  }

  /** The first attempt was accepted before the start; this one waited for an agent that hung. */
  @Test
  void a_retry_may_seem_younger_than_the_start_since_it_was_under_way() {
    AgentHost.Outcome outcome = new AgentHost.Outcome();

    assertThat(isCarriedOut("t", "x", CERTAIN - 1, CERTAIN + 1_000, outcome)).isFalse();

    assertThat(outcome.refusal).isEqualTo(Reason.MAY_BE_ACCEPTED);
  }

  @Test
  void a_first_attempt_is_carried_out_at_once_after_the_start() {
    assertThat(isCarriedOut("t", "x", START, START, new AgentHost.Outcome())).isTrue();
  }

  @Test
  void a_request_as_old_as_a_forgotten_one_may_be_that_one() {
    for (int i = 0; i <= RecentAttempts.MAX_REMEMBERED; i++) {
      assertThat(isCarriedOut("t" + i, "x", 2_000 + i, 2_000 + i, new AgentHost.Outcome()))
          .isTrue();
    }
    long now = 2_000 + RecentAttempts.MAX_REMEMBERED;
    AgentHost.Outcome forgotten = new AgentHost.Outcome();
    AgentHost.Outcome remembered = new AgentHost.Outcome();

    assertThat(isCarriedOut("t0", "x", 2_000, now, forgotten)).isFalse();
    assertThat(isCarriedOut("t1", "x", 2_001, now, remembered)).isFalse();
    assertThat(isCarriedOut("new", "x", now, now, new AgentHost.Outcome())).isTrue();

    assertThat(forgotten.refusal).isEqualTo(Reason.MAY_BE_ACCEPTED);
    assertThat(remembered.messageId).isEqualTo(id(2_001));
  }

  @Test
  void a_request_younger_than_a_forgotten_one_is_accepted_though_others_came_since() {
    long second = TimeUnit.SECONDS.toNanos(1);
    for (int i = 0; i <= RecentAttempts.MAX_REMEMBERED; i++) {
      long now = 2_000 + i * second;
      assertThat(isCarriedOut("t" + i, "x", now, now, new AgentHost.Outcome())).isTrue();
    }
    long now = 2_000 + RecentAttempts.MAX_REMEMBERED * second;
    long sinceForgotten = 2_000 + RecentAttempts.UNDER_WAY_NANOS;
    AgentHost.Outcome slow = new AgentHost.Outcome();

    assertThat(isCarriedOut("t0", "x", sinceForgotten - 1, now, slow)).isFalse();
    assertThat(isCarriedOut("a", "x", sinceForgotten, now, new AgentHost.Outcome())).isTrue();
    assertThat(isCarriedOut("b", "x", now - second, now, new AgentHost.Outcome())).isTrue();

    assertThat(slow.refusal).isEqualTo(Reason.MAY_BE_ACCEPTED);
  }

  @Test
  void a_token_is_for_one_payload() {
    assertThat(isCarriedOut("t", "x", 2_000, 2_000, new AgentHost.Outcome())).isTrue();
    AgentHost.Outcome other = new AgentHost.Outcome();

    assertThat(isCarriedOut("t", "y", 2_000, 2_000, other)).isFalse();

    assertThat(other.refusal).isEqualTo(Reason.TOKEN_REUSED);
  }
}
