package io.treecast.agent.runtime.server;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * For how long one subscriber has taken nothing though something waits for it, and what is said of
 * that. Times are the loop's.
 */
public final class SlowReader {
  /** One that keeps publishers waiting for so long is told of. */
  static final long STALLED_NANOS = 30_000_000_000L;

  /** One that has gone without taking what waited is told of if that lasted for so long. */
  static final long GONE_NANOS = 5_000_000_000L;

  private static final long NEVER = Long.MAX_VALUE;

  private final String name;
  private boolean keepsPublishersWaiting;
  private long waitingSinceNanos = NEVER;
  private boolean told;

  /**
   * A subscriber that nothing waits for yet.
   *
   * @param name of it, for a person
   * @param keepsPublishersWaiting whether others wait until it has taken what there is for it
   */
  public SlowReader(String name, boolean keepsPublishersWaiting) {
    this.name = name;
    this.keepsPublishersWaiting = keepsPublishersWaiting;
  }

  /** There is something for it, and no room on the way. */
  public void waits(long nowNanos) {
    waitingSinceNanos = Math.min(waitingSinceNanos, nowNanos);
  }

  /** It has taken what there was; gives what is to be said of that. */
  @Nullable
  public Notice takes(long nowNanos) {
    boolean wasTold = told;
    long seconds = waitedSeconds(nowNanos);
    waitingSinceNanos = NEVER;
    told = false;
    return wasTold
        ? Notice.info(Kind.SUBSCRIBER_SLOW, name + " takes messages again, after " + seconds + " s")
        : null;
  }

  /** Returns when {@link #look} may have something to say; {@link Long#MAX_VALUE} if never. */
  public long nextLookNanos() {
    return told || !keepsPublishersWaiting || waitingSinceNanos == NEVER
        ? NEVER
        : waitingSinceNanos + STALLED_NANOS;
  }

  /** Says once that it keeps publishers waiting; null while there is nothing to say. */
  @Nullable
  public Notice look(long nowNanos) {
    if (nowNanos < nextLookNanos()) {
      return null;
    }
    told = true;
    return Notice.warning(
        Kind.SUBSCRIBER_SLOW,
        name
            + " has taken nothing for "
            + waitedSeconds(nowNanos)
            + " s, and publishers wait for it: see whether it hangs, or let it subscribe so that"
            + " nobody waits for it (--when-slow gap or catch-up)");
  }

  /** Publishers do not wait for it any more: says so. */
  public Notice fellBehind(long nowNanos) {
    keepsPublishersWaiting = false;
    return Notice.warning(
        Kind.SUBSCRIBER_SLOW,
        name
            + " has taken nothing for "
            + waitedSeconds(nowNanos)
            + " s, and publishers wait for it no longer (limits.slowSubscriberMillis): it gets what"
            + " the log retains, and is told what it misses; see whether it hangs");
  }

  /** Its call is over, and not by its own wish or this agent's; null if all is well. */
  @Nullable
  public Notice gone(long nowNanos) {
    return waitingSinceNanos == NEVER || nowNanos - waitingSinceNanos < GONE_NANOS
        ? null
        : Notice.warning(
            Kind.SUBSCRIBER_SLOW,
            name
                + " is gone, after it had taken nothing for "
                + waitedSeconds(nowNanos)
                + " s: its connection was given up or it ended");
  }

  private long waitedSeconds(long nowNanos) {
    return waitingSinceNanos == NEVER
        ? 0
        : TimeUnit.NANOSECONDS.toSeconds(nowNanos - waitingSinceNanos);
  }
}
