package io.treecast.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A claim that this client has acquired. The client renews its lease until it is released or lost.
 *
 * <p>A program that stands still, as in a long pause of its garbage collector, may lose the claim
 * between a check of {@link #isHeld} and the next step. So it passes {@link #fence} to the
 * resources that it changes, and these refuse numbers below the highest that they have seen. Safe
 * for use by several threads.
 */
public final class Claim implements AutoCloseable {
  private final HoldCall call;
  private final long fence;

  Claim(HoldCall call, long fence) {
    this.call = call;
    this.fence = fence;
  }

  /** Returns the name of the claim. */
  public String name() {
    return call.name();
  }

  /** Returns the fencing number: higher than that of each earlier holder of this claim. */
  public long fence() {
    return fence;
  }

  /** Returns whether the claim is held now. Once it is not, it never is again. */
  public boolean isHeld() {
    return call.isHeld();
  }

  /** Returns how long the claim is held without another renewal; zero if it is not held. */
  public Duration remaining() {
    return Duration.ofNanos(call.remainingNanos());
  }

  /**
   * Runs an action when the claim is lost, but not when it is released; at once if it is lost
   * already. The action runs on a thread of the client, an eighth of the lease before another
   * caller can get the claim, unless this program stands still then.
   */
  public void onLost(Runnable action) {
    var unused =
        PublicFuture.of(call.lost())
            .thenAccept(
                isLost -> {
                  if (isLost) {
                    action.run();
                  }
                });
  }

  /**
   * Gives the claim up: it is not held when this returns, and another caller may get it.
   *
   * @return completes when the agent knows, or when the lease was over before
   */
  public CompletableFuture<@Nullable Void> release() {
    return PublicFuture.of(call.release());
  }

  /** Gives the claim up, and does not wait. */
  @Override
  public void close() {
    var unused = call.release();
  }

  @Override
  public String toString() {
    return "claim " + name() + " with fence " + fence;
  }
}
