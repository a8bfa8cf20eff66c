package io.treecast.testkit.cluster;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.testkit.network.NetworkConditions;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.BooleanSupplier;

/**
 * Agents on the nodes of a network that a test can disturb and watch: in virtual time, or real.
 *
 * <p>Node n has the node id {@code "n"}.
 */
public interface Cluster extends Faults, AutoCloseable {
  /** Returns the present state of the network. */
  NetworkConditions network();

  /** Returns the time of this cluster, nanoseconds. */
  long nowNanos();

  /**
   * Lets time pass until something is so.
   *
   * @return whether it came to be so within that many milliseconds of the cluster's time
   */
  boolean runUntil(BooleanSupplier condition, long maxMillis);

  /**
   * Lets time pass until every running agent that is not paused has committed the tree of its
   * component, can broadcast on it, and that tree is minimal (see {@link TreeVerdict}).
   *
   * @return whether they have within that many milliseconds
   */
  boolean runUntilReady(long maxMillis);

  /**
   * Lets time pass until nothing is going to change by itself any more (see {@link Rest}).
   *
   * @return whether it came to rest within that many milliseconds
   */
  boolean runUntilAtRest(long maxMillis);

  /**
   * For how many milliseconds of its time a test waits until it is ready, or at rest: after that,
   * something is wrong.
   */
  default long patienceMillis() {
    return 3_600_000;
  }

  /**
   * Returns the nodes whose agents run, each with its present life; those that are paused included.
   */
  SortedMap<Integer, Life> running();

  /** The nodes whose agents are paused. */
  SortedSet<Integer> paused();

  /** Returns where each running agent stands, by node; paused ones are left out. */
  SortedMap<Integer, AgentSnapshot> standing();

  /** Broadcasts on the default topic. */
  default MessageId broadcast(int source, ByteBuffer payload) {
    return broadcast(source, Topic.DEFAULT, payload);
  }

  /**
   * Broadcasts from a node whose agent is ready.
   *
   * @throws IllegalStateException if its agent does not run, is not ready, or refuses
   */
  MessageId broadcast(int source, String topic, ByteBuffer payload);

  /** So long {@link #subscribe} waits: for a tree, and for each of its members to know. */
  long SUBSCRIBE_MILLIS = 60_000;

  /**
   * The application of a node subscribes to a topic, until it unsubscribes or its agent ends, and
   * time passes until that is in place: what is broadcast from then on is for it, too. To the
   * default topic each is subscribed always.
   *
   * @throws IllegalStateException if its agent does not run, is paused, or refuses, or if the
   *     subscription is not in place within {@link #SUBSCRIBE_MILLIS}
   */
  default void subscribe(int node, String topic) {
    if (!runUntil(beginSubscription(node, topic), SUBSCRIBE_MILLIS)) {
      throw new IllegalStateException(
          "the subscription of node "
              + node
              + " to "
              + topic
              + " is not in place within "
              + SUBSCRIBE_MILLIS
              + " ms: its agent has no tree, or not all members of the tree have heard of it");
    }
  }

  /**
   * Begins a subscription without waiting: broadcasts before it is in place may reach it or not.
   *
   * @return whether it is in place
   * @throws IllegalStateException if its agent does not run, is paused, or refuses
   */
  BooleanSupplier beginSubscription(int node, String topic);

  /**
   * The application of a node does not want the topic any more. No effect if it did not.
   *
   * @throws IllegalStateException if its agent does not run or is paused
   */
  void unsubscribe(int node, String topic);

  /** Returns the log of publications and deliveries. */
  DeliveryLog deliveries();

  /** Returns the control messages that all agents sent so far, in all their lives. */
  ControlTraffic controlTraffic();

  /** Returns the history of the cluster. */
  ClusterHistory history();

  /** Stops all agents. Idempotent. */
  @Override
  void close();
}
