package io.treecast.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.client.Codec;
import io.treecast.client.Treecast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs of a member without an agent. */
@Timeout(120)
class JobsAloneTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Codec<String> TEXT = Codec.utf8();

  private final Treecast client = Treecast.connect("127.0.0.1:1");

  @AfterEach
  void close() {
    client.close();
  }

  private Jobs<String, String> join(Solution solution) {
    Problem<String, String> problem =
        new Problem<>() {
          @Override
          public boolean isSmall(String task, Incumbent best) {
            return true;
          }

          @Override
          public String solve(String task, Incumbent best) throws Exception {
            return solution.of(task);
          }

          @Override
          public List<String> divide(String task) {
            throw new AssertionError(task);
          }

          @Override
          public String combine(String task, List<String> results) {
            throw new AssertionError(task);
          }
        };
    return Jobs.join(client, "alone", problem, TEXT, TEXT, JobOptions.defaults().withWorkers(1));
  }

  private interface Solution {
    String of(String task) throws Exception;
  }

  @Test
  void a_task_that_leaves_its_thread_interrupted_does_not_end_the_worker() {
    try (Jobs<String, String> jobs =
        join(
            task -> {
              Thread.currentThread().interrupt();
              return task + " solved";
            })) {
      assertThat(jobs.run("first")).succeedsWithin(PATIENCE).isEqualTo("first solved");
      assertThat(jobs.run("second")).succeedsWithin(PATIENCE).isEqualTo("second solved");
    }
  }

  @Test
  void a_member_whose_client_is_closed_leaves_its_jobs() {
    CountDownLatch never = new CountDownLatch(1);
    Jobs<String, String> jobs =
        join(
            task -> {
              never.await();
              return task;
            });
    CompletableFuture<String> result = jobs.run("job");

    client.close();

    assertThat(result)
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .havingRootCause()
        .isInstanceOf(JobFailedException.class);
    assertThat(jobs.ready()).isCompletedExceptionally();
    assertThatThrownBy(() -> jobs.run("another")).isInstanceOf(IllegalStateException.class);
    never.countDown();
  }

  @Test
  void each_job_that_runs_when_its_member_leaves_ends() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Jobs<String, String> jobs =
        join(
            task -> {
              never.await();
              return task;
            });
    List<CompletableFuture<String>> results = new ArrayList<>();
    AtomicBoolean isClosed = new AtomicBoolean();
    CountDownLatch running = new CountDownLatch(1);
    Thread application =
        new Thread(
            () -> {
              while (!isClosed.get()) {
                try {
                  results.add(jobs.run("job"));
                } catch (IllegalStateException tooManyOrClosed) {
                  running.countDown();
                }
              }
            });
    application.start();
    assertThat(running.await(60, TimeUnit.SECONDS)).isTrue(); // As many as a member may run.

    jobs.close();
    isClosed.set(true);
    application.join();

    assertThat(CompletableFuture.allOf(results.toArray(new CompletableFuture<?>[0])))
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .havingRootCause()
        .isInstanceOf(JobFailedException.class);
    never.countDown();
  }
}
