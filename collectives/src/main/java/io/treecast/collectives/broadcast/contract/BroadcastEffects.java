package io.treecast.collectives.broadcast.contract;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.ShortcutReceiver;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.NodeId;

/**
 * The commands of a {@link BroadcastRelay} to its driver, beside those for applications. The
 * methods are called on the relay's thread, inside the event that causes them, and must not call
 * the relay: a driver with an immediate answer enqueues it.
 */
public interface BroadcastEffects {
  /**
   * Sends on the open data stream to a neighbour, behind everything sent on it before. The
   * neighbour has room for items, and other messages are small, so the driver need not ask whether
   * the transport is ready.
   */
  void send(NodeId neighbour, EdgeMessage message);

  /**
   * Reports that this node has published a small message, which goes to neighbours in the tree
   * first. The driver may also send it to nodes that are far along the tree but near by a link
   * beside it: {@link BroadcastRelay#receivedByShortcut}. Nothing is lost if it sends none.
   *
   * @param message a whole message that is {@linkplain ShortcutReceiver#isSmall small}
   */
  void maySendByShortcut(Chunk message);

  /**
   * Reports how many members have a message that was published whole and wants replicas: as many as
   * wanted, or fewer when the publisher's waiting time has ended.
   *
   * @param replicas members that have all of it, this one aside
   */
  void replicated(MessageId message, int replicas);

  /**
   * Reports that a neighbour broke the protocol. The driver closes the link; the relay ignores all
   * further messages from it until {@link BroadcastRelay#streamOpened}.
   *
   * @param reason explanation for people
   */
  void violated(NodeId neighbour, String reason);

  /**
   * Reports that items are being dropped, because their streams exceed {@code limits.origins}.
   * Local subscribers and neighbours behind this member receive gaps for them. At most once a
   * minute.
   *
   * @param item the latest item dropped
   */
  void dropped(NodeId neighbour, LogItem item);
}
