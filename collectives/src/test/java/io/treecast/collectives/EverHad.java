package io.treecast.collectives;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** How far streams have ever come at a node, also those that it has forgotten. */
final class EverHad {
  private final TreeMap<StreamId, Position> streams = new TreeMap<>();
  private Set<StreamId> present = Set.of();

  /** What the node has now. */
  void add(Map<StreamId, Position> positions) {
    streams.putAll(positions);
    present = new HashSet<>(positions.keySet());
  }

  /** The same; gives how far all have come, with those that it has forgotten. */
  Map<StreamId, Position> with(Map<StreamId, Position> positions) {
    add(positions);
    return new TreeMap<>(streams);
  }

  List<StreamPosition> positions() {
    List<StreamPosition> all = new ArrayList<>();
    streams.forEach((stream, next) -> all.add(new StreamPosition(stream, next)));
    return all;
  }

  /** How many streams the node has forgotten. */
  int forgotten() {
    return streams.size() - present.size();
  }
}
