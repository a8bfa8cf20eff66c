package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.proto.v1.AcquireClaim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Code of an application that fails when the holder of a claim changes. */
@Isolated("it reads the log, which other tests turn off")
@Timeout(120)
class ClaimCallbacksTest {
  private static final Logger LOGGER = Logger.getLogger("io.treecast.client");
  private static final Duration LEASE = Duration.ofSeconds(1);

  private final AgentConnection connection =
      new AgentConnection(
          new ClientSettings(
              AgentAddresses.parse("127.0.0.1:1"),
              Duration.ZERO,
              1,
              1,
              1,
              1,
              Duration.ofMillis(1),
              Duration.ofMillis(10),
              null,
              ConnectionSecurity.NONE));

  private final List<Throwable> logged = new CopyOnWriteArrayList<>();

  private final Handler recording =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (line.getLevel().equals(Level.SEVERE) && line.getThrown() != null) {
            logged.add(line.getThrown());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private final @Nullable Level levelBefore = LOGGER.getLevel();

  @BeforeEach
  void listen() {
    LOGGER.setLevel(Level.ALL);
    LOGGER.addHandler(recording);
  }

  @AfterEach
  void close() {
    LOGGER.removeHandler(recording);
    LOGGER.setLevel(levelBefore);
    connection.close();
  }

  @Test
  void a_failure_of_the_action_for_a_loss_is_logged() {
    HoldCall call =
        new HoldCall(
            connection,
            AcquireClaim.getDefaultInstance(),
            LEASE,
            LEASE,
            connection.newBackoff(),
            over -> {});
    RuntimeException failure = new IllegalStateException("cannot stop");
    new Claim(call, 1)
        .onLost(
            () -> {
              throw failure;
            });

    call.lost().complete(true);

    await().untilAsserted(() -> assertThat(logged).containsExactly(failure));
  }

  @Test
  void a_watch_goes_on_after_a_failure_of_its_handler_which_is_logged() {
    AtomicLong fence = new AtomicLong();
    RuntimeException failure = new IllegalStateException("cannot take note");
    ClaimWatch watch =
        new ClaimWatch(
            connection,
            () ->
                CompletableFuture.completedFuture(
                    new ClaimHolder("h1", fence.incrementAndGet(), LEASE, 0)),
            holder -> {
              throw failure;
            });

    watch.ask();

    await().untilAsserted(() -> assertThat(logged).startsWith(failure, failure));
    watch.close();
  }
}
