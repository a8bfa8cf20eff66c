package io.treecast.agent.runtime.server;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures for how long one subscriber has taken nothing although events wait for it, and reports
 * it. Times are the loop's. For the loop's thread.
 */
public final class SlowReader {
  /** A subscriber that keeps publishers waiting for this long is reported. */
  static final long STALLED_NANOS = 30_000_000_000L;

  /** A subscriber that ends without taking waiting events is reported if that lasted this long. */
  static final long GONE_NANOS = 5_000_000_000L;

  private static final long NEVER = Long.MAX_VALUE;

  private final String name;
  private boolean keepsPublishersWaiting;
  private long waitingSinceNanos = NEVER;
  private boolean told;

  /**
   * Creates a reader without waiting events.
   *
   * @param name of it, for people
   * @param keepsPublishersWaiting whether publishers wait until it has taken its events
   */
  public SlowReader(String name, boolean keepsPublishersWaiting) {
    this.name = name;
    this.keepsPublishersWaiting = keepsPublishersWaiting;
  }

  /** Notes that events wait and there is no room for them. */
  public void waits(long nowNanos) {
    waitingSinceNanos = Math.min(waitingSinceNanos, nowNanos);
  }

  /** Notes that it has taken its events; returns the report, if there is one. */
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

  /** Returns when {@link #look} may have a report; {@link Long#MAX_VALUE} if never. */
  public long nextLookNanos() {
    return told || !keepsPublishersWaiting || waitingSinceNanos == NEVER
        ? NEVER
        : waitingSinceNanos + STALLED_NANOS;
  }

  /** Returns once the report that it keeps publishers waiting; null while there is none. */
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

  /** Returns the report that publishers do not wait for it any more. */
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

  /**
   * Returns the report of a call that ended by neither its own nor this agent's wish; null if all
   * is well.
   */
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
