package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.edge.DataEdges;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.order.TotalOrder;
import io.treecast.collectives.broadcast.publish.LocalPublisher;
import io.treecast.collectives.broadcast.publish.Uploads;
import io.treecast.collectives.broadcast.receipt.Receipts;
import io.treecast.collectives.broadcast.receipt.Replicas;
import io.treecast.collectives.broadcast.stream.Arrivals;
import io.treecast.collectives.broadcast.subscribe.LocalSubscribers;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The work of a {@link BroadcastRelay} since its creation, and the memory that it uses now.
 *
 * @param publishedMessages messages accepted from local publishers
 * @param publishedBytes payload bytes accepted from local publishers
 * @param deliveredMessages messages handed completely to a local subscriber, once for each
 * @param deliveredBytes payload bytes delivered to local subscribers, counted for each subscriber
 * @param subscribers the present number of local subscribers
 * @param missedMessages messages that a local subscriber was notified of missing, once for each,
 *     for any reason
 * @param abandonedMessages messages that a local subscriber received in part and for whose rest it
 *     does not wait, because the publisher abandoned them or no reachable member has more, once for
 *     each
 * @param fallenBehind local subscribers that publishers no longer wait for, because they consumed
 *     nothing for {@code limits.slowSubscriberMillis}
 * @param forwardedChunks chunks sent to a neighbour, once for each, those published here included
 * @param duplicateChunks chunks received again, and dropped
 * @param gaps parts of a stream that a neighbour could no longer send
 * @param droppedItems chunks and gaps dropped because their streams exceeded {@code limits.origins}
 * @param shortcutMessages messages that arrived from their origin before they came along the tree
 * @param receiptMessages messages sent to neighbours with receipts or replicas of a broadcast
 * @param orderedPlaces places in a total order that were decided here
 * @param unorderedMessages messages here whose topic is wanted in total order, and that wait for
 *     their place or for an earlier message
 * @param waitingBytes cost of the items that wait here for a neighbour or a subscriber
 * @param retainedBytes cost of the items in the log that nothing waits for
 */
public record BroadcastCounters(
    long publishedMessages,
    long publishedBytes,
    long deliveredMessages,
    long deliveredBytes,
    int subscribers,
    Map<MissedReason, Long> missedMessages,
    long abandonedMessages,
    long fallenBehind,
    long forwardedChunks,
    long duplicateChunks,
    long gaps,
    long droppedItems,
    long shortcutMessages,
    long receiptMessages,
    long orderedPlaces,
    long unorderedMessages,
    long waitingBytes,
    long retainedBytes) {

  /** Returns the counters of one relay. */
  static BroadcastCounters of(
      LocalPublisher publisher,
      Uploads uploads,
      LocalSubscribers subscribers,
      DataEdges edges,
      Arrivals arrivals,
      ShortcutReceiver shortcutReceiver,
      Receipts receipts,
      Replicas replicas,
      TotalOrder order,
      ReplicationLog log) {
    return new BroadcastCounters(
        publisher.publishedMessages() + uploads.publishedMessages(),
        publisher.publishedBytes() + uploads.publishedBytes(),
        subscribers.deliveredMessages(),
        subscribers.deliveredBytes(),
        subscribers.count(),
        subscribers.missedMessages(),
        subscribers.abandonedMessages(),
        subscribers.fallenBehind(),
        edges.forwardedChunks(),
        arrivals.duplicateChunks(),
        arrivals.gaps(),
        arrivals.droppedItems(),
        shortcutReceiver.acceptedMessages(),
        receipts.sentMessages() + replicas.sentMessages(),
        order.decidedPlaces(),
        order.unorderedMessages(),
        publisher.waitingBytes() + uploads.waitingBytes() + edges.waitingBytes(),
        log.retainedBytes());
  }

  /** Copies the map. */
  public BroadcastCounters {
    missedMessages = Collections.unmodifiableMap(new EnumMap<>(missedMessages));
  }
}
