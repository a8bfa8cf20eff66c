package io.treecast.collectives;

import io.treecast.collectives.EdgeMessage.Data;
import io.treecast.collectives.EdgeMessage.Digest;
import io.treecast.ghs.NodeId;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A relay's edges: those that are active, and others that are of use still. Relay's thread.
 *
 * <p>All that touches each of them does so in the order of the neighbours' ids.
 */
final class DataEdges {
  private final BroadcastLimits limits;
  private final ReplicationLog log;
  private final BroadcastEffects effects;
  private final Function<NodeId, List<Digest>> digest;
  private final TreeMap<NodeId, DataEdge> edges = new TreeMap<>();
  private List<NodeId> treeNeighbours = List.of();
  private long forwardedChunks;

  /**
   * No edges.
   *
   * @param digest what a neighbour is told that this member has
   */
  DataEdges(
      BroadcastLimits limits,
      ReplicationLog log,
      BroadcastEffects effects,
      Function<NodeId, List<Digest>> digest) {
    this.limits = limits;
    this.log = log;
    this.effects = effects;
    this.digest = digest;
  }

  @Nullable DataEdge find(NodeId neighbour) {
    return edges.get(neighbour);
  }

  /** Whether the data stream to a neighbour is open. */
  boolean isOpen(NodeId neighbour) {
    DataEdge edge = edges.get(neighbour);
    return edge != null && edge.stream() == DataEdge.Stream.OPEN;
  }

  Collection<DataEdge> all() {
    return edges.values();
  }

  /** The same, by neighbour. */
  Map<NodeId, DataEdge> byNeighbour() {
    return Collections.unmodifiableMap(edges);
  }

  /** The edge to a neighbour, new if there is none. */
  DataEdge to(NodeId neighbour) {
    return edges.computeIfAbsent(neighbour, this::newEdge);
  }

  private DataEdge newEdge(NodeId neighbour) {
    Consumer<LogItem> pass =
        item -> {
          forwardedChunks += item instanceof Chunk ? 1 : 0;
          effects.send(neighbour, new Data(item));
        };
    DataEdge edge =
        new DataEdge(
            neighbour,
            limits,
            message -> effects.send(neighbour, message),
            () -> digest.apply(neighbour),
            () -> edges.values().stream().mapToLong(e -> e.inlet().reservedBytes()).sum(),
            new Outlet(log, new NeighbourExit(pass), Set.of(Topic.DEFAULT)));
    edge.inTree(treeNeighbours.contains(neighbour));
    return edge;
  }

  /** A tree was committed in which this member has these neighbours. */
  void treeNeighboursAre(List<NodeId> neighbours) {
    treeNeighbours = neighbours;
    edges.values().forEach(edge -> edge.inTree(neighbours.contains(edge.neighbour())));
  }

  /** This end sends to these neighbours, and no others. */
  void activate(SortedSet<NodeId> neighbours) {
    for (DataEdge edge : edges.values()) {
      if (edge.isActive() && !neighbours.contains(edge.neighbour())) {
        edge.deactivate();
      }
    }
    removeIdle();
    for (NodeId neighbour : neighbours) {
      DataEdge edge = to(neighbour);
      if (!edge.isActive()) {
        edge.activate();
      }
    }
  }

  void removeIdle() {
    edges.values().removeIf(DataEdge::isIdle);
  }

  /** Something was logged. */
  void put(LogEntry entry) {
    for (DataEdge edge : edges.values()) {
      if (edge.isActive()) {
        edge.outlet().put(entry);
      }
    }
  }

  /** Cost of what came by them and waits. */
  long waitingBytes() {
    return edges.values().stream().mapToLong(edge -> edge.inlet().waitingBytes()).sum();
  }

  /** Chunks sent to a neighbour, once for each. */
  long forwardedChunks() {
    return forwardedChunks;
  }
}
