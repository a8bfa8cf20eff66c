package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What applications chain to futures. */
@Timeout(120)
class PublicFutureTest {
  private static final int FUTURES = 3 * PublicFuture.THREADS;

  private static List<CompletableFuture<String>> futures() {
    return Stream.generate(CompletableFuture<String>::new).limit(FUTURES).toList();
  }

  private static void complete(List<CompletableFuture<String>> futures) {
    futures.forEach(future -> future.complete("done"));
  }

  private static void join(List<CompletableFuture<String>> futures) throws Exception {
    for (CompletableFuture<String> future : futures) {
      assertThat(future.get(60, TimeUnit.SECONDS)).isEqualTo("done");
    }
  }

  @Test
  void manyThatEndAtOnceNeedNoThreadEach() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    List<CompletableFuture<String>> own = futures();
    List<CompletableFuture<String>> chained = new ArrayList<>();
    for (CompletableFuture<String> future : own) {
      chained.add(
          PublicFuture.of(future)
              .thenApply(
                  value -> {
                    running.incrementAndGet();
                    awaitUninterruptibly(release);
                    return value;
                  }));
    }
    try {
      complete(own);

      await().until(() -> running.get() >= PublicFuture.THREADS);
      await()
          .during(Duration.ofMillis(300))
          .untilAsserted(() -> assertThat(running).hasValue(PublicFuture.THREADS));
    } finally {
      release.countDown();
    }
    join(chained);
  }

  @Test
  void whatIsChainedToThemMayWaitForOthersOfThem() throws Exception {
    List<CompletableFuture<String>> first = futures();
    List<CompletableFuture<String>> second = futures();
    CountDownLatch entered = new CountDownLatch(FUTURES);
    List<CompletableFuture<String>> chained = new ArrayList<>();
    for (int i = 0; i < FUTURES; i++) {
      CompletableFuture<String> other = PublicFuture.of(second.get(i));
      chained.add(
          PublicFuture.of(first.get(i))
              .thenApply(
                  value -> {
                    entered.countDown();
                    return other.join();
                  }));
    }

    complete(first);
    assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
    complete(second);

    join(chained);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
