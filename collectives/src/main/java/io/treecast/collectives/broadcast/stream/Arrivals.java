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
 * Judges the items that neighbours send: what is here already is dropped, what comes next in its
 * stream goes on, and what is beyond that is a violation. Counts what comes.
 *
 * <p>What is of one stream more than {@code limits.origins} is dropped, and whoever would have got
 * it from here is told that it misses it ({@link Streams#leaveOut}). When there is room later, the
 * stream goes on behind that. Of a stream that was dropped or forgotten so long ago that it is not
 * known any more how far it had come, what is missing before is a gap.
 */
public final class Arrivals {
  /** Where what comes next in a stream goes. */
  @FunctionalInterface
  public interface Log {
    void append(StreamLog stream, LogItem item, Inlet inlet, @Nullable NodeId from);
  }

  /** The least time between two words about dropped items. */
  public static final long NOTE_NANOS = 60_000_000_000L;

  private final ReplicationLog log;
  private final Streams streams;
  private final Log relay;
  private final BiConsumer<NodeId, String> violated;
  private final BiConsumer<NodeId, LogItem> dropped;
  private long duplicateChunks;
  private long gaps;
  private long droppedItems;

  /** Who may take it, on their present data streams, that something is here which is not. */
  private final TreeSet<NodeId> mistaken = new TreeSet<>();

  private long nowNanos;
  private long nextNoteNanos = Long.MIN_VALUE;

  /**
   * For one relay, on which nothing has arrived.
   *
   * @param violated told who sent what it cannot have, and why
   * @param dropped told once a minute at most of an item that there is no room for, and whose it is
   */
  public Arrivals(
      ReplicationLog log,
      Streams streams,
      Log relay,
      BiConsumer<NodeId, String> violated,
      BiConsumer<NodeId, LogItem> dropped) {
    this.log = log;
    this.streams = streams;
    this.relay = relay;
    this.violated = violated;
    this.dropped = dropped;
  }

  /** Chunks that had been received before. */
  public long duplicateChunks() {
    return duplicateChunks;
  }

  /** Gaps that were taken over from neighbours. */
  public long gaps() {
    return gaps;
  }

  /** Items that were dropped since there was no room for their streams. */
  public long droppedItems() {
    return droppedItems;
  }

  /** The neighbour at the other end sent this item. */
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
   * A member sent this, which it has published, ahead of the tree.
   *
   * @return whether it is what comes next, and was taken
   */
  public boolean receivedAhead(NodeId origin, Chunk message) {
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
   * Others have forgotten what there was of a stream, and nobody sends it: who lacks some here is
   * told so.
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
   * What was here of a stream is not known any more, and the neighbour may send what follows it.
   */
  public void lost(NodeId neighbour) {
    mistaken.add(neighbour);
  }

  /**
   * The data stream to a neighbour has ended: on the next it sends what is lacked from there on.
   */
  public void closed(NodeId neighbour) {
    mistaken.remove(neighbour);
  }

  public void tick(long now) {
    nowNanos = now;
  }
}
