package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.treecast.client.TreecastException.Reason;
import io.treecast.tls.TestAuthority;
import io.treecast.tls.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Reports on a subscription that is not in place, or does not resume. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class AbsentStreamTest {
  // A strong reference: a logger without one loses its level.
  private static final Logger QUIET = Logger.getLogger("io.treecast.client");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private final ScriptedAgent agent = ScriptedAgent.stopped();
  private final RecordingHandler handler = new RecordingHandler();

  @AfterEach
  void close() {
    agent.close();
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  private static void until(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).until(condition);
  }

  /**
   * Waits for a report with the reason, the agent, and the cause that the system or agent names,
   * after a number of earlier reports. Others may come before it: on a busy machine the reason
   * becomes known later than the first report.
   */
  private void assertReported(int earlier, Reason reason, String cause) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(handler.absences.stream().skip(earlier))
                    .anySatisfy(
                        report ->
                            assertThat(report)
                                .returns(reason, TreecastException::reason)
                                .hasMessageContaining(agent.address())
                                .hasMessageContaining(cause)));
  }

  @Test
  void the_reason_of_an_absence_is_reported_after_each_interruption() throws Exception {
    agent.start();
    try (Treecast treecast = Treecast.connect(agent.address())) {
      get(treecast.subscribe(handler).ready());
      agent.stop();
      assertReported(0, Reason.AGENT_UNREACHABLE, "Connection refused");
      assertThat(handler.heard).containsExactly("interrupted");

      agent.start();
      until(() -> handler.heard.contains("resumed"));
      agent.stop();
      assertReported(1, Reason.AGENT_UNREACHABLE, "Connection refused");
    }
  }

  @Test
  void another_reason_is_reported_without_another_interruption() throws Exception {
    agent.start();
    try (Treecast treecast = Treecast.connect(agent.address())) {
      get(treecast.subscribe(handler).ready());
      agent.onSubscribe(subscriber -> {}); // Like an agent without a tree.
      agent.stop();
      assertReported(0, Reason.AGENT_UNREACHABLE, "Connection refused");

      agent.start();

      assertReported(1, Reason.NO_TREE, "");
    }
  }

  @Test
  void an_agent_that_is_never_there_is_reported_too() {
    try (Treecast treecast = Treecast.connect(agent.address())) {
      treecast.subscribe(handler);

      assertReported(0, Reason.AGENT_UNREACHABLE, "Connection refused");
      assertThat(handler.heard).isEmpty();
    }
  }

  @Test
  void an_agent_that_ends_each_call_is_quoted_also_while_the_next_call_is_under_way() {
    Executor later = CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS);
    agent.onSubscribe(
        subscriber ->
            later.execute(
                () ->
                    subscriber.onError(
                        Status.UNAVAILABLE
                            .withDescription("text-of-the-agent")
                            .asRuntimeException())));
    agent.start();
    try (Treecast treecast =
        Treecast.builder(agent.address())
            .reconnectDelay(Duration.ofMillis(1), Duration.ofMillis(1))
            .connect()) {
      treecast.subscribe(handler);

      assertReported(0, Reason.AGENT_UNREACHABLE, "text-of-the-agent");
    }
  }

  @Test
  void a_certificate_that_the_agent_no_longer_accepts_is_reported(@TempDir Path directory)
      throws Exception {
    TestAuthority authority = new TestAuthority();
    Path application = authority.application(directory.resolve("application"));
    Path other = Files.createDirectory(directory.resolve("other"));
    Path others = new TestAuthority().agent("h1", other.resolve("h1"));
    agent.secureBy(authority.agent("h1", directory.resolve("h1")));
    agent.start();
    try (Treecast treecast = Treecast.builder(agent.address()).tls(application).connect()) {
      get(treecast.subscribe(handler).ready());
      agent.stop();
      agent.secureBy(others);
      agent.start();

      assertReported(0, Reason.AGENT_UNREACHABLE, TlsFiles.TRUSTED);
    }
  }

  @Test
  void a_listener_that_throws_ends_its_subscription() throws Exception {
    agent.start();
    AtomicInteger ended = new AtomicInteger();
    RuntimeException enough = new IllegalStateException();
    try (Treecast treecast =
        Treecast.builder(agent.address())
            // No call is under way when the handler throws.
            .reconnectDelay(Duration.ofHours(1), Duration.ofHours(1))
            .connect()) {
      Subscription subscription =
          treecast.subscribe(
              new MessageHandler() {
                @Override
                public void onMessage(Message message) {}

                @Override
                public void onUnavailable(TreecastException why) {
                  throw enough;
                }
              });
      get(subscription.ready());
      var unused = subscription.done().whenComplete((done, error) -> ended.incrementAndGet());
      agent.stop();

      assertThatThrownBy(() -> get(subscription.done()))
          .cause()
          .isInstanceOfSatisfying(
              TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.HANDLER_FAILED))
          .cause()
          .isSameAs(enough);
      subscription.close();
      until(() -> ended.get() == 1);
    }
  }
}
