package io.treecast.collectives;

import io.treecast.collectives.EdgeMessage.Credit;
import io.treecast.ghs.NodeId;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The windows that a simulated node has granted, which fit in its memory together. */
final class GrantedWindows {
  private final NodeId node;
  private final BroadcastLimits limits;

  /** By neighbour and channel, the first credit on the present data stream. */
  private final Map<NodeId, EnumMap<Channel, Long>> windows = new TreeMap<>();

  GrantedWindows(NodeId node, BroadcastLimits limits) {
    this.node = node;
    this.limits = limits;
  }

  /** The data stream to a neighbour has ended, or another begins. */
  void ended(NodeId neighbour) {
    windows.remove(neighbour);
  }

  void granted(NodeId neighbour, Credit credit) {
    windows
        .computeIfAbsent(neighbour, peer -> new EnumMap<>(Channel.class))
        .putIfAbsent(credit.channel(), credit.bytes());
    List<Long> granted = windows.values().stream().flatMap(w -> w.values().stream()).toList();
    long bytes = granted.stream().mapToLong(Long::longValue).sum();
    if (bytes > limits.edgesBytes() + granted.size() * Chunk.cost(limits.chunkBytes())) {
      throw new AssertionError(node + " grants windows of " + bytes + " bytes");
    }
  }
}
