package io.treecast.collectives.clock;

import io.treecast.ghs.NodeId;

/**
 * The commands of {@link ClusterClock} to its driver. They are called on its thread, inside the
 * event that causes them, and must not call it back.
 */
public interface ClockEffects {
  /** Sends a statement by the clock of this member. It may be lost. */
  void send(NodeId neighbour, RootTime time);

  /** Returns the time of this machine, in nanoseconds since 1970. It may step. */
  long unixNanos();
}
