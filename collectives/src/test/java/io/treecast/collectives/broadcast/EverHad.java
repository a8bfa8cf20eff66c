package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** How far streams have ever come at a node, also those that it has forgotten. */
final class EverHad {
  /** Hashed, since it is added to with each step of a run. */
  private final Map<StreamId, Position> streams = new HashMap<>();

  /** How far others said that they have forgotten streams. */
  private final Map<StreamId, Position> gone = new HashMap<>();

  /** The messages of others of which any chunk was logged. */
  private final Set<MessageId> inPart = new HashSet<>();

  private int mostForgotten;

  /** What the relay had counted when a neighbour had sent data last. */
  private long droppedItems;

  private long duplicateChunks;

  /** What the node has now. */
  void add(List<StreamPosition> positions) {
    int present = 0;
    for (StreamPosition position : positions) {
      if (Position.START.isBefore(position.next())) {
        streams.put(position.stream(), position.next());
        present++;
      }
    }
    mostForgotten = Math.max(mostForgotten, streams.size() - present);
  }

  /**
   * A neighbour said this.
   *
   * @param counters what the relay has counted with this; asked only when it may have changed
   */
  void received(EdgeMessage message, Supplier<BroadcastCounters> counters) {
    if (message instanceof EdgeMessage.Data data) {
      received(data, counters.get());
    } else if (message instanceof EdgeMessage.InterestKnown known) {
      known.forgotten().forEach(gap -> put(gone, gap.stream(), gap.to()));
    }
  }

  private void received(EdgeMessage.Data data, BroadcastCounters counters) {
    if (counters.droppedItems() > droppedItems) {
      put(streams, data.item().stream(), data.item().to());
    } else if (data.item() instanceof Chunk chunk
        && counters.duplicateChunks() == duplicateChunks) {
      inPart.add(chunk.messageId());
    }
    droppedItems = counters.droppedItems();
    duplicateChunks = counters.duplicateChunks();
  }

  private static void put(Map<StreamId, Position> streams, StreamId stream, Position next) {
    streams.merge(stream, next, (a, b) -> a.isBefore(b) ? b : a);
  }

  /** How far all have come, with those that it knows to be missed since others forgot them. */
  Map<StreamId, Position> withGone(List<StreamPosition> positions) {
    Map<StreamId, Position> all = with(positions);
    gone.forEach((stream, next) -> put(all, stream, next));
    return all;
  }

  /** What the node has now; gives how far all have come, with those that it has forgotten. */
  Map<StreamId, Position> with(List<StreamPosition> positions) {
    add(positions);
    return new TreeMap<>(streams);
  }

  /** How far any of the nodes has ever come in each stream, by their ids. */
  static List<StreamPosition> ofAll(Collection<SimulatedNode> nodes) {
    EverHad all = new EverHad();
    for (SimulatedNode node : nodes) {
      for (StreamPosition had : node.everHad.positions()) {
        put(all.streams, had.stream(), had.next());
      }
    }
    return all.positions();
  }

  /** By their ids. */
  List<StreamPosition> positions() {
    List<StreamPosition> all = new ArrayList<>();
    new TreeMap<>(streams).forEach((stream, next) -> all.add(new StreamPosition(stream, next)));
    return all;
  }

  /** Whether any of the other node's message came that was not missed. */
  boolean hasAnyOf(MessageId message) {
    return inPart.contains(message);
  }

  /** Whether all of the message came, or was missed. */
  boolean has(MessageId message) {
    return streams.getOrDefault(message.stream(), Position.START).sequence() > message.sequence();
  }

  /** How many streams the node had forgotten when these were most. */
  int forgotten() {
    return mostForgotten;
  }
}
