package io.treecast.collectives.broadcast.subscribe;

import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages that ask for receipts and that this member has not delivered yet.
 *
 * <p>A message is watched from its first chunk on, so that a subscriber that is told of a gap in it
 * is noticed: such a message is never delivered here, and the origin hears so. It hears the same of
 * one whose begin this member missed, when more of that comes; of one that it missed whole, it does
 * not know that the origin waits. Whether any subscriber was handed the message is told with it: a
 * member whose subscribers are away, or begin later, has it and has handed it to nobody.
 *
 * <p><b>Bounds.</b> A subscriber that stands still and that nobody waits for may lack any number of
 * messages. So one is watched until its origin does not wait any more, reckoned from when the last
 * of it came here, and of all at most {@link #MAX_WATCHED}; then that of which this is so first
 * goes. Those that are not complete are one of each stream. What they carry is not kept.
 */
public final class DeliveryWatch {
  /** The most complete messages that are watched. */
  public static final int MAX_WATCHED = 65_536;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** The subscribers of this member. */
  public interface Audience {
    /** Whether subscriptions have begun: there is a tree. */
    boolean hasBegun();

    /** Whether each of them has been handed what is for it of the stream, up to here. */
    boolean has(StreamId stream, Position end);
  }

  /** A message. */
  public static final class Watched {
    private final MessageId message;
    private final int receiptMillis;
    private boolean handedOver;
    private @Nullable NodeId from;
    private @Nullable Position end;
    private long endNanos;
    private long number;

    private Watched(Chunk any) {
      this.message = any.messageId();
      this.receiptMillis = any.receiptMillis();
    }

    public MessageId message() {
      return message;
    }

    public int receiptMillis() {
      return receiptMillis;
    }

    /** Whom the last chunk came from; null if it was published here. */
    @Nullable
    public NodeId from() {
      return from;
    }

    /** Whether any subscriber of this member was handed the whole of it. */
    public boolean isHandedOver() {
      return handedOver;
    }
  }

  /** By stream and sequence. */
  private final TreeMap<StreamId, TreeMap<Long, Watched>> streams = new TreeMap<>();

  /** Those that are complete, by when their origins do not wait any more. */
  private final TreeSet<Watched> byEnd =
      new TreeSet<>(
          Comparator.<Watched>comparingLong(w -> w.endNanos).thenComparingLong(w -> w.number));

  /** Those that some subscriber does not get, and nobody was told of. */
  private final List<Watched> lost = new ArrayList<>();

  /** Streams whose latest item is a gap that ends inside a message. */
  private final TreeSet<StreamId> brokenOff = new TreeSet<>();

  /** Streams of which something came, or subscribers have more, since that was checked. */
  private final TreeSet<StreamId> moved = new TreeSet<>();

  private long lastNumber;
  private long nowNanos;

  /**
   * This is about to be logged and handed to subscribers.
   *
   * @param from the neighbour that it came from, or null
   */
  public void logs(LogItem item, @Nullable NodeId from) {
    boolean isWithoutBegin = brokenOff.remove(item.stream());
    if (item instanceof Gap gap) {
      missed(gap);
      if (gap.to().insideMessage() && !gap.stream().isOfTopic()) {
        brokenOff.add(gap.stream());
      }
    } else if (item instanceof Chunk chunk && chunk.asksForReceipts()) {
      if (isWithoutBegin && !chunk.abandoned()) {
        lost.add(new Watched(chunk));
      }
      long sequence = chunk.messageId().sequence();
      if (chunk.index() == 0) {
        streams
            .computeIfAbsent(chunk.stream(), stream -> new TreeMap<>())
            .put(sequence, new Watched(chunk));
      }
      TreeMap<Long, Watched> watched = streams.get(chunk.stream());
      Watched last = watched == null ? null : watched.get(sequence);
      moved(chunk.stream());
      if (chunk.last() && last != null) {
        if (chunk.abandoned()) {
          drop(last);
        } else {
          complete(last, chunk.to(), from);
        }
      }
    }
  }

  private void complete(Watched watched, Position end, @Nullable NodeId from) {
    watched.from = from;
    watched.end = end;
    watched.endNanos = nowNanos + watched.receiptMillis * NANOS_PER_MILLI;
    watched.number = ++lastNumber;
    byEnd.add(watched);
    if (byEnd.size() > MAX_WATCHED) {
      drop(byEnd.first());
    }
  }

  private void drop(Watched watched) {
    byEnd.remove(watched);
    StreamId stream = watched.message.stream();
    TreeMap<Long, Watched> others = streams.get(stream);
    if (others != null) {
      others.remove(watched.message.sequence());
      if (others.isEmpty()) {
        streams.remove(stream);
      }
    }
  }

  /** This member, or one of its subscribers, does not get that. */
  void missed(Gap gap) {
    TreeMap<Long, Watched> watched = streams.get(gap.stream());
    if (watched != null) {
      Map<Long, Watched> missed = watched.subMap(gap.firstMissed(), true, gap.lastMissed(), true);
      missed.values().forEach(byEnd::remove);
      lost.addAll(missed.values());
      missed.clear();
    }
  }

  /** The messages that are known since the last call never to be delivered here. */
  public List<Watched> takeLost() {
    List<Watched> taken = List.copyOf(lost);
    lost.clear();
    return taken;
  }

  /** A subscriber of this member was handed the whole message. */
  void handedOver(MessageId message) {
    TreeMap<Long, Watched> watched = streams.get(message.stream());
    Watched whole = watched == null ? null : watched.get(message.sequence());
    if (whole != null) {
      whole.handedOver = true;
    }
  }

  /** A subscriber of this member has more of the stream than before. */
  public void moved(StreamId stream) {
    if (!stream.isOfTopic() && streams.containsKey(stream)) {
      moved.add(stream);
    }
  }

  public void forget(StreamId stream) {
    moved.remove(stream);
    brokenOff.remove(stream);
    TreeMap<Long, Watched> watched = streams.remove(stream);
    if (watched != null) {
      watched.values().forEach(byEnd::remove);
    }
  }

  /** Time has passed. */
  public void tick(long now) {
    nowNanos = now;
    while (!byEnd.isEmpty() && byEnd.first().endNanos <= now) {
      drop(byEnd.first());
    }
  }

  /**
   * Other messages may be due, or to others.
   *
   * @param delivered told of each message that each subscriber who is due it has by now
   */
  public void check(Audience audience, Consumer<Watched> delivered) {
    if (streams.isEmpty() || !audience.hasBegun()) {
      return;
    }
    streams.forEach((stream, watched) -> check(audience, stream, watched, delivered));
    streams.values().removeIf(Map::isEmpty);
    moved.clear();
  }

  /** The same when there is nothing but what came and what subscribers have got. */
  public void checkMoved(Audience audience, Consumer<Watched> delivered) {
    while (!moved.isEmpty() && audience.hasBegun()) {
      StreamId stream = moved.first();
      moved.remove(stream);
      TreeMap<Long, Watched> watched = streams.get(stream);
      if (watched != null) {
        check(audience, stream, watched, delivered);
        if (watched.isEmpty()) {
          streams.remove(stream);
        }
      }
    }
  }

  private void check(
      Audience audience,
      StreamId stream,
      NavigableMap<Long, Watched> watched,
      Consumer<Watched> delivered) {
    while (!watched.isEmpty()) {
      Watched next = watched.firstEntry().getValue();
      if (next.end == null || !audience.has(stream, next.end)) {
        return;
      }
      watched.pollFirstEntry();
      byEnd.remove(next);
      delivered.accept(next);
    }
  }
}
