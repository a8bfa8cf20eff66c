package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BackPressureTest {
  private static final int CHUNK_BYTES = 64 * 1024;
  private static final int CHUNKS = 2000;

  /**
   * The most chunks in flow control between a stalled handler and the agent; its window is 1 MiB.
   */
  private static final int MOST_CHUNKS_IN_FLIGHT = 8 * 1024 * 1024 / CHUNK_BYTES;

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());
  private final AtomicInteger pushed = new AtomicInteger();
  private final AtomicInteger handled = new AtomicInteger();
  private final CountDownLatch stall = new CountDownLatch(1);

  @BeforeEach
  void pushWheneverTheStreamIsReady() {
    ByteString payload = ByteString.copyFrom(new byte[CHUNK_BYTES]);
    agent.onSubscribe(
        subscriber -> {
          ScriptedAgent.confirm(subscriber);
          subscriber.setOnReadyHandler(
              () -> {
                while (subscriber.isReady() && pushed.get() < CHUNKS) {
                  subscriber.onNext(
                      ScriptedAgent.chunk("h2", pushed.incrementAndGet(), 0, true, payload));
                }
              });
        });
  }

  @AfterEach
  void close() {
    stall.countDown();
    treecast.close();
    agent.close();
  }

  @Test
  void a_slow_handler_slows_the_agent_and_loses_nothing() {
    Subscription subscription = treecast.subscribe(this::handleStalled);
    awaitPushedNoMore();

    assertThat(pushed).hasValueLessThan(MOST_CHUNKS_IN_FLIGHT);
    assertThat(handled).hasValue(0);

    stall.countDown();
    await().atMost(Duration.ofSeconds(60)).until(() -> handled.get() == CHUNKS);
    assertThat(subscription.done()).isNotDone();
  }

  @Test
  void a_stalled_handler_holds_up_no_other_call() throws Exception {
    var stalled = treecast.subscribe(this::handleStalled);
    awaitPushedNoMore();

    AtomicInteger others = new AtomicInteger();
    agent.onSubscribe(ScriptedAgent::confirm);
    treecast.subscribe(message -> others.incrementAndGet()).ready().get(60, TimeUnit.SECONDS);
    await().until(() -> agent.subscribers.size() == 2);
    ByteString payload = ByteString.copyFrom(new byte[CHUNK_BYTES]);
    for (int i = 1; i <= 100; i++) {
      agent.subscriber(1).onNext(ScriptedAgent.chunk("h3", i, 0, true, payload));
    }
    await().until(() -> others.get() == 100);
    treecast.broadcast(new byte[CHUNK_BYTES]).get(60, TimeUnit.SECONDS);

    assertThat(handled).hasValue(0);
    assertThat(stalled.done()).isNotDone();
  }

  private void handleStalled(Message message) {
    try {
      stall.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    handled.incrementAndGet();
  }

  /**
   * Waits until the stream has stalled: without back pressure it pushes all chunks without such a
   * pause.
   */
  private void awaitPushedNoMore() {
    await().until(() -> pushed.get() > 0);
    AtomicInteger seen = new AtomicInteger();
    await()
        .during(Duration.ofMillis(500))
        .atMost(Duration.ofSeconds(60))
        .until(() -> seen.getAndSet(pushed.get()) == pushed.get());
  }
}
