package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.EdgeMessage.UnusedCredit;
import io.treecast.ghs.NodeId;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The windows that a simulated node has granted: at most {@code limits.edgeWindowBytes} for
 * messages, and half of the memory of all edges for uploads.
 */
final class GrantedWindows {
  private final NodeId node;
  private final BroadcastLimits limits;

  /** By neighbour and channel, on the present data stream. */
  private final Map<NodeId, EnumMap<Channel, Long>> windows = new TreeMap<>();

  /** The bytes that each neighbour may still send. */
  private final Map<NodeId, EnumMap<Channel, Long>> credit = new TreeMap<>();

  /** The largest window of each neighbour and channel so far. */
  private final Map<NodeId, EnumMap<Channel, Long>> largest = new TreeMap<>();

  private boolean anyGivenBack;

  GrantedWindows(NodeId node, BroadcastLimits limits) {
    this.node = node;
    this.limits = limits;
  }

  /** Notes that the data stream to a neighbour has ended, or another begins. */
  void ended(NodeId neighbour) {
    windows.remove(neighbour);
    credit.remove(neighbour);
  }

  /** Returns whether neighbours have returned any. */
  boolean anyGivenBack() {
    return anyGivenBack;
  }

  /** Returns the most bytes of neighbours' items that may wait here. */
  long mostWaitingBytes() {
    return sum(largest);
  }

  /** Returns the bytes that neighbours may still send. */
  long creditBytes() {
    return sum(credit);
  }

  private static long sum(Map<NodeId, EnumMap<Channel, Long>> bytes) {
    long sum = 0;
    for (EnumMap<Channel, Long> ofNeighbour : bytes.values()) {
      for (long ofChannel : ofNeighbour.values()) {
        sum += ofChannel;
      }
    }
    return sum;
  }

  private static long add(
      Map<NodeId, EnumMap<Channel, Long>> to, NodeId neighbour, Channel channel, long bytes) {
    return to.computeIfAbsent(neighbour, peer -> new EnumMap<>(Channel.class))
        .merge(channel, bytes, Long::sum);
  }

  void granted(NodeId neighbour, Credit granted) {
    Channel channel = granted.channel();
    add(credit, neighbour, channel, granted.bytes());
    long window = add(windows, neighbour, channel, granted.windowBytes());
    long most = channel == Channel.MESSAGES ? limits.edgeWindowBytes() : limits.edgesBytes() / 2;
    if (window > most) {
      throw new AssertionError(node + " grants a window of " + window + " bytes for " + channel);
    }
    largest
        .computeIfAbsent(neighbour, peer -> new EnumMap<>(Channel.class))
        .merge(channel, window, Math::max);
  }

  /** Handles a neighbour's message, which may use or return some. */
  void received(NodeId neighbour, EdgeMessage message) {
    if (message instanceof Data data) {
      Channel channel = data.item().stream().channel();
      add(credit, neighbour, channel, -data.item().cost());
    } else if (message instanceof UnusedCredit unused) {
      add(credit, neighbour, Channel.UPLOADS, -unused.bytes());
      add(windows, neighbour, Channel.UPLOADS, -unused.bytes());
      anyGivenBack = true;
    }
  }
}
