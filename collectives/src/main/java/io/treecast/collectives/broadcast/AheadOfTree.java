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
 * Takes what members send that have published it, by links beside the tree: a copy of a small
 * message that comes sooner than along the tree.
 *
 * <p>Such copies have neither credit nor a place in the log's replication. One is taken if it is
 * what comes next in its stream and nothing here would have to wait for room, and then it is passed
 * on like what comes along the tree; otherwise it is let go. So they take no memory, whatever
 * comes, and nobody depends on them: the message comes along the tree in any case, and is a
 * duplicate where a copy was before it.
 */
public final class AheadOfTree {
  /** The largest payload that goes ahead, in bytes. */
  public static final int MAX_PAYLOAD_BYTES = 4 << 10;

  private final BroadcastLimits limits;
  private final DataEdges edges;
  private final LocalSubscribers subscribers;
  private final Arrivals arrivals;
  private final BiConsumer<NodeId, String> violated;
  private final BroadcastEffects effects;
  private long takenMessages;

  /**
   * For one relay.
   *
   * @param violated told who sent what never goes ahead, and why
   */
  AheadOfTree(
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

  /** Whether this is a message that may go ahead: on the default topic, and whole in one chunk. */
  public static boolean isSmall(Chunk chunk) {
    return chunk.index() == 0
        && chunk.last()
        && !chunk.abandoned()
        && chunk.bytes() <= MAX_PAYLOAD_BYTES
        && chunk.stream().topic().equals(Topic.DEFAULT)
        && chunk.stream().lane() == StreamId.WHOLE;
  }

  /** Messages that were taken. */
  long takenMessages() {
    return takenMessages;
  }

  /** This was published here, and is logged. */
  void published(LogItem item) {
    if (item instanceof Chunk message && isSmall(message)) {
      effects.mayGoAhead(message);
    }
  }

  /** A member sent this by a link beside the tree. */
  void received(NodeId origin, Chunk message) {
    if (!isSmall(message)
        || message.bytes() > limits.chunkBytes()
        || !message.stream().origin().equals(origin)) {
      violated.accept(origin, message + " cannot come ahead of the tree");
      return;
    }
    edges.has(origin, message);
    if (edges.leavesAtOnce(message) && subscribers.leavesAtOnce(message)) {
      takenMessages += arrivals.receivedAhead(origin, message) ? 1 : 0;
    }
  }
}
