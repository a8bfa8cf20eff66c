package io.treecast.collectives.broadcast.order;

import io.treecast.collectives.broadcast.edge.Outlet;
import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.stability.Stability;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Hands one subscriber its topic in total order: keeps its index in the {@linkplain DecidedOrder
 * decided} order, and its position in the content of each place.
 *
 * <p>It holds nothing, because the content that it waits for may arrive behind content that would
 * be held. If it slows publishers, content that it has not handed over is not {@linkplain Stability
 * stable}, and so stays in the logs.
 */
public final class OrderedReader {
  /** The consequences of reading. */
  interface Events {
    /** Notes that the subscriber has more of the stream. */
    void advanced(StreamId stream);

    /** Notes that the subscriber has everything that was here when its subscription began. */
    void live();
  }

  private final DecidedOrder order;
  private final ReplicationLog log;
  private final Outlet outlet;
  private boolean slowsPublishers;
  private final Events events;

  /** Content that was here when the subscription began and has not been handed over. */
  private final TreeMap<StreamId, Position> hadAtBegin = new TreeMap<>();

  private long nextIndex = 1;
  private @Nullable OrderPosition position;
  private boolean begun;
  private boolean live;

  /**
   * Creates a reader at the beginning of the decided order.
   *
   * @param outlet outlet of the subscriber, on which nothing is put; knows its positions and its
   *     credit
   */
  OrderedReader(
      DecidedOrder order,
      ReplicationLog log,
      Outlet outlet,
      boolean slowsPublishers,
      Events events) {
    this.order = order;
    this.log = log;
    this.outlet = outlet;
    this.slowsPublishers = slowsPublishers;
    this.events = events;
  }

  /** Begins the subscription, with the topic's content in the log. */
  public void begin(String topic) {
    for (StreamLog stream : log.streams()) {
      StreamId id = stream.id();
      Position whole = new Position(stream.next().sequence(), 0);
      if (id.topic().equals(topic) && !id.isOfUploads()) {
        hadAtBegin.put(id, whole);
        events.advanced(id); // Up to where the subscription begins.
      }
    }
    begun = true;
    passOn();
  }

  /** Returns the place of the item that is being handed over; null if there is none. */
  @Nullable
  public OrderPosition position() {
    return position;
  }

  /**
   * Returns whether the subscriber slows publishers and is not live yet: the content that it has to
   * read is kept meanwhile.
   */
  public boolean isBehind() {
    return slowsPublishers && !live;
  }

  boolean slowsPublishers() {
    return slowsPublishers;
  }

  /** Notes that publishers no longer wait for the subscriber. */
  void fallBehind() {
    slowsPublishers = false;
  }

  /** Returns the position of the subscriber in the stream. */
  Position next(StreamId stream) {
    return outlet.next(stream);
  }

  /** Notes that the subscriber has more of the stream, or was notified of a gap in it. */
  public void moved(StreamId stream) {
    events.advanced(stream);
  }

  void forget(StreamId stream) {
    hadAtBegin.remove(stream);
  }

  /** Hands over as much of the decided order as credit allows. */
  public void passOn() {
    if (!begun || !outlet.isOpen()) {
      return;
    }
    for (DecidedOrder.Place place = order.from(nextIndex);
        place != null;
        place = order.from(nextIndex)) {
      position = place.entry().position();
      if (!pass(place)) {
        position = null;
        return;
      }
      nextIndex = place.index() + 1;
    }
    position = null;
    hadAtBegin.entrySet().removeIf(had -> !outlet.next(had.getKey()).isBefore(had.getValue()));
    if (!live && hadAtBegin.isEmpty() && !outlet.hasMissed()) {
      live = true;
      events.live();
    }
  }

  /** Hands over content of a place; returns whether the subscriber then has all of it. */
  private boolean pass(DecidedOrder.Place place) {
    StreamId id = place.entry().stream();
    if (log.find(id) == null) {
      return true; // Its outlet reports the gap of content that is not here.
    }
    Position next = outlet.next(id);
    boolean advances = next.isBefore(place.end());
    while (next.isBefore(place.end())) {
      LogEntry content = place.contentAfter(next);
      boolean passed =
          (content == null || next.isBefore(content.item().from()))
              ? lose(id, next, place.end(), content)
              : outlet.handOver(content.item());
      if (!passed) {
        return false;
      }
      next = outlet.next(id);
    }
    if (advances) {
      StreamLog stream = log.find(id);
      if (stream != null) {
        log.outletAdvanced(stream);
      }
    }
    return true;
  }

  /**
   * The reason of a gap. If only the beginning of a message had been here before its stream was
   * forgotten, its rest was no longer awaited: its origin had left, and has returned.
   */
  private static MissedReason reason(@Nullable StreamLog stream, Position from) {
    boolean wasGivenUp =
        stream != null
            && stream.startPosition().insideMessage()
            && stream.startPosition().sequence() == from.sequence();
    return wasGivenUp ? MissedReason.AGENT_AWAY : MissedReason.NOT_RETAINED;
  }

  /** Reports a gap up to the content or, if there is none, up to the retained part. */
  private boolean lose(StreamId id, Position from, Position to, @Nullable LogEntry content) {
    StreamLog stream = log.find(id);
    if (content != null && stream != null && !from.isBefore(stream.retainedFrom())) {
      // The rest of a gap that ends inside a message.
      LogItem item = content.item();
      return outlet.handOver(new Gap(id, from, item.from(), item.treeVersion()));
    }
    Gap gap =
        stream == null
            ? new Gap(id, from, to, 1)
            : new Gap(id, from, stream.retainedFrom(), stream.evictedVersion());
    return outlet.lose(gap, reason(stream, from));
  }
}
