package io.treecast.agent.runtime.server;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Kind;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures and reports the time for which a subscriber has consumed nothing although events wait
 * for it. Times are the loop's. For the loop's thread.
 */
public final class SlowReader {
  /** The time after which a subscriber that keeps publishers waiting is reported. */
  static final long STALLED_NANOS = 30_000_000_000L;

  /** The time after which a subscriber that ends with waiting events is reported. */
  static final long GONE_NANOS = 5_000_000_000L;

  private static final long NEVER = Long.MAX_VALUE;

  private final String name;
  private boolean keepsPublishersWaiting;
  private long waitingSinceNanos = NEVER;
  private boolean reported;

  /**
   * Creates a reader without waiting events.
   *
   * @param name the subscriber's name, for people
   * @param keepsPublishersWaiting whether publishers wait until the subscriber has consumed its
   *     events
   */
  public SlowReader(String name, boolean keepsPublishersWaiting) {
    this.name = name;
    this.keepsPublishersWaiting = keepsPublishersWaiting;
  }

  /** Notes that events wait because the stream has no room. */
  public void waits(long nowNanos) {
    waitingSinceNanos = Math.min(waitingSinceNanos, nowNanos);
  }

  /** Notes that the subscriber has consumed its events; returns the report, if there is one. */
  @Nullable
  public Notice takes(long nowNanos) {
    boolean wasReported = reported;
    long seconds = waitedSeconds(nowNanos);
    waitingSinceNanos = NEVER;
    reported = false;
    return wasReported
        ? Notice.info(Kind.SUBSCRIBER_SLOW, name + " takes messages again, after " + seconds + " s")
        : null;
  }

  /** Returns the time at which {@link #look} may have a report; {@link Long#MAX_VALUE} if never. */
  public long nextLookNanos() {
    return reported || !keepsPublishersWaiting || waitingSinceNanos == NEVER
        ? NEVER
        : waitingSinceNanos + STALLED_NANOS;
  }

  /**
   * Returns the report that the subscriber keeps publishers waiting, once; null if there is none.
   */
  @Nullable
  public Notice look(long nowNanos) {
    if (nowNanos < nextLookNanos()) {
      return null;
    }
    reported = true;
    return Notice.warning(
        Kind.SUBSCRIBER_SLOW,
        name
            + " has read nothing for "
            + waitedSeconds(nowNanos)
            + " s, and publishers wait for it: check whether it hangs, or subscribe so that"
            + " nobody waits for it (--when-slow gap or catch-up)");
  }

  /** Returns the report that publishers no longer wait for the subscriber. */
  public Notice fellBehind(long nowNanos) {
    keepsPublishersWaiting = false;
    return Notice.warning(
        Kind.SUBSCRIBER_SLOW,
        name
            + " has read nothing for "
            + waitedSeconds(nowNanos)
            + " s, and publishers wait for it no longer (limits.slowSubscriberMillis): it gets what"
            + " the log retains, and a notice of each gap; check whether it hangs");
  }

  /**
   * Returns the report of a call that ended without the subscriber or this agent closing it; null
   * if there is nothing to report.
   */
  @Nullable
  public Notice gone(long nowNanos) {
    return waitingSinceNanos == NEVER || nowNanos - waitingSinceNanos < GONE_NANOS
        ? null
        : Notice.warning(
            Kind.SUBSCRIBER_SLOW,
            name
                + " has ended, after it had read nothing for "
                + waitedSeconds(nowNanos)
                + " s: its connection was lost or it ended");
  }

  private long waitedSeconds(long nowNanos) {
    return waitingSinceNanos == NEVER
        ? 0
        : TimeUnit.NANOSECONDS.toSeconds(nowNanos - waitingSinceNanos);
  }
}
