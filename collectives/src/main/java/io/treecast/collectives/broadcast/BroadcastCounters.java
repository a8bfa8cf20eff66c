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
 * What a {@link BroadcastRelay} has done since it was made, and how much it keeps now.
 *
 * @param publishedMessages messages accepted from local publishers
 * @param deliveredMessages messages handed completely to a local subscriber, once for each
 * @param missedMessages messages that a local subscriber was told it will not get, once for each,
 *     by every reason
 * @param abandonedMessages messages that a local subscriber was told not to wait for, since nobody
 *     within reach has the rest, once for each
 * @param fallenBehind local subscribers that nobody waits for any more, since they took nothing for
 *     {@code limits.slowSubscriberMillis}
 * @param forwardedChunks chunks sent to a neighbour, once for each, those published here included
 * @param duplicateChunks chunks received that had been received before, and dropped
 * @param gaps stretches of a stream that a neighbour could not send any more, taken over from it
 * @param droppedItems chunks and gaps that were received and dropped, since there was no room for
 *     their streams within {@code limits.origins}
 * @param aheadMessages messages that came from their origin before they came along the tree
 * @param receiptMessages messages that were sent to neighbours to say which members have delivered
 *     a broadcast, or have it
 * @param orderedPlaces places in a total order that were decided here
 * @param unorderedMessages messages that are here, and whose topic is wanted in total order, and
 *     that wait for their place, or for a message that comes before them
 * @param waitingBytes cost of what waits here for a neighbour or a subscriber
 * @param retainedBytes cost of what nobody waits for and the log retains
 */
public record BroadcastCounters(
    long publishedMessages,
    long deliveredMessages,
    Map<MissedReason, Long> missedMessages,
    long abandonedMessages,
    long fallenBehind,
    long forwardedChunks,
    long duplicateChunks,
    long gaps,
    long droppedItems,
    long aheadMessages,
    long receiptMessages,
    long orderedPlaces,
    long unorderedMessages,
    long waitingBytes,
    long retainedBytes) {

  /** Those of one relay. */
  static BroadcastCounters of(
      LocalPublisher publisher,
      Uploads uploads,
      LocalSubscribers subscribers,
      DataEdges edges,
      Arrivals arrivals,
      AheadOfTree ahead,
      Receipts receipts,
      Replicas replicas,
      TotalOrder order,
      ReplicationLog log) {
    return new BroadcastCounters(
        publisher.publishedMessages() + uploads.publishedMessages(),
        subscribers.deliveredMessages(),
        subscribers.missedMessages(),
        subscribers.abandonedMessages(),
        subscribers.fallenBehind(),
        edges.forwardedChunks(),
        arrivals.duplicateChunks(),
        arrivals.gaps(),
        arrivals.droppedItems(),
        ahead.takenMessages(),
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
