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
 * Hands one subscriber its topic in total order: its place in what is {@linkplain DecidedOrder
 * decided}, and the content that it has of each place.
 *
 * <p>It holds nothing, since what it waits for may come behind what would be held. What it has not
 * handed over is not {@linkplain Stability stable}, if it slows publishers, and so stays in the
 * logs.
 */
public final class OrderedReader {
  /** What follows from it. */
  interface Events {
    /** The subscriber has more of the stream. */
    void advanced(StreamId stream);

    /** It has everything that was here when its subscription began. */
    void live();
  }

  private final DecidedOrder order;
  private final ReplicationLog log;
  private final Outlet outlet;
  private boolean slowsPublishers;
  private final Events events;

  /** What was here when the subscription began and has not been handed over. */
  private final TreeMap<StreamId, Position> hadAtBegin = new TreeMap<>();

  private long nextIndex = 1;
  private @Nullable OrderPosition position;
  private boolean begun;
  private boolean live;

  /**
   * A reader at the begin of what is decided.
   *
   * @param outlet of the subscriber, on which nothing is put; says what it has, and its credit
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

  /** The subscription begins, with what the log has of the topic. */
  public void begin(String topic) {
    for (StreamLog stream : log.streams()) {
      StreamId id = stream.id();
      Position whole = new Position(stream.next().sequence(), 0);
      if (id.topic().equals(topic) && !id.isOfUploads()) {
        hadAtBegin.put(id, whole);
        events.advanced(id); // To where it begins.
      }
    }
    begun = true;
    passOn();
  }

  /** The place of what is being handed over; null if nothing is. */
  @Nullable
  public OrderPosition position() {
    return position;
  }

  /** Whether it slows publishers and is not live yet: what it is to read is kept meanwhile. */
  public boolean isBehind() {
    return slowsPublishers && !live;
  }

  boolean slowsPublishers() {
    return slowsPublishers;
  }

  /** Nobody waits for it any more. */
  void fallBehind() {
    slowsPublishers = false;
  }

  /** Up to where the subscriber has the stream. */
  Position next(StreamId stream) {
    return outlet.next(stream);
  }

  /** The subscriber has more of the stream, or was told that it misses some. */
  public void moved(StreamId stream) {
    events.advanced(stream);
  }

  void forget(StreamId stream) {
    hadAtBegin.remove(stream);
  }

  /** Hands over what is decided and what there is credit for. */
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

  /** Whether the subscriber has all of the place then. */
  private boolean pass(DecidedOrder.Place place) {
    StreamId id = place.entry().stream();
    if (log.find(id) == null) {
      return true; // Its outlet tells what is missed of what is not here.
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
        log.passedOn(stream);
      }
    }
    return true;
  }

  /** A message whose begin was forgotten was given up: its origin was away, and has come back. */
  private static MissedReason reason(@Nullable StreamLog stream, Position from) {
    boolean wasGivenUp =
        stream != null
            && stream.begunAt().insideMessage()
            && stream.begunAt().sequence() == from.sequence();
    return wasGivenUp ? MissedReason.AGENT_AWAY : MissedReason.NOT_RETAINED;
  }

  /** Tells of what is missing up to the content, or if there is none, up to what is retained. */
  private boolean lose(StreamId id, Position from, Position to, @Nullable LogEntry content) {
    StreamLog stream = log.find(id);
    if (content != null && stream != null && !from.isBefore(stream.retainedFrom())) {
      // The rest of a gap that ends inside of a message.
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
