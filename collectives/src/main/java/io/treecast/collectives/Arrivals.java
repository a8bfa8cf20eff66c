package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * Judges the items that neighbours send: what is here already is dropped, what comes next in its
 * stream goes on, and what is beyond that is a violation. Counts what comes. Relay's thread.
 */
final class Arrivals {
  /** What follows from it. */
  interface Relay {
    /** This comes next in a stream. */
    void append(StreamLog stream, LogItem item, Inlet inlet, @Nullable NodeId from);

    /** The neighbour can not have sent this. */
    void violated(DataEdge edge, String reason);
  }

  private final BroadcastLimits limits;
  private final ReplicationLog log;
  private final Streams streams;
  private final Relay relay;
  private long duplicateChunks;
  private long gaps;

  Arrivals(BroadcastLimits limits, ReplicationLog log, Streams streams, Relay relay) {
    this.limits = limits;
    this.log = log;
    this.streams = streams;
    this.relay = relay;
  }

  /** Chunks that had been received before. */
  long duplicateChunks() {
    return duplicateChunks;
  }

  /** Gaps that were taken over from neighbours. */
  long gaps() {
    return gaps;
  }

  /** The neighbour at the other end sent this item. */
  void received(DataEdge edge, LogItem item) {
    String problem = edge.take(item);
    if (problem != null) {
      relay.violated(edge, problem);
      return;
    }
    edge.outlet().advance(item.stream(), item.to());
    StreamLog stream = log.find(item.stream());
    Position due = stream == null ? Position.START : stream.next();
    if (!due.isBefore(item.to())) {
      duplicateChunks += item instanceof Chunk ? 1 : 0;
      edge.inlet().release(item.cost());
      return;
    }
    String violation = streams.problemWith(item, stream, due);
    if (violation == null && stream == null) {
      stream = streams.begin(item.stream(), edge.neighbour());
    }
    if (violation != null || stream == null) {
      String tooMany = " is of one stream more than limits.origins = " + limits.origins();
      relay.violated(edge, violation == null ? item + tooMany : violation);
      edge.inlet().release(item.cost());
      return;
    }
    if (item instanceof Gap gap) {
      gaps++;
      Gap rest = new Gap(gap.stream(), due, gap.to(), gap.treeVersion());
      relay.append(stream, rest, edge.inlet(), edge.neighbour());
    } else {
      relay.append(stream, item, edge.inlet(), edge.neighbour());
    }
  }
}
