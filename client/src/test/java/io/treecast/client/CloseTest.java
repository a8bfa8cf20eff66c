package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.treecast.client.TreecastException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CloseTest {
  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  @Test
  void broadcasts_without_an_answer_fail_and_the_agent_sees_them_cancelled() {
    agent.onBroadcast((request, answer) -> {});
    CompletableFuture<BroadcastResult> result = treecast.broadcast(new byte[1]);
    await().until(() -> agent.answers.size() == 1);

    treecast.close();

    assertClosed(result);
    await().until(() -> agent.answers.get(0).isCancelled());
  }

  @Test
  void broadcasts_that_wait_for_an_agent_fail() {
    try (ScriptedAgent absent = ScriptedAgent.stopped()) {
      Treecast alone = Treecast.connect(absent.address());
      CompletableFuture<BroadcastResult> result = alone.broadcast(new byte[1]);

      alone.close();

      assertClosed(result);
    }
  }

  @Test
  void after_close_every_call_reports_it() {
    treecast.close();
    treecast.close();

    assertClosed(treecast.broadcast(new byte[1]));
    assertThatThrownBy(() -> treecast.subscribe(message -> {}))
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED))
        .hasMessageContaining(agent.address());
    assertThatThrownBy(() -> treecast.watchTree(tree -> {})).isInstanceOf(TreecastException.class);
    assertThatThrownBy(() -> treecast.claims().among("h1").watch("c", holder -> {}))
        .isInstanceOf(TreecastException.class);
    for (CompletableFuture<?> call :
        List.<CompletableFuture<?>>of(
            treecast.broadcast(new byte[1], BroadcastOptions.to(Selector.all())),
            treecast.values("m").put("k", new byte[1]),
            treecast.values("m").get("k"),
            treecast.best("m", Best.MIN).offer(1, new byte[1]),
            treecast.groups().list(),
            treecast.claims().among("h1").acquire("c", Duration.ofSeconds(1)),
            treecast.claims().among("h1").holder("c"),
            treecast.clock().now(),
            treecast.collectives().barrier("b"),
            treecast.members().list(),
            treecast.members().label("load", "1"),
            treecast.requests().requestAll("s", new byte[1], Duration.ofSeconds(1)))) {
      assertClosed(call);
    }
  }

  @Test
  void requests_without_a_reply_fail() {
    CompletableFuture<Map<String, Reply>> replies =
        treecast.requests().requestAll("s", new byte[1], Duration.ofHours(1));
    await().until(() -> !agent.watchers.isEmpty());
    agent.sendTree(WatchTreeTest.tree(1));
    await().until(() -> agent.broadcasts.size() == 1);

    treecast.close();

    assertClosed(replies);
  }

  @Test
  void subscriptions_end() throws Exception {
    Subscription subscription = treecast.subscribe(message -> {});
    Subscription watch = treecast.watchTree(tree -> {});
    subscription.ready().get(60, TimeUnit.SECONDS);

    treecast.close();

    subscription.done().get(60, TimeUnit.SECONDS);
    watch.done().get(60, TimeUnit.SECONDS);
    assertThat(watch.ready()).isCompletedExceptionally();
  }

  @Test
  void subscriptions_that_wait_to_reconnect_end() throws Exception {
    RecordingHandler handler = new RecordingHandler();
    Subscription subscription = treecast.subscribe(handler);
    subscription.ready().get(60, TimeUnit.SECONDS);
    agent.stop();
    await().until(() -> handler.heard.contains("interrupted"));

    treecast.close();

    subscription.done().get(60, TimeUnit.SECONDS);
    assertThat(handler.heard).containsExactly("interrupted");
  }

  @Test
  void it_does_not_wait_for_a_handler_but_done_does() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Subscription subscription =
        treecast.subscribe(
            message -> {
              entered.countDown();
              awaitLatch(release);
            });
    subscription.ready().get(60, TimeUnit.SECONDS);
    agent.sendMessage("h2", 1, "");
    awaitLatch(entered);

    treecast.close();

    await().until(() -> agent.subscriber(0).isCancelled());
    assertThat(subscription.done()).isNotDone();
    release.countDown();
    subscription.done().get(60, TimeUnit.SECONDS);
  }

  @Test
  void a_handler_may_close_the_client() throws Exception {
    Subscription subscription = treecast.subscribe(message -> treecast.close());
    subscription.ready().get(60, TimeUnit.SECONDS);
    agent.sendMessage("h2", 1, "");

    subscription.done().get(60, TimeUnit.SECONDS);
    assertClosed(treecast.broadcast(new byte[1]));
  }

  @Test
  void its_threads_end_also_when_nobody_fetches_from_an_iterator() throws Exception {
    Subscription subscription = treecast.subscribe(message -> {});
    subscription.ready().get(60, TimeUnit.SECONDS);
    var messages = treecast.blocking().subscribe();
    for (int i = 1; i <= 3; i++) {
      agent.sendMessage("h2", i, "");
    }
    assertThat(messages.hasNext()).isTrue();
    assertThat(threadsOfTheClient()).hasSizeBetween(2, 3).allMatch(Thread::isDaemon);

    treecast.close();

    await().untilAsserted(() -> assertThat(threadsOfTheClient()).isEmpty());
    assertThat(subscription.done()).isCompleted();
  }

  @Test
  void it_ends_a_subscription_whose_payload_nobody_reads() throws Exception {
    PayloadInputStream payload = new PayloadInputStream();
    Treecast small = Treecast.builder(agent.address()).maxMessageBytes(1).connect();
    Subscription subscription =
        small.subscribe(
            new MessageHandler() {
              @Override
              public void onMessage(Message message) {}

              @Override
              public PayloadSink onLargeMessage(MessageId id) {
                return payload;
              }
            });
    subscription.ready().get(60, TimeUnit.SECONDS);
    await().until(() -> agent.subscribers.size() == 1);
    agent.sendMessage("h2", 1, "abc");
    assertThat(payload.read()).isEqualTo('a');

    small.close();

    subscription.done().get(60, TimeUnit.SECONDS);
    assertThatThrownBy(payload::read)
        .isInstanceOf(IOException.class)
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED));
  }

  @Test
  void a_large_message_under_way_fails_with_the_close_of_its_subscription() throws Exception {
    CompletableFuture<ByteBuffer> begun = new CompletableFuture<>();
    CompletableFuture<TreecastException> failed = new CompletableFuture<>();
    try (Treecast small = Treecast.builder(agent.address()).maxMessageBytes(1).connect()) {
      Subscription subscription = small.subscribe(largeTo(begun, failed));
      subscription.ready().get(60, TimeUnit.SECONDS);
      await().until(() -> agent.subscribers.size() == 1);
      agent.sendChunk("h2", 1, 0, false, "abc");
      begun.get(60, TimeUnit.SECONDS);

      subscription.close();

      assertThat(failed.get(60, TimeUnit.SECONDS))
          .returns(Reason.INCOMPLETE, TreecastException::reason)
          .hasMessageContainingAll("h2/", "3 bytes");
    }
  }

  @Test
  void a_large_message_under_way_fails_with_the_reason_of_its_subscription() throws Exception {
    CompletableFuture<ByteBuffer> begun = new CompletableFuture<>();
    CompletableFuture<TreecastException> failed = new CompletableFuture<>();
    try (Treecast small = Treecast.builder(agent.address()).maxMessageBytes(1).connect()) {
      small.subscribe(largeTo(begun, failed)).ready().get(60, TimeUnit.SECONDS);
      await().until(() -> agent.subscribers.size() == 1);
      agent.sendChunk("h2", 1, 0, false, "abc");
      agent.sendChunk("h3", 1, 5, true, "not due");

      assertThat(failed.get(60, TimeUnit.SECONDS))
          .returns(Reason.INCOMPLETE, TreecastException::reason)
          .hasMessageContainingAll("h2/", "3 bytes", Reason.PROTOCOL_VIOLATION + ": ");
    }
  }

  private static MessageHandler largeTo(
      CompletableFuture<ByteBuffer> begun, CompletableFuture<TreecastException> failed) {
    return new MessageHandler() {
      @Override
      public void onMessage(Message message) {}

      @Override
      public PayloadSink onLargeMessage(MessageId id) {
        return new PayloadSink() {
          @Override
          public void chunk(ByteBuffer bytes) {
            begun.complete(bytes);
          }

          @Override
          public void complete() {}

          @Override
          public void failed(TreecastException why) {
            failed.complete(why);
          }
        };
      }
    };
  }

  private List<Thread> threadsOfTheClient() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("treecast-"))
        .filter(thread -> thread.getName().endsWith(agent.address()))
        .toList();
  }

  private static void assertClosed(CompletableFuture<?> result) {
    assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED));
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new AssertionError("waited in vain");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
