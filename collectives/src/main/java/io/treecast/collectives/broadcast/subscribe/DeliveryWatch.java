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
 * The messages that request receipts and that this member has not delivered yet.
 *
 * <p>A message is watched from its first chunk on, so that a gap in it at a subscriber is noticed:
 * such a message is never delivered here, and the origin learns that. The same holds for a message
 * whose beginning this member missed, as soon as more of it arrives. If this member missed a
 * message entirely, it does not know that the origin waits. The receipt also states whether any
 * subscriber got the message: a member whose subscribers are away, or begin later, has it without
 * having handed it over.
 *
 * <p><b>Bounds.</b> A stalled subscriber that publishers do not wait for may lack any number of
 * messages. So a message is watched until its origin no longer waits, counted from the arrival of
 * its last chunk here, and at most {@link #MAX_WATCHED} are watched; beyond that, the one whose
 * time ends first is dropped. There is at most one incomplete message per stream. Payloads are not
 * kept.
 */
public final class DeliveryWatch {
  /** The largest number of complete messages that are watched. */
  public static final int MAX_WATCHED = 65_536;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** The subscribers of this member. */
  public interface Audience {
    /** Returns whether subscriptions have begun: there is a tree. */
    boolean hasBegun();

    /** Returns whether each subscriber has been handed its content of the stream up to here. */
    boolean has(StreamId stream, Position end);
  }

  /** A watched message. */
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

    /** Returns the neighbour that sent the last chunk; null if it was published here. */
    @Nullable
    public NodeId from() {
      return from;
    }

    /** Returns whether any subscriber of this member was handed the whole message. */
    public boolean isHandedOver() {
      return handedOver;
    }
  }

  /** The watched messages, by stream and sequence. */
  private final TreeMap<StreamId, TreeMap<Long, Watched>> streams = new TreeMap<>();

  /** The complete messages, by the time when their origins stop waiting. */
  private final TreeSet<Watched> byEnd =
      new TreeSet<>(
          Comparator.<Watched>comparingLong(w -> w.endNanos).thenComparingLong(w -> w.number));

  /** The messages that some subscriber does not get, not yet reported. */
  private final List<Watched> lost = new ArrayList<>();

  /** Streams whose latest item is a gap that ends inside a message. */
  private final TreeSet<StreamId> brokenOff = new TreeSet<>();

  /**
   * Streams that have received content, or whose subscribers have advanced, since the last check.
   */
  private final TreeSet<StreamId> moved = new TreeSet<>();

  private long lastNumber;
  private long nowNanos;

  /**
   * Notes that an item is about to be logged and handed to subscribers.
   *
   * @param from the neighbour that sent it; null if it is published here
   */
  public void logs(LogItem item, @Nullable NodeId from) {
    boolean isWithoutBegin = brokenOff.remove(item.stream());
    if (item instanceof Gap gap) {
      missed(gap);
      if (gap.to().insideMessage() && gap.stream().mayAskForReceipts()) {
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

  /** Notes that this member, or one of its subscribers, does not get the content. */
  void missed(Gap gap) {
    TreeMap<Long, Watched> watched = streams.get(gap.stream());
    if (watched != null) {
      Map<Long, Watched> missed = watched.subMap(gap.firstMissed(), true, gap.lastMissed(), true);
      missed.values().forEach(byEnd::remove);
      lost.addAll(missed.values());
      missed.clear();
    }
  }

  /** Returns the messages found since the last call that will never be delivered here. */
  public List<Watched> takeLost() {
    List<Watched> taken = List.copyOf(lost);
    lost.clear();
    return taken;
  }

  /** Notes that a subscriber of this member was handed the whole message. */
  void handedOver(MessageId message) {
    TreeMap<Long, Watched> watched = streams.get(message.stream());
    Watched whole = watched == null ? null : watched.get(message.sequence());
    if (whole != null) {
      whole.handedOver = true;
    }
  }

  /** Notes that a subscriber of this member has advanced in the stream. */
  public void moved(StreamId stream) {
    if (stream.mayAskForReceipts() && streams.containsKey(stream)) {
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

  /** Advances time: drops the messages whose origins no longer wait. */
  public void tick(long now) {
    nowNanos = now;
    while (!byEnd.isEmpty() && byEnd.first().endNanos <= now) {
      drop(byEnd.first());
    }
  }

  /**
   * Checks all messages, because the subscribers or their entitlement have changed.
   *
   * @param delivered called with each message that every entitled subscriber has by now
   */
  public void check(Audience audience, Consumer<Watched> delivered) {
    if (streams.isEmpty() || !audience.hasBegun()) {
      return;
    }
    streams.forEach((stream, watched) -> check(audience, stream, watched, delivered));
    streams.values().removeIf(Map::isEmpty);
    moved.clear();
  }

  /**
   * Checks the messages of streams that have moved since the last check.
   *
   * @param delivered called with each message that every entitled subscriber has by now
   */
  public void checkAdvanced(Audience audience, Consumer<Watched> delivered) {
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
