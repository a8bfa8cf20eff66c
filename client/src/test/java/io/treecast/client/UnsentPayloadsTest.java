package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.client.TreecastException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Payloads that wait for the members of the tree before they are sent. */
@Timeout(120)
class UnsentPayloadsTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofMillis(10);
  private static final byte[] HALF = new byte[5_000];

  private final ScriptedAgent absent = ScriptedAgent.stopped();
  private final Treecast treecast =
      Treecast.builder(absent.address()).maxPendingBytes(10_000).connect();

  @AfterEach
  void close() {
    treecast.close();
    absent.close();
  }

  /** Each kind of call that learns the members first. */
  private List<Function<Duration, CompletableFuture<?>>> calls() {
    return List.of(
        wait -> treecast.broadcast(HALF, BroadcastOptions.to(Selector.all()).withWait(wait)),
        wait -> treecast.requests().requestAll("s", HALF, wait),
        wait -> treecast.requests().requestEach(Selector.all(), "s", HALF, wait));
  }

  private static void assertFails(CompletableFuture<?> result, Reason reason) {
    assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void they_wait_only_as_far_as_the_client_has_room() {
    CompletableFuture<?> first = treecast.broadcast(HALF, LONG);

    calls().forEach(call -> assertFails(call.apply(LONG), Reason.BUFFER_FULL));

    assertThat(first).isNotDone();
  }

  @Test
  void they_take_the_room_of_broadcasts() {
    CompletableFuture<?> first = calls().get(1).apply(LONG);

    assertFails(treecast.broadcast(HALF, LONG), Reason.BUFFER_FULL);

    assertThat(first).isNotDone();
  }

  @Test
  void a_call_without_a_tree_in_time_fails_with_a_reason_and_makes_room() {
    for (Function<Duration, CompletableFuture<?>> call : calls()) {
      assertFails(call.apply(SHORT), Reason.AGENT_UNREACHABLE);
    }
    assertThat(treecast.broadcast(HALF, LONG)).isNotDone();
  }
}
