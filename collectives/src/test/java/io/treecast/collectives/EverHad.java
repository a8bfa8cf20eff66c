package io.treecast.collectives;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How far streams have ever come at a node, also those that it has forgotten. */
final class EverHad {
  /** Hashed, since it is added to with each step of a run. */
  private final Map<StreamId, Position> streams = new HashMap<>();

  private int present;

  /** What the node has now. */
  void add(List<StreamPosition> positions) {
    present = 0;
    for (StreamPosition position : positions) {
      if (Position.START.isBefore(position.next())) {
        streams.put(position.stream(), position.next());
        present++;
      }
    }
  }

  /** There was no room for what came of a stream. */
  void leftOut(StreamId stream, Position next) {
    streams.merge(stream, next, (a, b) -> a.isBefore(b) ? b : a);
  }

  /** The same; gives how far all have come, with those that it has forgotten. */
  Map<StreamId, Position> with(List<StreamPosition> positions) {
    add(positions);
    return new TreeMap<>(streams);
  }

  /** By their ids. */
  List<StreamPosition> positions() {
    List<StreamPosition> all = new ArrayList<>();
    new TreeMap<>(streams).forEach((stream, next) -> all.add(new StreamPosition(stream, next)));
    return all;
  }

  /** Whether all of the message came. */
  boolean has(MessageId message) {
    return streams.getOrDefault(message.stream(), Position.START).sequence() > message.sequence();
  }

  /** How many streams the node has forgotten. */
  int forgotten() {
    return streams.size() - present;
  }
}
