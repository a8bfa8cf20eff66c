package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.BroadcastEffects;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.edge.DataEdges;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.stream.Arrivals;
import io.treecast.collectives.broadcast.subscribe.LocalSubscribers;
import io.treecast.ghs.NodeId;
import java.util.function.BiConsumer;

/**
 * Receives copies of small messages that publishing members send over links beside the tree, where
 * they arrive sooner than along the tree.
 *
 * <p>Such copies use no credit and take no part in the replication of logs. A copy is taken only if
 * it is next in its stream and no item here would have to wait for room; it is then passed on like
 * an item that came along the tree. Otherwise it is dropped. So copies take no memory, and no
 * member depends on them: the message arrives along the tree in any case, and is a duplicate where
 * a copy arrived first.
 */
public final class ShortcutReceiver {
  /** The largest payload that goes ahead, in bytes. */
  public static final int MAX_PAYLOAD_BYTES = 4 << 10;

  private final BroadcastLimits limits;
  private final DataEdges edges;
  private final LocalSubscribers subscribers;
  private final Arrivals arrivals;
  private final BiConsumer<NodeId, String> violated;
  private final BroadcastEffects effects;
  private long acceptedMessages;

  /**
   * Creates the receiver of one relay.
   *
   * @param violated called with a sender of a message that must not go ahead, and the reason
   */
  ShortcutReceiver(
      BroadcastLimits limits,
      DataEdges edges,
      LocalSubscribers subscribers,
      Arrivals arrivals,
      BiConsumer<NodeId, String> violated,
      BroadcastEffects effects) {
    this.limits = limits;
    this.edges = edges;
    this.subscribers = subscribers;
    this.arrivals = arrivals;
    this.violated = violated;
    this.effects = effects;
  }

  /**
   * Returns whether a message may go ahead: it is on the default topic, and whole in one small
   * chunk.
   */
  public static boolean isSmall(Chunk chunk) {
    return chunk.index() == 0
        && chunk.last()
        && !chunk.abandoned()
        && chunk.bytes() <= MAX_PAYLOAD_BYTES
        && chunk.stream().topic().equals(Topic.DEFAULT)
        && chunk.stream().lane() == StreamId.WHOLE;
  }

  /** Returns the number of messages that were taken. */
  long acceptedMessages() {
    return acceptedMessages;
  }

  /** Notes that a message published here was logged. */
  void published(LogItem item) {
    if (item instanceof Chunk message && isSmall(message)) {
      effects.maySendByShortcut(message);
    }
  }

  /** Handles a message from its origin, sent over a link beside the tree. */
  void received(NodeId origin, Chunk message) {
    if (!isSmall(message)
        || message.bytes() > limits.chunkBytes()
        || !message.stream().origin().equals(origin)) {
      violated.accept(origin, message + " must not be sent ahead of the tree");
      return;
    }
    edges.has(origin, message);
    if (edges.passesImmediately(message) && subscribers.passesImmediately(message)) {
      acceptedMessages += arrivals.receivedByShortcut(origin, message) ? 1 : 0;
    }
  }
}
