package io.treecast.testkit.sim;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.cluster.DeliveryLog;
import io.treecast.testkit.cluster.Life;
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
  private final Set<MessageId> givenUp = new HashSet<>();
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
  void givenUp(MessageId message) {
    givenUp.add(message);
  }

  @Override
  public void delivered(Life life, MessageId message) {
    if (givenUp.contains(message)) {
      throw new AssertionError("node " + life + " received " + message + ", which was abandoned");
    }
    deliveries.delivered(message, life, time.nowNanos());
  }

  @Override
  public void deliveredToOther(Life life, MessageId message) {
    confirmations.deliveredToOther(life, message);
  }

  @Override
  public void missedAbandoned(Life life, MessageId message) {
    deliveries.excused(message, life);
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
  public void treeChanged(Life life, TreeChange change) {
    history.committed(time.nowNanos(), life, change);
  }

  @Override
  public void noticed(Life life, Notice notice) {
    history.noticed(time.nowNanos(), life, notice);
    if (notice.severity().isTrouble()) {
      warnings.add("node " + life + ": " + notice.text());
    }
  }
}
