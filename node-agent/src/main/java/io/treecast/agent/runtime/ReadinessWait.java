package io.treecast.agent.runtime;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.TreeStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A wait for readiness with a timeout, whose failure states the reason. Stateless. */
final class ReadinessWait {
  private static final long LOOK_SECONDS = 2;

  private ReadinessWait() {}

  static CompletableFuture<@Nullable Void> of(
      String agent,
      CompletableFuture<@Nullable Void> ready,
      Duration atMost,
      Supplier<CompletableFuture<AgentSnapshot>> look) {
    return ready
        .copy()
        .orTimeout(atMost.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionallyCompose(
            failure ->
                failure instanceof TimeoutException
                    ? look.get()
                        .thenApply(ReadinessWait::reason)
                        .completeOnTimeout("it is busy or paused", LOOK_SECONDS, TimeUnit.SECONDS)
                        .thenCompose(
                            reason -> failed(agent + " is not ready after " + atMost, reason))
                    : CompletableFuture.failedFuture(failure));
  }

  private static CompletableFuture<@Nullable Void> failed(String what, String reason) {
    return reason.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(
            new IllegalStateException("agent " + what + ": " + reason));
  }

  /** Returns the reason why the agent is not ready; empty if it is. */
  private static String reason(AgentSnapshot snapshot) {
    TreeStatus tree = snapshot.tree();
    return tree.ready() || snapshot.unansweredSeeds().isEmpty()
        ? tree.reason()
        : tree.reason()
            + "; no agent has answered at seed "
            + String.join(", ", snapshot.unansweredSeeds());
  }
}
