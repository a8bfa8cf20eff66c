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

/** The furthest positions that streams ever had at a node, including forgotten ones. */
final class EverHad {
  /** Hashed, because it is updated with each step of a run. */
  private final Map<StreamId, Position> streams = new HashMap<>();

  /** The positions of streams that others reported as forgotten. */
  private final Map<StreamId, Position> gone = new HashMap<>();

  /** The messages of others of which any chunk was logged. */
  private final Set<MessageId> inPart = new HashSet<>();

  private int mostForgotten;

  /** The relay's count when a neighbour last sent data. */
  private long droppedItems;

  private long duplicateChunks;

  /** Adds the node's present positions. */
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
   * Handles a neighbour's message.
   *
   * @param counters returns the relay's counters after it; called only when they may have changed
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

  /**
   * Returns the furthest positions, including those known to be missed because others forgot them.
   */
  Map<StreamId, Position> withGone(List<StreamPosition> positions) {
    Map<StreamId, Position> all = with(positions);
    gone.forEach((stream, next) -> put(all, stream, next));
    return all;
  }

  /** Adds the node's present positions; returns the furthest ones, including forgotten streams. */
  Map<StreamId, Position> with(List<StreamPosition> positions) {
    add(positions);
    return new TreeMap<>(streams);
  }

  /** Returns the furthest position that any of the nodes ever had in each stream, by their ids. */
  static List<StreamPosition> ofAll(Collection<SimulatedNode> nodes) {
    EverHad all = new EverHad();
    for (SimulatedNode node : nodes) {
      for (StreamPosition had : node.everHad.positions()) {
        put(all.streams, had.stream(), had.next());
      }
    }
    return all.positions();
  }

  /** Returns the positions, by stream ids. */
  List<StreamPosition> positions() {
    List<StreamPosition> all = new ArrayList<>();
    new TreeMap<>(streams).forEach((stream, next) -> all.add(new StreamPosition(stream, next)));
    return all;
  }

  /** Returns whether any part of the other node's message arrived and was not missed. */
  boolean hasAnyOf(MessageId message) {
    return inPart.contains(message);
  }

  /** Returns whether all of the message arrived, or was missed. */
  boolean has(MessageId message) {
    return streams.getOrDefault(message.stream(), Position.START).sequence() > message.sequence();
  }

  /** Returns the largest number of streams that the node had forgotten at a time. */
  int forgotten() {
    return mostForgotten;
  }
}
