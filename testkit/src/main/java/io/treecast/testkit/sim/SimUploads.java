package io.treecast.testkit.sim;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.DeliveryLog;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.cluster.Nodes;
import io.treecast.testkit.sim.network.VirtualTime;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The uploads of a cluster's applications. Single-threaded. */
public final class SimUploads {
  /** Timeout of replicas. */
  private static final long REPLICATION_NANOS = 30_000_000_000L;

  private final VirtualTime time;
  private final Nodes<SimAgent> nodes;
  private final DeliveryLog deliveries;
  private final SimRecord record;
  private final SimConfirmations confirmations;
  private final BiFunction<CommittedTree, String, SortedSet<Incarnation>> audience;
  private long last;

  /**
   * Creates an empty set of uploads.
   *
   * @param audience returns the subscribers of a topic in a tree
   */
  SimUploads(
      VirtualTime time,
      Nodes<SimAgent> nodes,
      DeliveryLog deliveries,
      SimRecord record,
      SimConfirmations confirmations,
      BiFunction<CommittedTree, String, SortedSet<Incarnation>> audience) {
    this.time = time;
    this.nodes = nodes;
    this.deliveries = deliveries;
    this.record = record;
    this.confirmations = confirmations;
    this.audience = audience;
  }

  /**
   * Plans an upload, at random with confirmation. It is skipped if the agent is not ready at its
   * time.
   */
  public void plan(UploadPlan plan) {
    time.at(plan.atNanos(), () -> begin(plan, null));
  }

  /** Plans an upload with replicas. */
  void plan(UploadPlan plan, SimReplication replication) {
    time.at(plan.atNanos(), () -> begin(plan, replication));
  }

  private void begin(UploadPlan plan, @Nullable SimReplication replication) {
    SimAgent agent = nodes.at(plan.node());
    if (agent != null && !agent.isPaused() && agent.treeStatus().ready()) {
      int receiptMillis = confirmations.anyReceiptMillis();
      Observer observer = new Observer(receiptMillis > 0, replication);
      agent.begin(
          new SimUpload(agent, ++last, time, plan, observer),
          receiptMillis,
          replication == null ? 0 : replication.wanted(),
          replication == null ? 0 : REPLICATION_NANOS);
    }
  }

  /** Returns whether an application of an agent that is not paused is uploading. */
  public boolean areUnderWay() {
    return nodes.unpaused().stream().anyMatch(SimAgent::isUploading);
  }

  /**
   * Returns the incomplete messages at the subscribers of each agent that is not paused, by node.
   */
  public SortedMap<Integer, Set<MessageId>> unfinished() {
    SortedMap<Integer, Set<MessageId>> unfinished = new TreeMap<>();
    for (SimAgent agent : nodes.unpaused()) {
      if (!agent.unfinished().isEmpty()) {
        unfinished.put(agent.node(), agent.unfinished());
      }
    }
    return unfinished;
  }

  /** Observes an upload. An upload whose application dies is not recorded as published. */
  private final class Observer implements SimUpload.Observer {
    private final boolean asksForReceipts;
    private final @Nullable SimReplication replication;

    Observer(boolean asksForReceipts, @Nullable SimReplication replication) {
      this.asksForReceipts = asksForReceipts;
      this.replication = replication;
    }

    @Override
    public void begun(SimUpload upload, MessageId id, long treeVersion) {
      CommittedTree tree = upload.agent().treeStatus().tree();
      if (upload.crashesMidway() || tree == null) {
        record.abandoned(id);
      } else {
        deliveries.published(
            id,
            time.nowNanos(),
            treeVersion,
            upload.agent().incarnation(),
            audience.apply(tree, Topic.DEFAULT));
      }
    }

    @Override
    public void ended(SimUpload upload, MessageId id, int replicas) {
      if (replication != null) {
        replication.accepted(id, 0, replicas);
      }
      if (asksForReceipts) {
        confirmations.published(id, upload.agent().incarnation());
      }
    }
  }
}
