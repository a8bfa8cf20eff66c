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
 * When a cluster is at rest: nothing is going to change by itself any more.
 *
 * <ul>
 *   <li>Every running agent that is not paused has committed a tree and works on no other.
 *   <li>A link is up at both ends, with the same weight, exactly if the network lets pass both ways
 *       and both ends run. Only links that are too slow to be opened may be down.
 *   <li>No control message is under way, and none was sent, nothing committed or delivered and no
 *       fault injected for a while and for {@link #QUIET_ROUND_TRIPS} of the longest link.
 * </ul>
 */
public final class Rest {
  /** Longer than any detector takes to notice something in virtual time. */
  public static final long QUIET_MILLIS = 20_000;

  /** And for so many round trips of the longest link. */
  public static final int QUIET_ROUND_TRIPS = 4;

  /** Looking more often would find nothing more. */
  public static final long LOOK_EVERY_MILLIS = 250;

  private final Cluster cluster;
  private final long quietMillis;
  private final LongSupplier lastControlNanos;
  private final BooleanSupplier carriesControlMessage;

  /**
   * Judges a cluster.
   *
   * @param quietMillis for how long nothing must have happened
   * @param lastControlNanos when the last control message was sent
   * @param carriesControlMessage whether one is under way on a link that lets it pass
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

  /** Returns why a cluster has not come to rest in its time, for people. */
  public static String whatWasAwaited(Cluster cluster) {
    String reason = whyNot(cluster);
    return reason == null ? "messages, commits or deliveries go on" : reason;
  }

  /** Returns what keeps the agents from rest, for people; null if nothing does. */
  public static @Nullable String whyNot(Cluster cluster) {
    SortedMap<Integer, AgentSnapshot> standing = cluster.standing();
    for (Map.Entry<Integer, AgentSnapshot> entry : standing.entrySet()) {
      if (entry.getValue().tree().phase() != TreePhase.COMMITTED) {
        return "node " + entry.getKey() + " has no committed tree: " + entry.getValue().tree();
      }
    }
    List<String> problems =
        new UsableLinks(standing, cluster.network(), TreeMetric.LATENCY).problems();
    return problems.isEmpty() ? null : problems.get(0);
  }
}
