package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callbacks that applications chain to futures. */
@Timeout(120)
class PublicFutureTest {
  private static final int FUTURES = 192;

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
  void callbacks_that_block_do_not_hold_up_other_futures() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    List<CompletableFuture<String>> own = futures();
    List<CompletableFuture<String>> chained = new ArrayList<>();
    for (CompletableFuture<String> future : own) {
      chained.add(
          PublicFuture.of(future)
              .thenApply(
                  value -> {
                    awaitUninterruptibly(release);
                    return value;
                  }));
    }
    CompletableFuture<String> other = new CompletableFuture<>();
    CompletableFuture<String> chainedToOther = PublicFuture.of(other).thenApply(value -> value);
    try {
      complete(own);
      other.complete("done");

      assertThat(chainedToOther.get(60, TimeUnit.SECONDS)).isEqualTo("done");
    } finally {
      release.countDown();
    }
    join(chained);
  }

  @Test
  void callbacks_may_wait_for_other_futures() throws Exception {
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

  @Test
  void the_failure_of_a_derived_future_is_passed_on_without_its_wrapper() {
    IllegalStateException failure = new IllegalStateException("no tree");
    CompletableFuture<String> derived =
        CompletableFuture.<String>failedFuture(failure).thenApply(value -> value);

    assertThat(PublicFuture.of(derived).handle((value, error) -> error).join()).isSameAs(failure);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
