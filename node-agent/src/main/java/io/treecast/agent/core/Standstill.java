package io.treecast.agent.core;

import java.util.concurrent.TimeUnit;

/** When an agent counts as not having run for a while, and what it says of that. Stateless. */
final class Standstill {
  /** An agent that comes later than it announced by this did not run meanwhile. */
  static final long PAUSE_NANOS = 200_000_000;

  /** It is told of from here on: others may have gone on without it. */
  static final long TOLD_NANOS = 5_000_000_000L;

  private Standstill() {}

  /** It has not run for so long. */
  static void tell(long nanos, AgentEffects effects) {
    if (nanos < TOLD_NANOS) {
      return;
    }
    effects.noticed(
        Notice.warning(
            Notice.Kind.STOOD_STILL,
            "this agent stood still for "
                + TimeUnit.NANOSECONDS.toSeconds(nanos)
                + " s, and others may have gone on without it: its process was stopped, or its"
                + " machine was asleep, moved, swapping or overloaded"));
  }
}
