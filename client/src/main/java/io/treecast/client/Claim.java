package io.treecast.client;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A claim that this client has acquired. The client renews its lease until the claim is released or
 * lost.
 *
 * <p>A program that pauses, for example for a long garbage collection, may lose the claim between a
 * check of {@link #isHeld} and its next step. So it passes {@link #fence} to the resources that it
 * changes, and these reject numbers below the highest that they have received. Safe for use by
 * several threads.
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

  /** Returns the fencing number: higher than those of all earlier holders of this claim. */
  public long fence() {
    return fence;
  }

  /** Returns whether the claim is held now. Once lost or released, it is never held again. */
  public boolean isHeld() {
    return call.isHeld();
  }

  /**
   * Returns the time for which the claim is held without another renewal; zero if it is not held.
   */
  public Duration remaining() {
    return Duration.ofNanos(call.remainingNanos());
  }

  /**
   * Runs an action when the claim is lost, but not when it is released; at once if it is lost
   * already. The action runs on a thread of the client, an eighth of the lease before another
   * caller can acquire the claim, unless this program is paused at that time. An exception of the
   * action is logged.
   */
  public void onLost(Runnable action) {
    var unused =
        PublicFuture.of(call.lost())
            .thenAccept(
                isLost -> {
                  if (isLost) {
                    run(action);
                  }
                });
  }

  private void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      ReconnectingStream.LOG.log(
          Level.ERROR, "the action for the loss of claim '" + name() + "' has failed", e);
    }
  }

  /**
   * Releases the claim: it is not held when this returns, and another caller may acquire it.
   *
   * @return completes when the agent has released the claim, or the lease has ended
   */
  public CompletableFuture<@Nullable Void> release() {
    return PublicFuture.of(call.release());
  }

  /** Releases the claim, and does not wait. */
  @Override
  public void close() {
    var unused = call.release();
  }

  @Override
  public String toString() {
    return "claim " + name() + " with fence " + fence;
  }
}
