package io.treecast.agent.core;

import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.link.Lateness;
import java.util.concurrent.TimeUnit;

/**
 * Notices when an agent did not run for a while: when its driver comes much later than scheduled.
 */
final class Standstill {
  /** An agent that comes later than scheduled by this did not run meanwhile. */
  static final long PAUSE_NANOS = 200_000_000;

  /** A longer standstill is reported: other members may have acted without this one. */
  static final long TOLD_NANOS = 5_000_000_000L;

  private final AgentEffects effects;
  private final Lateness lateness;

  /** The latest time at which the driver is scheduled to come. */
  private long promisedNanos = Long.MAX_VALUE;

  Standstill(AgentEffects effects, Lateness lateness) {
    this.effects = effects;
    this.lateness = lateness;
  }

  /** Schedules the driver for then, or at once if that is over, unless an event comes before. */
  void promised(long nanos, long nowNanos) {
    promisedNanos = Math.max(nanos, nowNanos);
  }

  /**
   * Notes that the driver has come.
   *
   * @return for how long the agent did not run before; 0 if it did
   */
  long passedNanos(long nowNanos) {
    long lateNanos = promisedNanos == Long.MAX_VALUE ? -1 : nowNanos - promisedNanos;
    lateness.noted(Math.max(0, lateNanos), nowNanos);
    if (lateNanos >= 0) {
      promisedNanos = Long.MAX_VALUE;
    }
    if (lateNanos <= PAUSE_NANOS) {
      return 0;
    }
    if (lateNanos >= TOLD_NANOS) {
      tell(lateNanos);
    }
    return lateNanos;
  }

  private void tell(long nanos) {
    effects.noticed(
        Notice.warning(
            Notice.Kind.STOOD_STILL,
            "this agent stood still for "
                + TimeUnit.NANOSECONDS.toSeconds(nanos)
                + " s, and others may have gone on without it: its process was stopped, or its"
                + " machine was asleep, moved, swapping or overloaded"));
  }
}
