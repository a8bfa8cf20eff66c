package io.treecast.testkit.cluster;

import io.treecast.testkit.network.NodeGroup;

/**
 * The faults that a test can inject into the links of a cluster. Nodes are numbers; the ends of a
 * link are given in any order.
 *
 * <p>An open stream loses no messages: a blocked link holds them, as TCP does, and delivers them
 * after it is healed if the connection is still open.
 *
 * <p>All methods throw {@link IllegalArgumentException} for an unknown node or link.
 */
public interface LinkFaults {
  /** Blocks messages in both directions; dialing hangs. */
  void cut(int one, int other);

  /** Blocks messages from {@code from} to {@code to}; the other direction is unchanged. */
  void oneWay(int from, int to);

  /** Unblocks both directions and ends the loss of messages. The round trip is unchanged. */
  void heal(int one, int other);

  /** Heals every link. */
  void heal();

  /** Cuts all links between nodes of different groups; nodes of no group keep their links. */
  void partition(NodeGroup... groups);

  /**
   * Sets the round trip of a link for messages from now on.
   *
   * @param millis 0.001 to 3,600,000
   */
  void rtt(int one, int other, double millis);

  /**
   * Delays each message with this probability by a retransmission timeout: 200 ms plus the link's
   * round trip, doubled with each further loss.
   *
   * @param probability 0 to {@link io.treecast.testkit.network.NetworkConditions#MAX_LOSS}
   */
  void loss(int one, int other, double probability);

  /** Ends the streams of the link with an error; the link itself still works. */
  void reset(int one, int other);
}
