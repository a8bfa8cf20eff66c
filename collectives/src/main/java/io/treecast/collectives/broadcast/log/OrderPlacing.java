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
 * Gives the messages of a topic their places in the total order, at the root of a committed tree,
 * for one epoch.
 */
public final class OrderPlacing {
  private final String topic;
  private final long epoch;

  /** Where what has no place begins in each stream; looked up only. */
  private final Map<StreamId, Position> placed = new HashMap<>();

  private long lastNumber;

  /** Nothing has a place. */
  public OrderPlacing(String topic, long epoch) {
    this.topic = topic;
    this.epoch = epoch;
  }

  /** The message, and what comes before it in its stream, has a place already. */
  public void hasPlace(OrderEntry entry) {
    placed.merge(entry.stream(), entry.end(), (a, b) -> a.isBefore(b) ? b : a);
  }

  /** Places for all that the log has and that has none, in the order in which it was logged. */
  public List<OrderEntry> place(ReplicationLog log) {
    List<OrderEntry> entries = new ArrayList<>();
    for (LogEntry content = log.first(); content != null; content = content.later()) {
      entries.addAll(place(content.stream().id(), content.item().to()));
    }
    for (StreamLog stream : log.streams()) {
      entries.addAll(place(stream.id(), stream.next())); // What is not retained.
    }
    for (StreamLog left : log.forgotten()) {
      if (left.mayBeElsewhere()) {
        entries.addAll(place(left.id(), left.next()));
      }
    }
    return entries;
  }

  /** A place for the stream's whole messages up to here; none if all have one. */
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
