package io.treecast.collectives.broadcast.order;

import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages of a topic that a member, or one below it in the tree, has and for which it knows no
 * place in the present epoch. The root may have had them and forgotten them, so the member requests
 * their places, once for each message.
 */
final class UnplacedContent {
  private final String topic;
  private final ReplicationLog log;

  /**
   * The position in each stream up to which places were requested from the parent in this epoch.
   */
  private final Map<StreamId, Position> asked = new HashMap<>();

  UnplacedContent(String topic, ReplicationLog log) {
    this.topic = topic;
    this.log = log;
  }

  /**
   * Begins an epoch, or restarts it with another data stream to the parent: no place has been
   * requested.
   */
  void begin() {
    asked.clear();
  }

  /**
   * Returns the messages here without a place, up to the position of each stream.
   *
   * @param awaited the places that are known and not decided
   * @param present the epoch
   */
  List<OrderEntry> find(DecidedOrder decided, Collection<OrderEntry> awaited, TreeEpoch present) {
    Map<StreamId, Position> placed = new HashMap<>();
    for (OrderEntry entry : awaited) {
      placed.merge(entry.stream(), entry.end(), (a, b) -> a.isBefore(b) ? b : a);
    }
    List<OrderEntry> found = new ArrayList<>();
    for (StreamLog stream : log.streams()) {
      StreamId id = stream.id();
      Position whole = new Position(stream.next().sequence(), 0);
      if (id.topic().equals(topic)
          && !id.isOfUploads()
          && decided.end(id).isBefore(whole)
          && placed.getOrDefault(id, Position.START).isBefore(whole)) {
        found.addAll(of(id, whole, present));
      }
    }
    return found;
  }

  /** Returns the message of a stream before {@code to}; the position of the entry is ignored. */
  List<OrderEntry> of(StreamId stream, Position to, TreeEpoch present) {
    long last = to.sequence() - 1;
    OrderPosition any = new OrderPosition(present.treeVersion(), 1);
    return last < 1 ? List.of() : List.of(new OrderEntry(any, stream, last));
  }

  /** Returns the messages that were here, too, at any time. */
  List<OrderEntry> knownHere(List<OrderEntry> lacking) {
    return lacking.stream()
        .filter(entry -> !log.next(entry.stream()).isBefore(entry.end()))
        .toList();
  }

  /**
   * Returns the messages whose places were not requested from the parent; limited to the number of
   * remembered streams.
   */
  List<OrderEntry> unrequested(List<OrderEntry> lacking) {
    List<OrderEntry> news = new ArrayList<>();
    for (OrderEntry entry : lacking) {
      StreamId id = entry.stream();
      boolean hasRoom = asked.containsKey(id) || asked.size() < 2 * log.mostForgotten();
      if (hasRoom && asked.getOrDefault(id, Position.START).isBefore(entry.end())) {
        asked.put(id, entry.end());
        news.add(entry);
      }
    }
    return news;
  }
}
