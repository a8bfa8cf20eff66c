package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {
  private final List<String> run = new ArrayList<>();

  @Test
  void several_threads_run_the_tasks_in_order_and_never_two_at_a_time() {
    ExecutorService pool = Executors.newFixedThreadPool(4, HandlerThread.factory("pool"));
    List<Integer> order = new CopyOnWriteArrayList<>();
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try {
      SerialExecutor executor = new SerialExecutor(pool);
      for (int i = 0; i < 1_000; i++) {
        int number = i;
        executor.execute(
            () -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              order.add(number);
              running.decrementAndGet();
            });
      }
      await().until(() -> order.size() == 1_000);
    } finally {
      pool.shutdown();
    }
    assertThat(order).isEqualTo(IntStream.range(0, 1_000).boxed().toList());
    assertThat(most).hasValue(1);
  }

  @Test
  void a_task_is_handed_over_when_the_previous_one_has_returned_or_thrown() {
    Queue<Runnable> handedOver = new ArrayDeque<>();
    SerialExecutor executor = new SerialExecutor(handedOver::add);
    executor.execute(
        () -> {
          throw new IllegalStateException("odd");
        });
    executor.execute(() -> run.add("second"));
    assertThat(handedOver).hasSize(1);

    assertThatThrownBy(() -> handedOver.remove().run()).hasMessage("odd");

    handedOver.remove().run();
    assertThat(run).containsExactly("second");
    assertThat(handedOver).isEmpty();
  }

  @Test
  void a_rejected_task_is_not_run_and_later_tasks_are() {
    AtomicBoolean full = new AtomicBoolean(true);
    SerialExecutor executor =
        new SerialExecutor(
            task -> {
              if (full.get()) {
                throw new RejectedExecutionException("full");
              }
              task.run();
            });
    assertThatThrownBy(() -> executor.execute(() -> run.add("rejected"))).hasMessage("full");
    full.set(false);

    executor.execute(() -> run.add("later"));

    assertThat(run).containsExactly("later");
  }
}
