package io.treecast.testkit.cluster;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.message.TreeMetric;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The condition that a cluster is at rest: nothing will change without a new event from outside.
 *
 * <ul>
 *   <li>Every running agent that is not paused has committed a tree and builds no other.
 *   <li>A link is up at both ends, with the same weight, exactly if the network passes both
 *       directions and both ends run. Links that are too slow to be opened are exempt.
 *   <li>No control message is in flight. There was no control message, commit, delivery or fault
 *       for a quiet time, nor within {@link #QUIET_ROUND_TRIPS} round trips of the longest link.
 * </ul>
 */
public final class Rest {
  /** The quiet time in virtual time, longer than the timeout of any detector. */
  public static final long QUIET_MILLIS = 20_000;

  /** The least quiet time in round trips of the longest link. */
  public static final int QUIET_ROUND_TRIPS = 4;

  /** Interval of the checks, in milliseconds. */
  public static final long LOOK_EVERY_MILLIS = 250;

  private final Cluster cluster;
  private final long quietMillis;
  private final LongSupplier lastControlNanos;
  private final BooleanSupplier carriesControlMessage;

  /**
   * Judges a cluster.
   *
   * @param quietMillis the quiet time
   * @param lastControlNanos the time of the last control message
   * @param carriesControlMessage whether a control message is in flight on a link that passes it
   */
  public Rest(
      Cluster cluster,
      long quietMillis,
      LongSupplier lastControlNanos,
      BooleanSupplier carriesControlMessage) {
    this.cluster = cluster;
    this.quietMillis = quietMillis;
    this.lastControlNanos = lastControlNanos;
    this.carriesControlMessage = carriesControlMessage;
  }

  /** Returns whether the cluster is at rest now. */
  public boolean isReached() {
    long since = Math.max(lastControlNanos.getAsLong(), cluster.history().lastChangeNanos());
    since = Math.max(since, cluster.deliveries().lastDeliveryNanos());
    long quietNanos =
        Math.max(
            quietMillis * 1_000_000,
            QUIET_ROUND_TRIPS * cluster.network().longestRttMicros() * 1_000);
    return cluster.nowNanos() - since >= quietNanos
        && !carriesControlMessage.getAsBoolean()
        && whyNot(cluster) == null;
  }

  /** Returns the reason, for people, why a cluster was not at rest before the timeout. */
  public static String awaitedCondition(Cluster cluster) {
    String reason = whyNot(cluster);
    return reason == null ? "messages, commits or deliveries go on" : reason;
  }

  /** Returns a reason, for people, why the agents are not at rest; null if they are. */
  public static @Nullable String whyNot(Cluster cluster) {
    SortedMap<Integer, AgentSnapshot> unpaused = cluster.unpaused();
    for (Map.Entry<Integer, AgentSnapshot> entry : unpaused.entrySet()) {
      if (entry.getValue().tree().phase() != TreePhase.COMMITTED) {
        return "node " + entry.getKey() + " has no committed tree: " + entry.getValue().tree();
      }
    }
    List<String> problems =
        new UsableLinks(unpaused, cluster.network(), TreeMetric.LATENCY).problems();
    return problems.isEmpty() ? null : problems.get(0);
  }
}
