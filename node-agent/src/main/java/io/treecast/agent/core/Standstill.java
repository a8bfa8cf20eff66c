package io.treecast.agent.core;

import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.link.Lateness;
import java.util.concurrent.TimeUnit;

/**
 * Detects that an agent did not run for a while: its driver called it much later than scheduled.
 */
final class Standstill {
  /** A call that is late by more than this shows that the agent did not run in between. */
  static final long PAUSE_NANOS = 200_000_000;

  /**
   * A standstill of at least this long is reported, since other members may have acted without this
   * one.
   */
  static final long REPORTED_NANOS = 5_000_000_000L;

  private final AgentEffects effects;
  private final Lateness lateness;

  /** The time by which the driver is scheduled to call. */
  private long scheduledNanos = Long.MAX_VALUE;

  Standstill(AgentEffects effects, Lateness lateness) {
    this.effects = effects;
    this.lateness = lateness;
  }

  /**
   * Notes that the driver will call at this time, or now if that has passed, unless an event occurs
   * before.
   */
  void promised(long nanos, long nowNanos) {
    scheduledNanos = Math.max(nanos, nowNanos);
  }

  /**
   * Notes a call of the driver.
   *
   * @return how long the agent did not run before the call; 0 if it ran as scheduled
   */
  long passedNanos(long nowNanos) {
    long lateNanos = scheduledNanos == Long.MAX_VALUE ? -1 : nowNanos - scheduledNanos;
    lateness.noted(Math.max(0, lateNanos), nowNanos);
    if (lateNanos >= 0) {
      scheduledNanos = Long.MAX_VALUE;
    }
    if (lateNanos <= PAUSE_NANOS) {
      return 0;
    }
    if (lateNanos >= REPORTED_NANOS) {
      report(lateNanos);
    }
    return lateNanos;
  }

  private void report(long nanos) {
    effects.noticed(
        Notice.warning(
            Notice.Kind.STOOD_STILL,
            "this agent stood still for "
                + TimeUnit.NANOSECONDS.toSeconds(nanos)
                + " s, and other members may have continued without it: its process was stopped, or"
                + " its machine was asleep, migrated, swapping or overloaded"));
  }
}
