package io.treecast.testkit.sim;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.cluster.DeliveryLog;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.sim.network.VirtualTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Records the deliveries, commits and notices of the agents of a {@link SimCluster} with the
 * virtual time. Runs on its thread.
 */
final class SimRecord implements SimAgent.Observer {
  private final VirtualTime time;
  private final ClusterHistory history;
  private final DeliveryLog deliveries;
  private final SimConfirmations confirmations;
  private final Set<MessageId> abandoned = new HashSet<>();
  private final List<String> warnings = new ArrayList<>();

  SimRecord(
      VirtualTime time,
      ClusterHistory history,
      DeliveryLog deliveries,
      SimConfirmations confirmations) {
    this.time = time;
    this.history = history;
    this.deliveries = deliveries;
    this.confirmations = confirmations;
  }

  List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** Records an upload that will be abandoned, which must not be delivered. */
  void abandoned(MessageId message) {
    abandoned.add(message);
  }

  @Override
  public void delivered(Incarnation incarnation, MessageId message) {
    if (abandoned.contains(message)) {
      throw new AssertionError(
          "node " + incarnation + " received " + message + ", which was abandoned");
    }
    deliveries.delivered(message, incarnation, time.nowNanos());
  }

  @Override
  public void deliveredToOther(Incarnation incarnation, MessageId message) {
    confirmations.deliveredToOther(incarnation, message);
  }

  @Override
  public void missedAbandoned(Incarnation incarnation, MessageId message) {
    deliveries.excused(message, incarnation);
  }

  @Override
  public void confirmed(Confirmation confirmation) {
    confirmations.confirmed(confirmation);
  }

  @Override
  public void datedPublication(MessageId message, long publishedNanos) {
    confirmations.datedPublication(message, publishedNanos);
  }

  @Override
  public void treeChanged(Incarnation incarnation, TreeChange change) {
    history.committed(time.nowNanos(), incarnation, change);
  }

  @Override
  public void noticed(Incarnation incarnation, Notice notice) {
    history.noticed(time.nowNanos(), incarnation, notice);
    if (notice.severity().needsAttention()) {
      warnings.add("node " + incarnation + ": " + notice.kind() + ": " + notice.text());
    }
  }
}
