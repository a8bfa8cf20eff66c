package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.edge.DataEdges;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.order.TotalOrder;
import io.treecast.collectives.broadcast.stability.Stability;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.collectives.broadcast.subscribe.LocalSubscribers;
import io.treecast.collectives.broadcast.topic.Interests.InterestState;
import io.treecast.ghs.NodeId;
import java.util.function.BiConsumer;

/**
 * Connects a relay's log with {@link Stability}: releases stable content, and measures how much is
 * unstable.
 */
final class LogStability implements Stability.StabilityContext {
  /**
   * Publishers are about to wait when this fraction of a share, one in {@code PRESSED_PART}, is
   * unstable.
   */
  private static final int PRESSED_PART = 4;

  private final BroadcastLimits limits;
  private final ReplicationLog log;
  private final Streams streams;
  private final LocalSubscribers subscribers;
  private final TotalOrder order;
  private final DataEdges edges;
  private final TopicFlow topics;
  private final BiConsumer<NodeId, EdgeMessage> send;

  /** Creates the connection for the log of one relay. */
  LogStability(
      BroadcastLimits limits,
      ReplicationLog log,
      Streams streams,
      LocalSubscribers subscribers,
      TotalOrder order,
      DataEdges edges,
      TopicFlow topics,
      BiConsumer<NodeId, EdgeMessage> send) {
    this.limits = limits;
    this.log = log;
    this.streams = streams;
    this.subscribers = subscribers;
    this.order = order;
    this.edges = edges;
    this.topics = topics;
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
  public boolean isHere(StreamId id) {
    return log.find(id) != null;
  }

  @Override
  public boolean isWanted(String topic) {
    return subscribers.isSubscribed(topic);
  }

  @Override
  public InterestState interest(NodeId child, String topic) {
    return topics.interests().interest(child, topic);
  }

  @Override
  public InterestState interest(String topic) {
    return topics.interest(topic);
  }

  @Override
  public boolean isPressed(int members) {
    long share = limits.unstableShareBytes(members);
    return log.unstableBytes() >= share / PRESSED_PART;
  }

  @Override
  public boolean isOpen(NodeId neighbour) {
    return edges.isOpen(neighbour);
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
        stable(stream, position.next(), stable.treeVersion());
      }
    }
  }

  @Override
  public void stable(StreamLog stream, Position end, long treeVersion) {
    log.stableUpTo(stream, order.had(stream.id(), end), treeVersion);
  }
}
