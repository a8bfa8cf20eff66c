package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CompletionThreadsTest {
  private final CompletionThreads threads = new CompletionThreads(CompletionThreads.MOST_THREADS);
  private final CompletionThreads one = new CompletionThreads(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final Set<Thread> seen = ConcurrentHashMap.newKeySet();

  @AfterEach
  void release() {
    release.countDown();
  }

  private void block() {
    seen.add(Thread.currentThread());
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void tasks_that_block_get_a_thread_each() {
    int tasks = 320;

    IntStream.range(0, tasks).forEach(i -> threads.execute(this::block));

    await().untilAsserted(() -> assertThat(seen).hasSize(tasks));
    assertThat(seen).allMatch(Thread::isDaemon);
  }

  @Test
  void tasks_beyond_the_most_threads_wait_for_one_to_end() throws Exception {
    CountDownLatch ran = new CountDownLatch(1);
    one.execute(this::block);
    one.execute(ran::countDown);

    assertThat(ran.await(20 * CompletionThreads.PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
    release.countDown();

    assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void tasks_begin_in_the_order_of_their_submission() throws Exception {
    BlockingQueue<Integer> begun = new LinkedBlockingQueue<>();
    one.execute(this::block);
    IntStream.range(0, 5).forEach(i -> one.execute(() -> begun.add(i)));
    release.countDown();

    for (int i : List.of(0, 1, 2, 3, 4)) {
      assertThat(begun.poll(60, TimeUnit.SECONDS)).isEqualTo(i);
    }
  }

  @Test
  void tasks_submitted_together_begin_after_the_action_and_in_order() throws Exception {
    BlockingQueue<String> order = new LinkedBlockingQueue<>();
    one.together(
        () -> {
          IntStream.range(0, 3).forEach(i -> one.execute(() -> order.add("task " + i)));
          order.add("action");
        });

    for (String next : List.of("action", "task 0", "task 1", "task 2")) {
      assertThat(order.poll(60, TimeUnit.SECONDS)).isEqualTo(next);
    }
  }

  @Test
  void tasks_submitted_together_by_an_action_that_fails_run() throws Exception {
    CountDownLatch ran = new CountDownLatch(1);

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                one.together(
                    () -> {
                      one.execute(ran::countDown);
                      throw new IllegalStateException();
                    }));

    assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void tasks_submitted_together_that_block_get_a_thread_each() {
    int tasks = 16;

    threads.together(() -> IntStream.range(0, tasks).forEach(i -> threads.execute(this::block)));

    await().untilAsserted(() -> assertThat(seen).hasSize(tasks));
  }

  @Test
  void threads_that_are_not_needed_end_though_others_are() {
    IntStream.range(0, 64).forEach(i -> threads.execute(this::block));
    await().untilAsserted(() -> assertThat(seen).hasSize(64));
    AtomicInteger tasks = new AtomicInteger();
    release.countDown();

    // A thread ends after a second without a task, and a task is submitted every tenth of a second.
    await()
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              threads.execute(tasks::incrementAndGet);
              assertThat(seen.stream().filter(Thread::isAlive)).hasSizeLessThan(5);
            });
    assertThat(tasks).hasPositiveValue();
  }

  @Test
  void an_exception_or_interrupt_of_a_task_does_not_reach_the_next_one() throws Exception {
    BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
    BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
    one.execute(this::block);
    one.execute(
        () -> {
          Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> thrown.add(error));
          Thread.currentThread().interrupt();
          throw new AssertionError("thrown");
        });
    one.execute(() -> interrupted.add(Thread.currentThread().isInterrupted()));
    release.countDown();

    assertThat(thrown.poll(60, TimeUnit.SECONDS)).hasMessage("thrown");
    assertThat(interrupted.poll(60, TimeUnit.SECONDS)).isFalse();
  }
}
