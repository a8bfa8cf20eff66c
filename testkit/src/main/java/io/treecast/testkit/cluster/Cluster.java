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
 * Agents on the nodes of a network, in virtual or real time, with faults and observations for
 * tests.
 *
 * <p>Node n has the node id {@code "n"}.
 */
public interface Cluster extends Faults, AutoCloseable {
  /** Returns the present state of the network. */
  NetworkConditions network();

  /** Returns the time of this cluster, nanoseconds. */
  long nowNanos();

  /**
   * Lets time pass until a condition holds.
   *
   * @return whether it held within that many milliseconds of the cluster's time
   */
  boolean runUntil(BooleanSupplier condition, long maxMillis);

  /**
   * Lets time pass until every running agent that is not paused has committed the tree of its
   * component, can broadcast on it, and that tree is minimal (see {@link TreeVerdict}).
   *
   * @return whether this was reached within that many milliseconds of the cluster's time
   */
  boolean runUntilReady(long maxMillis);

  /**
   * Lets time pass until the cluster is at rest (see {@link Rest}).
   *
   * @return whether it was at rest within that many milliseconds of the cluster's time
   */
  boolean runUntilAtRest(long maxMillis);

  /**
   * Returns the timeout of a test that waits for the cluster to be ready or at rest, in
   * milliseconds of the cluster's time.
   */
  default long patienceMillis() {
    return 3_600_000;
  }

  /**
   * Returns the nodes whose agents run, each with its present incarnation, paused agents included.
   */
  SortedMap<Integer, Incarnation> running();

  /** Returns the nodes whose agents are paused. */
  SortedSet<Integer> paused();

  /** Returns the state of each running agent by node, without paused agents. */
  SortedMap<Integer, AgentSnapshot> unpaused();

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

  /**
   * Timeout of {@link #subscribe}, which waits for a tree and for the acknowledgement of each of
   * its members.
   */
  long SUBSCRIBE_MILLIS = 60_000;

  /**
   * Subscribes the application of a node to a topic until it unsubscribes or its agent ends, and
   * lets time pass until the subscription is in place. Later broadcasts of the topic are delivered
   * to it. Every application is always subscribed to the default topic.
   *
   * @throws IllegalStateException if its agent does not run, is paused, or refuses, or if the
   *     subscription is not in place within {@link #SUBSCRIBE_MILLIS}
   */
  default void subscribe(int node, String topic) {
    if (!runUntil(beginSubscription(node, topic), SUBSCRIBE_MILLIS)) {
      throw new IllegalStateException(
          ("the subscription of node %s to %s is not in place within %s ms: its agent has no "
                  + "tree, or not all members of the tree have acknowledged it")
              .formatted(node, topic, SUBSCRIBE_MILLIS));
    }
  }

  /**
   * Begins a subscription without waiting. Broadcasts published before it is in place may or may
   * not be delivered to it.
   *
   * @return a condition that holds once the subscription is in place
   * @throws IllegalStateException if its agent does not run, is paused, or refuses
   */
  BooleanSupplier beginSubscription(int node, String topic);

  /**
   * Ends a node's subscription to a topic. No effect without a subscription.
   *
   * @throws IllegalStateException if its agent does not run or is paused
   */
  void unsubscribe(int node, String topic);

  /** Returns the log of publications and deliveries. */
  DeliveryLog deliveries();

  /** Returns the control messages that all agents have sent so far, in all their incarnations. */
  ControlTraffic controlTraffic();

  /** Returns the history of the cluster. */
  ClusterHistory history();

  /** Stops all agents. Idempotent. */
  @Override
  void close();
}
