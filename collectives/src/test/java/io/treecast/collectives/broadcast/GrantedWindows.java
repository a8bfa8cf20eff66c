package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.UnusedCredit;
import io.treecast.ghs.NodeId;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The windows that a simulated node has granted; together they fit in its memory. */
final class GrantedWindows {
  private final NodeId node;
  private final BroadcastLimits limits;

  /** By neighbour and channel, on the present data stream. */
  private final Map<NodeId, EnumMap<Channel, Long>> windows = new TreeMap<>();

  private boolean anyGivenBack;

  GrantedWindows(NodeId node, BroadcastLimits limits) {
    this.node = node;
    this.limits = limits;
  }

  /** Notes that the data stream to a neighbour has ended, or another begins. */
  void ended(NodeId neighbour) {
    windows.remove(neighbour);
  }

  /** Returns whether neighbours have returned any. */
  boolean anyGivenBack() {
    return anyGivenBack;
  }

  void granted(NodeId neighbour, Credit credit) {
    windows
        .computeIfAbsent(neighbour, peer -> new EnumMap<>(Channel.class))
        .merge(credit.channel(), credit.windowBytes(), Long::sum);
    List<Long> granted = windows.values().stream().flatMap(w -> w.values().stream()).toList();
    long bytes = granted.stream().mapToLong(Long::longValue).sum();
    if (bytes > limits.edgesBytes() + granted.size() * Chunk.cost(limits.chunkBytes())) {
      throw new AssertionError(node + " grants windows of " + bytes + " bytes");
    }
  }

  /** Handles a neighbour's message, which may return some. */
  void received(NodeId neighbour, EdgeMessage message) {
    EnumMap<Channel, Long> ofNeighbour = windows.get(neighbour);
    if (ofNeighbour != null && message instanceof UnusedCredit credit) {
      ofNeighbour.merge(Channel.UPLOADS, -credit.bytes(), Long::sum);
      anyGivenBack = true;
    }
  }
}
