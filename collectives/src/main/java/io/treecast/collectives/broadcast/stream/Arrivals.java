package io.treecast.collectives.broadcast.stream;

import io.treecast.collectives.broadcast.edge.DataEdge;
import io.treecast.collectives.broadcast.log.Inlet;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the items that neighbours send, and counts them. An item that is here already is
 * dropped, the next item of its stream is accepted, and one beyond that is a violation.
 *
 * <p>Items of a stream in excess of {@code limits.origins} are dropped, and every outlet that would
 * have got them gets a gap ({@link Streams#leaveOut}). When there is room later, the stream
 * continues after them. If a stream was dropped or forgotten so long ago that its position is no
 * longer known, the missing content before the next item is a gap.
 */
public final class Arrivals {
  /** The destination of the next items of streams. */
  @FunctionalInterface
  public interface ArrivalSink {
    void append(StreamLog stream, LogItem item, Inlet inlet, @Nullable NodeId from);
  }

  /** The least time between two reports of dropped items. */
  public static final long NOTE_NANOS = 60_000_000_000L;

  private final ReplicationLog log;
  private final Streams streams;
  private final ArrivalSink relay;
  private final BiConsumer<NodeId, String> violated;
  private final BiConsumer<NodeId, LogItem> dropped;
  private long duplicateChunks;
  private long gaps;
  private long droppedItems;

  /**
   * Neighbours that may assume, on their current stream, that this member has items it has
   * forgotten.
   */
  private final TreeSet<NodeId> mistaken = new TreeSet<>();

  private long nowNanos;
  private long nextNoteNanos = Long.MIN_VALUE;

  /**
   * Creates the arrivals of one relay, on which nothing has arrived.
   *
   * @param violated called with a neighbour that sent an item it cannot have, and the reason
   * @param dropped called at most once a minute with an item for which there is no room, and its
   *     sender
   */
  public Arrivals(
      ReplicationLog log,
      Streams streams,
      ArrivalSink relay,
      BiConsumer<NodeId, String> violated,
      BiConsumer<NodeId, LogItem> dropped) {
    this.log = log;
    this.streams = streams;
    this.relay = relay;
    this.violated = violated;
    this.dropped = dropped;
  }

  /** Returns the number of chunks that had been received before. */
  public long duplicateChunks() {
    return duplicateChunks;
  }

  /** Returns the number of gaps received from neighbours. */
  public long gaps() {
    return gaps;
  }

  /** Returns the number of items dropped because there was no room for their streams. */
  public long droppedItems() {
    return droppedItems;
  }

  /** Handles an item from the neighbour at the other end. */
  public void received(DataEdge edge, LogItem item) {
    String problem = edge.take(item);
    if (problem != null) {
      violated.accept(edge.neighbour(), problem);
      return;
    }
    StreamId id = item.stream();
    StreamLog stream = log.find(id);
    Position due = log.next(id);
    boolean isDuplicate = !due.isBefore(item.to()) || streams.isForgottenOwn(id);
    if (stream == null && !isDuplicate && !streams.isOwn(id) && !streams.hasRoomForAnother()) {
      drop(edge, item);
      return;
    }
    edge.outlet().advance(id, item.to());
    if (isDuplicate) {
      streams.recall(id);
      duplicateChunks += item instanceof Chunk ? 1 : 0;
      edge.inlet().release(item.cost());
      return;
    }
    boolean isBehindLost = due.isBefore(item.from()) && mistaken.contains(edge.neighbour());
    problem = streams.claims().problemWith(item, stream, isBehindLost ? item.from() : due);
    if (problem != null) {
      violated.accept(edge.neighbour(), problem);
      edge.inlet().release(item.cost());
      return;
    }
    append(edge, stream == null ? streams.begin(id, edge.neighbour()) : stream, item);
  }

  /**
   * Handles a message that its origin sent ahead of the tree.
   *
   * @return whether it is next in its stream, and was accepted
   */
  public boolean receivedByShortcut(NodeId origin, Chunk message) {
    StreamId id = message.stream();
    StreamLog stream = log.find(id);
    Position due = log.next(id);
    if (!due.equals(message.from()) || (stream == null && !streams.hasRoomForAnother())) {
      return false;
    }
    String problem = streams.claims().problemWith(message, stream, due);
    if (problem != null) {
      violated.accept(origin, problem);
      return false;
    }
    StreamLog known = stream == null ? streams.begin(id, origin) : stream;
    relay.append(known, message.withStream(known.id()), bytes -> {}, origin);
    return true;
  }

  private void append(DataEdge edge, StreamLog stream, LogItem item) {
    Position due = stream.next();
    if (item instanceof Gap || due.isBefore(item.from())) {
      gaps++;
      boolean isGap = item instanceof Gap;
      Gap gap = new Gap(stream.id(), due, isGap ? item.to() : item.from(), item.treeVersion());
      relay.append(stream, gap, isGap ? edge.inlet() : bytes -> {}, edge.neighbour());
    }
    if (item instanceof Chunk chunk) {
      relay.append(stream, chunk.withStream(stream.id()), edge.inlet(), edge.neighbour());
    }
  }

  /**
   * Handles the whole content of a stream that other members have forgotten, and that no neighbour
   * sends: local subscribers that lack some get a gap.
   */
  public void gone(Gap all) {
    StreamLog stream = log.find(all.stream());
    Position due = log.next(all.stream());
    if (!due.isBefore(all.to())) {
      return;
    }
    gaps++;
    if (stream == null) {
      streams.learn(all);
    } else {
      long treeVersion = Math.max(all.treeVersion(), stream.latestVersion());
      relay.append(stream, new Gap(stream.id(), due, all.to(), treeVersion), bytes -> {}, null);
    }
  }

  private void drop(DataEdge edge, LogItem item) {
    droppedItems++;
    streams.leaveOut(item, edge.neighbour());
    edge.inlet().release(item.cost());
    if (nowNanos >= nextNoteNanos) {
      nextNoteNanos = nowNanos + NOTE_NANOS;
      dropped.accept(edge.neighbour(), item);
    }
  }

  /**
   * Notes that the position of a stream is no longer known here, while the neighbour may send later
   * content.
   */
  public void lost(NodeId neighbour) {
    mistaken.add(neighbour);
  }

  /**
   * Notes that the data stream to a neighbour has ended: the next one starts from the positions
   * that this member reports.
   */
  public void closed(NodeId neighbour) {
    mistaken.remove(neighbour);
  }

  public void tick(long now) {
    nowNanos = now;
  }
}
