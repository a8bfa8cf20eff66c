package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.treecast.client.TreecastException.Reason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers when the application's executor rejects their tasks. */
class HandlerExecutorTest {
  // A strong reference: a logger without one loses its level.
  private static final Logger QUIET = Logger.getLogger("io.treecast.client");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final RecordingHandler handler = new RecordingHandler();
  private final ThreadPoolExecutor pool =
      new ThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());

  @AfterEach
  void close() {
    pool.shutdownNow();
    agent.close();
  }

  private Treecast connect(Executor executor) {
    return Treecast.builder(agent.address())
        .handlerExecutor(executor)
        .reconnectDelay(Duration.ofHours(1), Duration.ofHours(1))
        .connect();
  }

  /** Waits until the subscription waits to be reopened, so that only closing it ends it. */
  private void loseTheAgent() {
    agent.stop();
    await().until(() -> handler.heard.contains("interrupted") && pool.getActiveCount() == 0);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  @Test
  void rejected_tasks_run_elsewhere_in_order() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    Executor bounded =
        task -> {
          if (full.get()) {
            throw new RejectedExecutionException("full");
          }
          pool.execute(task);
        };
    try (Treecast treecast = connect(bounded)) {
      get(treecast.subscribe(handler).ready());
      await().until(() -> agent.subscribers.size() == 1);
      agent.sendMessage("h2", 1, "before");
      await().until(() -> handler.heard.size() == 1);
      full.set(true);
      agent.sendMessage("h2", 2, "meanwhile");
      await().until(() -> handler.heard.size() == 2);
      full.set(false);
      agent.sendMessage("h2", 3, "after");

      await()
          .untilAsserted(
              () ->
                  assertThat(handler.heard)
                      .containsExactly("h2#1 before", "h2#2 meanwhile", "h2#3 after"));
      assertThat(agent.subscribeRequests).hasSize(1);
    }
  }

  @Test
  void the_thread_of_an_ended_subscription_rejects_no_tasks() throws Exception {
    ExecutorService own = HandlerThread.start("over");
    own.execute(() -> {});
    own.shutdown();
    assertThat(own.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

    own.execute(() -> handler.heard.add("too late"));

    assertThat(handler.heard).isEmpty();
  }

  @Test
  void a_client_ends_also_after_its_executor() throws Exception {
    Treecast treecast = connect(pool);
    Subscription subscription = treecast.subscribe(handler);
    get(subscription.ready());
    loseTheAgent();
    pool.shutdown();
    CompletableFuture<BroadcastResult> waiting = treecast.broadcast(new byte[1]);

    treecast.close();

    get(subscription.done());
    assertClosed(waiting);
  }

  @Test
  void an_executor_that_fails_otherwise_does_not_keep_the_client_from_ending() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    Treecast treecast =
        connect(
            task -> {
              if (broken.get()) {
                throw new IllegalStateException("broken");
              }
              pool.execute(task);
            });
    get(treecast.subscribe(handler).ready());
    loseTheAgent();
    CompletableFuture<BroadcastResult> waiting = treecast.broadcast(new byte[1]);
    broken.set(true);

    assertThatThrownBy(treecast::close).hasMessage("broken");

    assertClosed(waiting);
  }

  private static void assertClosed(CompletableFuture<?> result) {
    assertThatThrownBy(() -> get(result))
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED));
  }
}
