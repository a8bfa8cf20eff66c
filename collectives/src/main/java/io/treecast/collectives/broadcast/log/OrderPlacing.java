package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns the messages of a topic their places in the total order, at the root of a committed tree,
 * for one epoch.
 */
public final class OrderPlacing {
  private final String topic;
  private final long epoch;

  /** The first place without an order in each stream; looked up only. */
  private final Map<StreamId, Position> placed = new HashMap<>();

  private long lastNumber;

  /** Creates an order in which no message has a place. */
  public OrderPlacing(String topic, long epoch) {
    this.topic = topic;
    this.epoch = epoch;
  }

  /** Records that the message, and all before it in its stream, have places already. */
  public void hasPlace(OrderEntry entry) {
    placed.merge(entry.stream(), entry.end(), (a, b) -> a.isBefore(b) ? b : a);
  }

  /**
   * Assigns places to all messages in the log that have none, in the order in which they were
   * logged.
   */
  public List<OrderEntry> place(ReplicationLog log) {
    List<OrderEntry> entries = new ArrayList<>();
    for (LogEntry content = log.first(); content != null; content = content.later()) {
      entries.addAll(place(content.stream().id(), content.item().to()));
    }
    for (StreamLog stream : log.streams()) {
      entries.addAll(place(stream.id(), stream.next())); // Messages that are not retained.
    }
    for (StreamLog left : log.forgotten()) {
      if (left.mayBeElsewhere()) {
        entries.addAll(place(left.id(), left.next()));
      }
    }
    return entries;
  }

  /**
   * Returns a place for the whole messages of the stream up to {@code to}; empty if all have one.
   */
  public List<OrderEntry> place(StreamId stream, Position to) {
    Position end = new Position(to.sequence(), 0);
    if (!stream.topic().equals(topic)
        || stream.isOfUploads()
        || !placed.getOrDefault(stream, Position.START).isBefore(end)) {
      return List.of();
    }
    placed.put(stream, end);
    OrderPosition position = new OrderPosition(epoch, ++lastNumber);
    return List.of(new OrderEntry(position, stream, end.sequence() - 1));
  }

  public void forget(StreamId stream) {
    placed.remove(stream);
  }
}
