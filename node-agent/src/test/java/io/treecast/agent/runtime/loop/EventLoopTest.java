package io.treecast.agent.runtime.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class EventLoopTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final long MAX_BYTES = 100;

  private final AtomicLong deadlineNanos = new AtomicLong(Long.MAX_VALUE);
  private final List<Long> ticks = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger failures = new AtomicInteger();
  private final EventLoop loop =
      new EventLoop(
          "treecast-test-loop",
          MAX_BYTES,
          new EventLoop.Timers() {
            @Override
            public long nextDeadlineNanos() {
              return deadlineNanos.get();
            }

            @Override
            public void tick(long nowNanos) {
              ticks.add(nowNanos);
              deadlineNanos.set(Long.MAX_VALUE);
            }
          },
          failures::incrementAndGet);

  @Test
  void runs_tasks_in_order_on_one_thread() {
    List<Integer> done = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 100; i++) {
      int number = i;
      loop.execute(() -> done.add(number));
    }
    loop.start();
    await().atMost(PATIENCE).until(() -> done.size() == 100);
    assertThat(done).isSorted();
    loop.stop();
  }

  @Test
  void ticks_when_the_deadline_has_come_and_not_before() {
    loop.start();
    long due = loop.nowNanos() + 20_000_000;
    loop.execute(() -> deadlineNanos.set(due));
    await().atMost(PATIENCE).until(() -> ticks.size() == 1);
    assertThat(ticks.get(0)).isGreaterThanOrEqualTo(due);
    loop.stop();
  }

  @Test
  void checks_the_timers_once_for_tasks_that_wait_together() {
    AtomicInteger checks = new AtomicInteger();
    int waiting = 10 * EventLoop.BATCH_TASKS;
    run(waiting, () -> 0, checks);
    assertThat(checks.get()).isBetween(10, waiting / 4);
  }

  @Test
  void timers_wait_for_no_more_tasks_than_take_a_millisecond() {
    AtomicInteger checks = new AtomicInteger();
    AtomicLong nanos = new AtomicLong();
    int waiting = 50;
    run(waiting, () -> nanos.addAndGet(EventLoop.BATCH_NANOS), checks);
    assertThat(checks.get()).isGreaterThanOrEqualTo(waiting);
  }

  /** Runs tasks that were queued before; each reads the clock once at least. */
  private static void run(int waiting, LongSupplier clock, AtomicInteger checks) {
    EventLoop busy =
        new EventLoop(
            "treecast-test-busy",
            MAX_BYTES,
            new EventLoop.Timers() {
              @Override
              public long nextDeadlineNanos() {
                checks.incrementAndGet();
                return Long.MAX_VALUE;
              }

              @Override
              public void tick(long nowNanos) {}
            },
            () -> {},
            clock);
    CountDownLatch done = new CountDownLatch(waiting);
    for (int i = 0; i < waiting; i++) {
      busy.execute(done::countDown);
    }
    busy.start();
    await().atMost(PATIENCE).until(() -> done.getCount() == 0);
    busy.stop();
  }

  @Test
  void a_pause_takes_effect_between_tasks_that_wait_together() {
    List<Integer> done = Collections.synchronizedList(new ArrayList<>());
    loop.execute(() -> done.add(1));
    loop.execute(loop::pause);
    loop.execute(() -> done.add(2));
    loop.start();
    await().atMost(PATIENCE).until(() -> done.contains(1) && loop.isPaused());
    assertThat(done).containsExactly(1);
    loop.resume();
    await().atMost(PATIENCE).until(() -> done.contains(2));
    loop.stop();
  }

  @Test
  void an_offer_is_taken_or_refused_even_if_the_loop_stops_meanwhile() {
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    loop.start();
    CountDownLatch started = new CountDownLatch(1000);
    Thread offering =
        new Thread(
            () -> {
              for (int i = 0; i < 20_000; i++) {
                loop.offer(taken::incrementAndGet, refused::incrementAndGet);
                started.countDown();
              }
            });
    offering.start();
    await().atMost(PATIENCE).until(() -> started.getCount() == 0);
    loop.stop();
    await().atMost(PATIENCE).until(() -> taken.get() + refused.get() == 20_000);
    assertThat(loop.isRunning()).isFalse();
    loop.offer(taken::incrementAndGet, refused::incrementAndGet);
    assertThat(taken.get() + refused.get()).isEqualTo(20_001);
  }

  @Test
  void more_offers_than_the_limit_are_refused() {
    AtomicInteger refused = new AtomicInteger();
    for (int i = 0; i < EventLoop.MAX_OFFERED_TASKS; i++) {
      loop.offer(() -> {}, refused::incrementAndGet);
    }
    assertThat(refused).hasValue(0);
    loop.offer(() -> {}, refused::incrementAndGet);
    assertThat(refused).hasValue(1);
  }

  @Test
  void the_agents_own_tasks_take_no_room_of_offers() {
    AtomicInteger refused = new AtomicInteger();
    for (int i = 0; i < EventLoop.MAX_OFFERED_TASKS; i++) {
      loop.execute(() -> {});
    }
    loop.offer(() -> {}, refused::incrementAndGet);
    assertThat(refused).hasValue(0);
  }

  @Test
  void more_bytes_than_the_limit_are_refused_until_those_before_have_been_dealt_with() {
    List<String> done = Collections.synchronizedList(new ArrayList<>());
    for (int bytes : new int[] {60, 50, 40, 1, 0}) {
      loop.offer(bytes, () -> done.add("done " + bytes), () -> done.add("refused " + bytes));
    }
    assertThat(done).containsExactly("refused 50", "refused 1");
    done.clear();

    loop.start();
    await().atMost(PATIENCE).until(() -> done.size() == 3);
    assertThat(done).containsExactly("done 60", "done 40", "done 0");

    CountDownLatch empty = new CountDownLatch(1);
    loop.execute(empty::countDown);
    await().atMost(PATIENCE).until(() -> empty.getCount() == 0);
    loop.offer(1_000, () -> done.add("done alone"), () -> done.add("refused alone"));
    await().atMost(PATIENCE).until(() -> done.contains("done alone"));
    loop.stop();
  }

  @Test
  void a_task_that_fails_stops_the_loop_is_reported_and_refuses_what_waits() {
    AtomicInteger refused = new AtomicInteger();
    loop.execute(
        () -> {
          throw new IllegalStateException("on purpose");
        });
    loop.offer(() -> {}, refused::incrementAndGet);
    loop.start();
    await().atMost(PATIENCE).until(() -> failures.get() == 1 && refused.get() == 1);
    assertThat(loop.isRunning()).isFalse();
  }
}
