package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.treecast.client.TreecastException.Reason;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Blocking calls while callbacks of applications block all completion threads. */
@Isolated
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockedCompletionsTest {
  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());
  private final Executor completions = PublicFuture.completions;

  @BeforeEach
  void block() {
    PublicFuture.completions = task -> {};
  }

  @AfterEach
  void close() {
    PublicFuture.completions = completions;
    treecast.close();
    agent.close();
  }

  @Test
  void broadcast_returns() {
    assertThat(treecast.blocking().broadcast(new byte[5]).treeVersion()).isEqualTo(5);
  }

  @Test
  void calls_end_at_their_timeout() {
    agent.stop();
    // A call on a connection whose end the client has not seen yet may have been sent.
    await().until(() -> !treecast.isConnected());
    BlockingTreecast blocking = treecast.blocking();
    BroadcastOptions broadcast = BroadcastOptions.defaults().withWait(Duration.ZERO);
    CollectiveOptions operation = CollectiveOptions.defaults().withWait(Duration.ZERO);

    assertReason(() -> blocking.broadcast(new byte[5], broadcast), Reason.AGENT_UNREACHABLE);
    assertReason(
        () -> blocking.upload(new ByteArrayInputStream(new byte[5]), broadcast),
        Reason.AGENT_UNREACHABLE);
    assertReason(
        () -> blocking.collectives().barrier("round 1", operation), Reason.AGENT_UNREACHABLE);
  }

  @Test
  void subscribe_returns_and_its_failure_is_reported() {
    try (EventIterator<Message> messages = treecast.blocking().subscribe()) {
      agent.sendChunk("h2", 2, 5, true, "not due");

      assertReason(messages::hasNext, Reason.PROTOCOL_VIOLATION);
    }
  }

  private static void assertReason(ThrowingCallable call, Reason reason) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
