package io.treecast.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.treecast.client.TreecastException.Reason;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BlockingTreecastTest {
  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  @Test
  void broadcast_returns_the_result() {
    assertThat(treecast.blocking().broadcast("hello".getBytes(UTF_8)).treeVersion()).isEqualTo(5);
    assertThat(treecast.blocking().broadcast(new byte[3], Duration.ofSeconds(60)).treeVersion())
        .isEqualTo(3);
  }

  @Test
  void broadcast_throws_the_reason_at_the_caller() {
    agent.onBroadcast((request, answer) -> answer.onError(AgentRefusal.of("NO_TREE", "no tree")));

    assertReason(() -> treecast.blocking().broadcast(new byte[1]), Reason.NO_TREE);
  }

  @Test
  void an_interrupted_wait_ends_and_keeps_the_flag() {
    agent.onBroadcast((request, answer) -> {});
    Thread.currentThread().interrupt();

    assertReason(() -> treecast.blocking().broadcast(new byte[1]), Reason.INTERRUPTED)
        .hasMessageContaining(agent.address());

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void an_interrupted_subscribe_does_not_speak_of_a_broadcast() {
    Thread.currentThread().interrupt();

    assertReason(() -> treecast.blocking().subscribe(), Reason.INTERRUPTED)
        .hasMessageContaining(agent.address())
        .hasMessageNotContaining("broadcast");

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void an_interrupted_fetch_loses_nothing() {
    try (EventIterator<Message> messages = treecast.blocking().subscribe()) {
      Thread.currentThread().interrupt();
      assertReason(messages::next, Reason.INTERRUPTED).hasMessageContaining(agent.address());
      assertThat(Thread.interrupted()).isTrue();

      agent.sendMessage("h2", 1, "next");
      assertThat(messages.next().text()).isEqualTo("next");
    }
  }

  @Test
  void subscribe_returns_when_in_place_and_iterates_in_order() {
    try (EventIterator<Message> messages = treecast.blocking().subscribe()) {
      for (int i = 1; i <= 5; i++) {
        agent.sendMessage("h2", i, "m" + i);
      }

      for (int i = 1; i <= 5; i++) {
        assertThat(messages.hasNext()).isTrue();
        assertThat(messages.next().text()).isEqualTo("m" + i);
      }
      assertThat(messages.poll(Duration.ofMillis(1))).isNull();
    }
    await().until(() -> agent.subscriber(0).isCancelled());
  }

  @Test
  void poll_takes_a_limit_of_any_length() {
    try (EventIterator<Message> messages = treecast.blocking().subscribe()) {
      agent.sendMessage("h2", 1, "m");
      assertThat(messages.poll(Duration.ofSeconds(Long.MAX_VALUE))).isNotNull();
    }
  }

  @Test
  void poll_waits_for_a_message() {
    try (EventIterator<Message> messages = treecast.blocking().subscribe()) {
      CompletableFuture<String> polled =
          CompletableFuture.supplyAsync(
              () -> {
                Message message = messages.poll(Duration.ofSeconds(60));
                return message == null ? "none" : message.text();
              });
      agent.sendMessage("h2", 1, "late");

      assertThat(polled).succeedsWithin(Duration.ofSeconds(60)).isEqualTo("late");
    }
  }

  @Test
  void the_iterator_outlives_a_lost_connection() {
    try (EventIterator<Message> messages = treecast.blocking().subscribe()) {
      agent.sendMessage("h2", 1, "before");
      assertThat(messages.next().text()).isEqualTo("before");
      agent.stop();
      agent.start();
      await().until(() -> agent.subscribers.size() == 2);
      agent.sendMessage("h2", 2, "after");

      assertThat(messages.next().text()).isEqualTo("after");
    }
  }

  @Test
  void an_iterator_ends_when_it_is_closed() {
    EventIterator<Message> messages = treecast.blocking().subscribe();
    messages.close();
    messages.close();

    assertThat(messages.hasNext()).isFalse();
    assertThat(messages.poll(Duration.ofSeconds(60))).isNull();
    assertThatThrownBy(messages::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void a_waiting_iterator_ends_when_the_client_is_closed() throws Exception {
    EventIterator<Message> messages = treecast.blocking().subscribe();
    CompletableFuture<Boolean> more = CompletableFuture.supplyAsync(messages::hasNext);

    treecast.close();

    assertThat(more.get(60, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void a_failure_follows_the_events_before_it() {
    try (EventIterator<Message> messages = treecast.blocking().subscribe()) {
      agent.sendMessage("h2", 1, "last");
      agent.sendChunk("h2", 2, 5, true, "not due");

      assertThat(messages.next().text()).isEqualTo("last");
      assertReason(messages::next, Reason.PROTOCOL_VIOLATION);
      assertReason(messages::hasNext, Reason.PROTOCOL_VIOLATION);
    }
  }

  @Test
  void subscribe_names_an_agent_that_is_not_there() {
    try (ScriptedAgent absent = ScriptedAgent.stopped();
        Treecast alone =
            Treecast.builder(absent.address()).defaultWait(Duration.ofMillis(100)).connect()) {
      assertReason(() -> alone.blocking().subscribe(), Reason.AGENT_UNREACHABLE);
      assertReason(() -> alone.blocking().watchTree(), Reason.AGENT_UNREACHABLE);
    }
  }

  @Test
  void subscribe_gives_the_reason_of_a_refusal() {
    agent.onSubscribe(
        subscriber -> subscriber.onError(AgentRefusal.of("NO_ROOM", "limits.subscribers = 1")));

    awaitFailureOfSubscribe(Reason.REFUSED, "limits.subscribers = 1");
  }

  @Test
  void subscribe_does_not_blame_an_agent_that_it_could_not_ask() {
    try (ScriptedAgent strict = ScriptedAgent.running(1);
        Treecast client =
            Treecast.builder(strict.address()).defaultWait(Duration.ofMillis(300)).connect()) {
      strict.onBroadcast((request, answer) -> {});
      var holdsTheOnlyCall = client.broadcast(new byte[1], Duration.ofMinutes(5));
      await().until(() -> strict.answers.size() == 1);

      assertReason(() -> client.blocking().subscribe(), Reason.AGENT_UNREACHABLE)
          .hasMessageContaining(strict.address());
      assertThat(holdsTheOnlyCall).isNotDone();
    }
  }

  @Test
  void subscribe_reports_that_the_agent_has_no_tree_or_waits_for_its_members() {
    agent.onSubscribe(subscriber -> {});

    awaitFailureOfSubscribe(Reason.NO_TREE, "defaultWait");
  }

  @Test
  void subscribe_reports_that_an_agent_hangs_and_not_that_it_has_no_tree() {
    agent.hang();

    awaitFailureOfSubscribe(Reason.AGENT_UNREACHABLE, "defaultWait");
  }

  /** Waits long enough for the agent to take a call, which can take time on a busy machine. */
  private void awaitFailureOfSubscribe(Reason reason, String value) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(failureOfSubscribe())
                    .hasMessageContainingAll(agent.address(), value)
                    .returns(reason, TreecastException::reason));
  }

  private TreecastException failureOfSubscribe() {
    try (Treecast impatient =
        Treecast.builder(agent.address()).defaultWait(Duration.ofSeconds(1)).connect()) {
      impatient.blocking().broadcast(new byte[1], Duration.ofSeconds(60));
      return catchThrowableOfType(TreecastException.class, () -> impatient.blocking().subscribe());
    }
  }

  @Test
  void watch_tree_gives_the_tree_and_its_changes() {
    CompletableFuture<EventIterator<TreeView>> watching =
        CompletableFuture.supplyAsync(() -> treecast.blocking().watchTree());
    await().until(() -> agent.watchers.size() == 1);
    agent.sendTree(WatchTreeTest.tree(1));
    agent.sendTree(WatchTreeTest.tree(2));

    try (EventIterator<TreeView> trees = watching.join()) {
      assertThat(trees.next().version()).isEqualTo(1);
      assertThat(trees.next().version()).isEqualTo(2);
    }
  }

  @Test
  void after_close_every_call_reports_it() {
    treecast.close();

    assertReason(() -> treecast.blocking().broadcast(new byte[1]), Reason.CLOSED);
    assertReason(() -> treecast.blocking().subscribe(), Reason.CLOSED);
    assertReason(() -> treecast.blocking().watchTree(), Reason.CLOSED);
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertReason(
      ThrowingCallable call, Reason reason) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
