package io.treecast.testkit.cluster;

import io.treecast.testkit.network.NodeGroup;

/**
 * The faults that a test can inject into the links of a cluster. Nodes are numbers; the ends of a
 * link are given in any order.
 *
 * <p>Nothing is dropped inside a living stream: messages that a link does not let pass are held, as
 * TCP holds them, and arrive when it does, if the connection still lives by then.
 *
 * <p>All methods throw {@link IllegalArgumentException} for an unknown node or link.
 */
public interface LinkFaults {
  /** Nothing passes; dialing hangs. */
  void cut(int one, int other);

  /** Blocks messages from {@code from} to {@code to}; the other direction stays as it is. */
  void oneWay(int from, int to);

  /** Everything passes, both ways, and nothing is lost. The round trip stays. */
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
   * Each message is late by a retransmission timeout (200 ms and the link's round trip, doubling
   * with each further loss) with this probability.
   *
   * @param probability 0 to {@link io.treecast.testkit.network.NetworkConditions#MAX_LOSS}
   */
  void loss(int one, int other, double probability);

  /** Ends the streams of the link with an error; the link itself goes on working. */
  void reset(int one, int other);
}
