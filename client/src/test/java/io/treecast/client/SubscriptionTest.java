package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.treecast.client.TreecastException.Reason;
import io.treecast.tls.ConnectionFailure;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubscriptionTest {
  // A strong reference: a logger without one loses its level.
  private static final Logger QUIET = Logger.getLogger("io.treecast.client");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());
  private final RecordingHandler handler = new RecordingHandler();

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  @Test
  void ready_names_the_agent_and_later_messages_are_received() throws Exception {
    Subscription subscription = treecast.subscribe(handler);
    assertThat(get(subscription.ready())).isEqualTo(ScriptedAgent.NODE_ID);

    agent.sendMessage("h2", 1, "hello");

    awaitHeard("h2#1 hello");
  }

  @Test
  void it_is_not_ready_before_the_agent_confirms() throws Exception {
    agent.onSubscribe(subscriber -> {});
    Subscription subscription = treecast.subscribe(handler);
    await().until(() -> agent.subscribers.size() == 1);
    assertThat(subscription.ready()).isNotDone();

    ScriptedAgent.confirm(agent.subscriber(0));

    get(subscription.ready());
  }

  @Test
  void callbacks_of_ready_may_wait_for_a_message_of_the_subscription() throws Exception {
    CompletableFuture<String> message = new CompletableFuture<>();
    agent.onSubscribe(subscriber -> {});
    CompletableFuture<String> received =
        treecast
            .subscribe(m -> message.complete(m.text()))
            .ready()
            .thenApply(
                node -> {
                  agent.sendMessage(node, 1, "hello");
                  return message.orTimeout(60, TimeUnit.SECONDS).join();
                });
    await().until(() -> agent.subscribers.size() == 1);
    ScriptedAgent.confirm(agent.subscriber(0));

    assertThat(get(received)).isEqualTo("hello");
  }

  @Test
  void chunks_of_interleaved_origins_become_messages_in_order() throws Exception {
    get(treecast.subscribe(handler).ready());

    agent.sendChunk("h2", 1, 0, false, "a");
    agent.sendChunk("h3", 9, 0, false, "x");
    agent.sendChunk("h2", 1, 1, false, "b");
    agent.sendChunk("h3", 9, 1, true, "y");
    agent.sendChunk("h2", 1, 2, true, "c");
    agent.sendMessage("h2", 2, "");
    agent.sendMessage("h3", 10, "z");

    awaitHeard("h3#9 xy", "h2#1 abc", "h2#2 ", "h3#10 z");
  }

  @Test
  void handlers_run_on_the_subscriptions_own_thread() throws Exception {
    List<Thread> threads = new CopyOnWriteArrayList<>();
    get(treecast.subscribe(message -> threads.add(Thread.currentThread())).ready());
    for (int i = 1; i <= 20; i++) {
      agent.sendMessage("h2", i, "");
    }
    await().until(() -> threads.size() == 20);

    assertThat(threads.stream().distinct())
        .singleElement()
        .satisfies(
            thread -> {
              assertThat(thread.getName()).isEqualTo("treecast-subscription-1-" + agent.address());
              assertThat(thread.isDaemon()).isTrue();
            });
  }

  @Test
  void on_a_given_executor_handlers_still_run_one_at_a_time_in_order() throws Exception {
    ExecutorService executor =
        Executors.newFixedThreadPool(4, HandlerThread.factory("application-pool"));
    AtomicInteger running = new AtomicInteger();
    List<String> heard = new CopyOnWriteArrayList<>();
    try (Treecast onExecutor =
        Treecast.builder(agent.address()).handlerExecutor(executor).connect()) {
      get(
          onExecutor
              .subscribe(
                  message -> {
                    int others = running.getAndIncrement();
                    heard.add(Thread.currentThread().getName() + others + message.sequence());
                    running.decrementAndGet();
                  })
              .ready());
      for (int i = 1; i <= 50; i++) {
        agent.sendMessage("h2", i, "");
      }
      await().until(() -> heard.size() == 50);

      for (int i = 1; i <= 50; i++) {
        assertThat(heard.get(i - 1)).isEqualTo("application-pool0" + i);
      }
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void a_handler_that_throws_ends_its_subscription_and_no_other() throws Exception {
    IllegalStateException error = new IllegalStateException("disk full");
    AtomicInteger calls = new AtomicInteger();
    Subscription failing =
        treecast.subscribe(
            message -> {
              calls.incrementAndGet();
              throw error;
            });
    get(failing.ready());
    var failingStream = agent.subscriber(0);
    failingStream.onNext(ScriptedAgent.chunk("h2", 1, 0, true, ByteString.EMPTY));
    failingStream.onNext(ScriptedAgent.chunk("h2", 2, 0, true, ByteString.EMPTY));

    assertThat(failureOf(failing))
        .hasCause(error)
        .hasMessageContaining(error.toString())
        .returns(Reason.HANDLER_FAILED, TreecastException::reason);
    await().until(failingStream::isCancelled);
    assertThat(calls).hasValue(1);

    get(treecast.subscribe(handler).ready());
    agent.sendMessage("h2", 3, "on");
    awaitHeard("h2#3 on");
  }

  @Test
  void a_handler_that_throws_what_it_does_not_declare_ends_its_subscription() throws Exception {
    IOException error = new IOException("disk full");
    Subscription failing = treecast.subscribe(message -> throwUndeclared(error));
    get(failing.ready());
    await().until(() -> agent.subscribers.size() == 1);
    agent.sendMessage("h2", 1, "");

    assertThat(failureOf(failing))
        .hasCause(error)
        .returns(Reason.HANDLER_FAILED, TreecastException::reason);
    assertThat(agent.subscribeRequests).hasSize(1);
  }

  /** As code can in Kotlin or Scala. */
  static void throwUndeclared(Throwable error) {
    SubscriptionTest.<RuntimeException>throwAs(error);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void throwAs(Throwable error) throws T {
    throw (T) error;
  }

  @Test
  void the_return_of_the_agent_is_reported_and_incomplete_messages_are_dropped() throws Exception {
    Subscription subscription = treecast.subscribe(handler);
    get(subscription.ready());
    agent.sendMessage("h2", 1, "before");
    agent.sendChunk("h2", 2, 0, false, "part");
    awaitHeard("h2#1 before");

    agent.stop();
    awaitHeard("h2#1 before", "interrupted");
    assertThat(handler.reasons.get(0)).contains(agent.address());
    agent.start();
    awaitHeard("h2#1 before", "interrupted", "resumed");
    await().until(() -> agent.subscribers.size() == 2);
    agent.sendMessage("h2", 3, "after");

    awaitHeard("h2#1 before", "interrupted", "resumed", "h2#3 after");
    assertThat(subscription.done()).isNotDone();
  }

  @Test
  void it_reconnects_again_and_again() throws Exception {
    get(treecast.subscribe(handler).ready());
    for (int round = 1; round <= 3; round++) {
      int hearsBefore = handler.heard.size();
      agent.stop();
      await().until(() -> handler.heard.size() == hearsBefore + 1);
      agent.start();
      await().until(() -> handler.heard.size() == hearsBefore + 2);
    }

    assertThat(handler.heard)
        .containsExactly(
            "interrupted", "resumed", "interrupted", "resumed", "interrupted", "resumed");
  }

  @Test
  void an_agent_that_ends_the_stream_is_asked_again() throws Exception {
    get(treecast.subscribe(handler).ready());
    agent.subscriber(0).onCompleted();
    awaitHeard("interrupted", "resumed");
    await().until(() -> agent.subscribers.size() == 2);
    agent.subscriber(1).onError(Status.UNAVAILABLE.withDescription("leaving").asRuntimeException());
    awaitHeard("interrupted", "resumed", "interrupted", "resumed");

    assertThat(handler.reasons).hasSize(2).allMatch(reason -> reason.contains(agent.address()));
    assertThat(handler.reasons.get(0)).doesNotContain("leaving");
    assertThat(handler.reasons.get(1)).contains("leaving");
  }

  @Test
  void an_agent_that_starts_late_is_not_an_interruption() throws Exception {
    try (ScriptedAgent late = ScriptedAgent.stopped();
        Treecast early = Treecast.connect(late.address())) {
      Subscription subscription = early.subscribe(handler);
      assertThatThrownBy(() -> subscription.ready().get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(java.util.concurrent.TimeoutException.class);
      late.start();
      get(subscription.ready());
      await().until(() -> late.subscribers.size() == 1);
      late.sendMessage("h2", 1, "hello");

      awaitHeard("h2#1 hello");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {
        "UNIMPLEMENTED",
        "PERMISSION_DENIED",
        "UNAUTHENTICATED",
        "INVALID_ARGUMENT",
        "FAILED_PRECONDITION"
      })
  void a_refusal_ends_the_subscription(Status.Code code) {
    agent.onSubscribe(
        subscriber ->
            subscriber.onError(
                code.toStatus().withDescription("text-of-the-agent").asRuntimeException()));
    Subscription subscription = treecast.subscribe(handler);

    assertThat(failureOf(subscription))
        .hasMessageContainingAll(agent.address(), "Subscribe", "text-of-the-agent")
        .hasMessageNotContaining(code.name())
        .returns(Reason.REFUSED, TreecastException::reason)
        .matches(
            failure ->
                Objects.requireNonNull(failure.getMessage()).contains("certificate")
                    == (code == Status.Code.PERMISSION_DENIED
                        || code == Status.Code.UNAUTHENTICATED));
    assertThat(subscription.ready()).isCompletedExceptionally();
  }

  @ParameterizedTest
  @ValueSource(strings = {"INVALID_REQUEST", "TOO_MANY_TOPICS"})
  void a_reason_that_will_not_pass_ends_the_subscription(String stated) {
    agent.onSubscribe(subscriber -> subscriber.onError(AgentRefusal.of(stated, "no")));

    assertThat(failureOf(treecast.subscribe(handler)))
        .returns(Reason.REFUSED, TreecastException::reason);
  }

  @Test
  void a_refusal_that_may_pass_is_reported_once_and_the_agent_is_asked_again() throws Exception {
    agent.onSubscribe(
        subscriber -> subscriber.onError(AgentRefusal.of("NO_ROOM", "limits.subscribers = 1")));
    Subscription subscription = treecast.subscribe(handler);
    await().until(() -> agent.subscribeRequests.size() >= 3);
    assertThat(subscription.ready()).isNotDone();

    agent.onSubscribe(ScriptedAgent::confirm);

    get(subscription.ready());
    assertThat(handler.heard).containsExactly("refused");
    assertThat(handler.reasons.get(0)).contains(agent.address(), "limits.subscribers = 1");
  }

  @Test
  void a_message_without_room_is_missed_and_the_others_arrive() throws Exception {
    try (Treecast small = Treecast.builder(agent.address()).maxAssemblyBytes(1000).connect()) {
      get(small.subscribe(handler).ready());
      agent.sendChunk("h2", 1, 0, false, "a");
      agent.sendChunk("h3", 1, 0, false, "x".repeat(1000));
      agent.sendChunk("h2", 1, 1, true, "b");
      agent.sendChunk("h3", 1, 1, true, "");
      agent.sendMessage("h3", 2, "next");

      awaitHeard("missed h3#1 NO_ROOM", "h2#1 ab", "h3#2 next");
    }
  }

  @Test
  void a_chunk_that_is_not_due_ends_the_subscription() throws Exception {
    Subscription subscription = treecast.subscribe(handler);
    get(subscription.ready());
    agent.sendChunk("h2", 1, 1, true, "x");

    assertThat(failureOf(subscription))
        .returns(Reason.PROTOCOL_VIOLATION, TreecastException::reason);
  }

  @Test
  void a_chunk_before_the_confirmation_ends_the_subscription() {
    agent.onSubscribe(
        subscriber -> subscriber.onNext(ScriptedAgent.chunk("h2", 1, 0, true, ByteString.EMPTY)));

    assertThat(failureOf(treecast.subscribe(handler)))
        .returns(Reason.PROTOCOL_VIOLATION, TreecastException::reason);
  }

  @Test
  void an_event_above_the_clients_limit_ends_the_subscription() throws Exception {
    Subscription subscription = treecast.subscribe(handler);
    get(subscription.ready());
    agent
        .subscriber(0)
        .onNext(
            ScriptedAgent.chunk(
                "h2",
                1,
                0,
                true,
                ByteString.copyFrom(new byte[AgentConnection.MAX_INBOUND_MESSAGE_BYTES])));

    assertThat(failureOf(subscription))
        .hasMessageContaining(String.valueOf(AgentConnection.MAX_INBOUND_MESSAGE_BYTES))
        .returns(Reason.PROTOCOL_VIOLATION, TreecastException::reason);
  }

  @Test
  void an_overloaded_connection_is_not_taken_for_an_event_that_is_too_large() {
    Status.Code code = Status.Code.RESOURCE_EXHAUSTED;
    assertThat(
            ConnectionFailure.isTooLarge(
                code.toStatus().withDescription("HTTP/2 error code: ENHANCE_YOUR_CALM")))
        .isFalse();
  }

  @Test
  void closing_ends_the_stream_at_the_agent_and_is_repeatable() throws Exception {
    Subscription subscription = treecast.subscribe(handler);
    get(subscription.ready());

    subscription.close();
    subscription.close();

    get(subscription.done());
    await().until(() -> agent.subscriber(0).isCancelled());
    assertThat(handler.heard).isEmpty();
  }

  @Test
  void a_handler_may_close_its_subscription_and_hears_nothing_more() throws Exception {
    CompletableFuture<Subscription> itself = new CompletableFuture<>();
    List<Long> heard = new CopyOnWriteArrayList<>();
    Subscription subscription =
        treecast.subscribe(
            message -> {
              heard.add(message.sequence());
              itself.join().close();
            });
    itself.complete(subscription);
    get(subscription.ready());
    agent.sendMessage("h2", 1, "");
    agent.sendMessage("h2", 2, "");

    get(subscription.done());
    assertThat(heard).containsExactly(1L);
  }

  @Test
  void closing_before_an_agent_is_there_fails_ready() throws Exception {
    try (ScriptedAgent absent = ScriptedAgent.stopped();
        Treecast alone = Treecast.connect(absent.address())) {
      Subscription subscription = alone.subscribe(handler);
      subscription.close();

      get(subscription.done());
      assertThatThrownBy(() -> get(subscription.ready()))
          .rootCause()
          .isInstanceOfSatisfying(
              TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED))
          .hasMessageContaining(absent.address());
    }
  }

  @Test
  void completing_a_returned_future_has_no_effect_on_the_subscription() throws Exception {
    Subscription subscription = treecast.subscribe(handler);

    subscription.ready().cancel(false);
    subscription.done().cancel(false);

    get(subscription.ready());
    assertThat(subscription.done()).isNotDone();
  }

  @Test
  void repeated_requests_for_a_future_leave_nothing_behind() throws Exception {
    Subscription subscription = treecast.subscribe(handler);
    CompletableFuture<@Nullable Void> done = subscription.done();

    for (int i = 0; i < 100; i++) {
      assertThat(subscription.done()).isSameAs(done).isNotDone();
    }

    get(subscription.ready());
    subscription.close();
    get(done);
    assertThat(subscription.done()).isCompleted();
  }

  private void awaitHeard(String... words) {
    await().untilAsserted(() -> assertThat(handler.heard).containsExactly(words));
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  private static TreecastException failureOf(Subscription subscription) {
    try {
      get(subscription.done());
      throw new AssertionError("the subscription was closed, not failed");
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(TreecastException.class);
      return (TreecastException) e.getCause();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
