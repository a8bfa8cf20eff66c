package io.treecast.collectives;

import io.treecast.collectives.EdgeMessage.Stable;
import io.treecast.collectives.Interests.Wants;
import io.treecast.ghs.NodeId;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;

/** Lets a relay's log go when it is stable, and says how much is not. Relay's thread. */
final class LogStability implements Stability.Relay {
  /** Publishers are about to wait when so much of one's share is unstable: one part of so many. */
  private static final int PRESSED_PART = 4;

  private final BroadcastLimits limits;
  private final ReplicationLog log;
  private final Streams streams;
  private final LocalSubscribers subscribers;
  private final TotalOrder order;
  private final Map<NodeId, DataEdge> edges;
  private final BiFunction<NodeId, String, Wants> wants;
  private final IntSupplier memberCount;
  private final BiConsumer<NodeId, EdgeMessage> send;

  /**
   * For the log of one relay.
   *
   * @param edges of the relay
   * @param wants whether a neighbour's side of the committed tree wants a topic
   * @param memberCount of its committed tree
   */
  LogStability(
      BroadcastLimits limits,
      ReplicationLog log,
      Streams streams,
      LocalSubscribers subscribers,
      TotalOrder order,
      Map<NodeId, DataEdge> edges,
      BiFunction<NodeId, String, Wants> wants,
      IntSupplier memberCount,
      BiConsumer<NodeId, EdgeMessage> send) {
    this.limits = limits;
    this.log = log;
    this.streams = streams;
    this.subscribers = subscribers;
    this.order = order;
    this.edges = edges;
    this.wants = wants;
    this.memberCount = memberCount;
    this.send = send;
  }

  @Override
  public Iterable<StreamLog> counted() {
    return streams.counted();
  }

  @Override
  public Position next(StreamId id) {
    return order.had(id, log.next(id));
  }

  @Override
  public boolean isWanted(String topic) {
    return subscribers.want(topic);
  }

  @Override
  public Wants wants(NodeId child, String topic) {
    return wants.apply(child, topic);
  }

  @Override
  public boolean isPressed() {
    long share = limits.unstableShareBytes(memberCount.getAsInt());
    return log.unstableBytes() >= share / PRESSED_PART;
  }

  @Override
  public boolean isOpen(NodeId neighbour) {
    DataEdge edge = edges.get(neighbour);
    return edge != null && edge.stream() == DataEdge.Stream.OPEN;
  }

  @Override
  public void send(NodeId neighbour, EdgeMessage message) {
    send.accept(neighbour, message);
  }

  @Override
  public void stable(Stable stable) {
    log.keepForAbsent(stable.isRetained());
    for (StreamPosition position : stable.positions()) {
      StreamLog stream = log.find(position.stream());
      if (stream != null) {
        Position had = order.had(stream.id(), position.next());
        log.stableUpTo(stream, had, stable.treeVersion());
      }
    }
  }
}
