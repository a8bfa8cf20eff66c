package io.treecast.agent.transport.emulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DelayLineTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private record Entry(long due, int number) {}

  @Test
  void runs_tasks_in_the_order_of_their_times_and_then_of_their_handing_over() {
    for (long seed = 0; seed < 20; seed++) {
      List<Entry> done = Collections.synchronizedList(new ArrayList<>());
      List<Entry> all = new ArrayList<>();
      Random random = new Random(seed);
      try (DelayLine line = new DelayLine()) {
        CountDownLatch handedOver = new CountDownLatch(1);
        line.at(System.nanoTime(), late -> awaitUninterruptibly(handedOver));
        // Some of them are late already: they do not overtake each other either.
        long base = System.nanoTime();
        for (int i = 0; i < 500; i++) {
          Entry entry = new Entry(base + random.nextInt(50) * 100_000L, i);
          all.add(entry);
          line.at(entry.due(), late -> done.add(entry));
        }
        handedOver.countDown();
        await().atMost(PATIENCE).until(() -> done.size() == all.size());
      }
      all.sort(Comparator.comparingLong(Entry::due).thenComparingInt(Entry::number));
      assertThat(done).as("seed %d", seed).isEqualTo(all);
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void runs_nothing_before_its_time() {
    try (DelayLine line = new DelayLine()) {
      List<Long> early = Collections.synchronizedList(new ArrayList<>());
      CountDownLatch last = new CountDownLatch(1);
      long base = System.nanoTime();
      for (int i = 0; i < 200; i++) {
        long due = base + i * 200_000L;
        line.at(due, late -> early.add(System.nanoTime() - due));
      }
      line.at(base + 200 * 200_000L, late -> last.countDown());
      await().atMost(PATIENCE).until(() -> last.getCount() == 0);
      assertThat(early).hasSize(200).allMatch(nanos -> nanos >= 0);
    }
  }

  @Test
  void a_task_is_told_how_late_it_runs() {
    List<Long> late = Collections.synchronizedList(new ArrayList<>());
    try (DelayLine line = new DelayLine()) {
      line.at(System.nanoTime() - 5_000_000, late::add);
      await().atMost(PATIENCE).until(() -> !late.isEmpty());
    }
    assertThat(late.get(0)).isGreaterThanOrEqualTo(5_000_000);
  }

  @Test
  void a_task_that_fails_takes_no_other_with_it() {
    try (DelayLine line = new DelayLine()) {
      CountDownLatch second = new CountDownLatch(1);
      line.at(
          System.nanoTime(),
          late -> {
            throw new IllegalArgumentException("on purpose");
          });
      line.at(System.nanoTime(), late -> second.countDown());
      await().atMost(PATIENCE).until(() -> second.getCount() == 0);
    }
  }

  @Test
  void closing_runs_what_waits_in_order_at_once_and_then_takes_nothing() {
    List<Integer> done = Collections.synchronizedList(new ArrayList<>());
    AtomicReference<Thread> worker = new AtomicReference<>();
    DelayLine line = new DelayLine();
    long farAway = System.nanoTime() + Duration.ofHours(1).toNanos();
    line.at(farAway + 1, late -> done.add(2));
    line.at(farAway, late -> done.add(1));
    line.at(farAway + 2, late -> worker.set(Thread.currentThread()));
    line.close();
    line.at(System.nanoTime(), late -> done.add(3));
    assertThat(done).containsExactly(1, 2);
    assertThat(worker.get()).isNotNull().isNotSameAs(Thread.currentThread());
    assertThat(worker.get().isAlive()).as("its thread has not ended").isFalse();
  }
}
