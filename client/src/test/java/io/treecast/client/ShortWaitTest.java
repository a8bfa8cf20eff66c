package io.treecast.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.CollectiveValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Calls with very short waits. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class ShortWaitTest {
  private static final BroadcastOptions AT_ONCE =
      BroadcastOptions.defaults().withWait(Duration.ZERO);
  private static final CollectiveOptions NOW = CollectiveOptions.defaults().withWait(Duration.ZERO);

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  private static ByteArrayInputStream payload() {
    return new ByteArrayInputStream("now".getBytes(UTF_8));
  }

  private static void assertFails(CompletableFuture<?> result, String... values) {
    assertThatThrownBy(() -> get(result))
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.AGENT_UNREACHABLE))
        .hasMessageContainingAll(values)
        .hasMessageNotContaining("refused");
  }

  @Test
  void the_failure_after_a_short_wait_reports_that_the_connection_was_opening() throws IOException {
    // The system accepts and no process answers: the connection is neither established nor refused.
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Treecast treecast = Treecast.connect("127.0.0.1:" + silent.getLocalPort())) {
      String agent = "127.0.0.1:" + silent.getLocalPort();

      assertFails(treecast.broadcast(new byte[1], AT_ONCE), agent, "0 ms");
      assertFails(treecast.upload(payload(), AT_ONCE), agent, "0 ms");
      assertFails(treecast.collectives().barrier("round 1", NOW), agent, "0 ms", "'round 1'");
    }
  }

  @Test
  void no_wait_is_too_short_while_there_is_a_connection() throws Exception {
    try (ScriptedAgent agent = ScriptedAgent.running()) {
      for (int i = 0; i < 20; i++) { // Each is the first of its kind on its connection.
        try (Treecast treecast = Treecast.connect(agent.address())) {
          get(treecast.subscribe(message -> {}).ready());
          int operations = agent.outcomes.size();
          int uploads = agent.uploads.size();

          get(treecast.broadcast(new byte[1], AT_ONCE));
          var upload = treecast.upload(payload(), AT_ONCE);
          CompletableFuture<?> barrier = treecast.collectives().barrier("round " + i, NOW);

          await().until(() -> agent.uploads.size() > uploads);
          assertThat(upload).isNotDone();
          await().until(() -> agent.outcomes.size() > operations);
          var outcome = agent.outcomes.get(operations);
          outcome.onNext(CollectivesTest.completed(CollectiveValue.getDefaultInstance()));
          outcome.onCompleted();
          get(barrier);
        }
      }
    }
  }

  @Test
  void the_failure_of_a_full_connection_does_not_report_a_missing_connection() throws Exception {
    try (ScriptedAgent strict = ScriptedAgent.running(1);
        Treecast treecast = Treecast.connect(strict.address())) {
      get(treecast.subscribe(message -> {}).ready()); // The only call of the connection.
      CompletableFuture<?> broadcast = treecast.broadcast(new byte[1], AT_ONCE);
      CompletableFuture<?> upload = treecast.upload(payload(), AT_ONCE);
      CompletableFuture<?> barrier = treecast.collectives().barrier("round 1", NOW);

      // A missing connection would be reported after the wait, which is 0 ms.
      assertFails(broadcast, strict.address(), "5000 ms");
      assertFails(upload, strict.address(), "5000 ms");
      assertThatThrownBy(() -> get(barrier)).hasMessageContainingAll(strict.address(), "5000 ms");
    }
  }
}
