package io.treecast.agent.transport;

import io.treecast.ghs.NodeId;

/**
 * Makes the links of a test cluster slow: every message is held back before it is sent.
 * Thread-safe.
 *
 * <p>Only for agents that are started with it; there is no way to switch it on from outside.
 */
public interface LinkEmulation {
  /**
   * How long a message takes from this agent to that one, in nanoseconds, on top of what the
   * network takes.
   */
  long delayNanos(NodeId from, NodeId to);

  /** Sends later, in order. */
  DelayLine delayLine();
}
