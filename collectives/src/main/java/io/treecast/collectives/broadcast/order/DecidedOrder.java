package io.treecast.collectives.broadcast.order;

import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The decided part of a topic's total order at this member; subscribers read it. This member has
 * each decided message, or has missed it. A decision never changes.
 *
 * <p>Each place belongs to content that the log retains. For each stream, the last place whose
 * content was evicted stays too, so that readers get the gap in its place.
 */
final class DecidedOrder {
  /** One step of the order. */
  static final class Place {
    private final long index;
    private final OrderEntry entry;
    private final long sinceVersion;
    private final Position end;
    private @Nullable LogEntry first;

    private Place(
        long index,
        OrderEntry entry,
        long sinceVersion,
        Position end,
        @Nullable LogEntry firstContent) {
      this.index = index;
      this.entry = entry;
      this.sinceVersion = sinceVersion;
      this.end = end;
      this.first = firstContent;
    }

    /** Returns the index of the step among those decided here. */
    long index() {
      return index;
    }

    OrderEntry entry() {
      return entry;
    }

    /**
     * Returns the epoch before which members of other parts of the network may have placed it
     * elsewhere.
     */
    long sinceVersion() {
      return sinceVersion;
    }

    /**
     * Returns the place where the stream continues behind it; beyond the end of the entry if a gap
     * reaches further.
     */
    Position end() {
      return end;
    }

    /** Returns the oldest content that ends behind a position; null if that is not retained. */
    @Nullable LogEntry contentAfter(Position position) {
      LogEntry content = first;
      while (content != null && !position.isBefore(content.item().to())) {
        content = within(content.laterOfStream());
      }
      return content;
    }

    private @Nullable LogEntry within(@Nullable LogEntry content) {
      return content != null && content.item().from().isBefore(end) ? content : null;
    }

    private boolean isEvicted() {
      return first == null;
    }
  }

  private final ReplicationLog log;
  private final TreeMap<Long, Place> places = new TreeMap<>();

  /** The places by stream; looked up only. */
  private final Map<StreamId, ArrayDeque<Place>> byStream = new HashMap<>();

  /** The newest content of each stream that has a place; absent if it is not retained. */
  private final Map<StreamId, LogEntry> newest = new HashMap<>();

  /** The first place without an order in each stream. */
  private final TreeMap<StreamId, Position> ends = new TreeMap<>();

  /**
   * The forgotten streams among them, limited in number, in the order in which they were forgotten.
   */
  private final LinkedHashSet<StreamId> forgotten = new LinkedHashSet<>();

  private long lastIndex;

  /** The highest position that was decided. */
  private @Nullable OrderPosition latest;

  DecidedOrder(ReplicationLog log) {
    this.log = log;
  }

  /** Returns the first place without an order in the stream. */
  Position end(StreamId id) {
    StreamLog stream = log.find(id);
    Position decided = ends.getOrDefault(id, Position.START);
    return stream == null ? decided : max(decided, beginOfMessage(stream.startPosition()));
  }

  boolean isEmpty() {
    return ends.isEmpty();
  }

  /** Returns the first place at or behind an index; null if there is none. */
  @Nullable Place from(long index) {
    Map.Entry<Long, Place> next = places.ceilingEntry(index);
    return next == null ? null : next.getValue();
  }

  /**
   * Decides the next step, if its message is here and has no place yet.
   *
   * @param sinceVersion as {@link Place#sinceVersion}
   * @return false if the message is not here yet
   */
  boolean decide(OrderEntry entry, long sinceVersion) {
    StreamId id = entry.stream();
    if (!end(id).isBefore(entry.end())) {
      if (latest == null || latest.compareTo(entry.position()) < 0) {
        // Decided in another part, or missed together with earlier content: a subscriber that joins
        // here uses this place. It may outlive a later place, whose content is then evicted.
        add(new Place(++lastIndex, entry, sinceVersion, end(id), null));
      }
      return true;
    }
    if (log.next(id).isBefore(entry.end())) {
      return false;
    }
    StreamLog stream = log.find(id);
    if (stream == null) {
      pass(entry, sinceVersion);
      return true;
    }
    LogEntry before = newest.get(id);
    LogEntry content = before == null ? stream.oldest() : before.laterOfStream();
    LogEntry first =
        content != null && content.item().from().isBefore(entry.end()) ? content : null;
    Position end = entry.end();
    for (LogEntry next = first; next != null && next.item().from().isBefore(end); ) {
      newest.put(id, next);
      end = beginOfMessage(max(end, next.item().to()));
      next = next.laterOfStream();
    }
    ends.put(id, end);
    add(new Place(++lastIndex, entry, sinceVersion, end, first));
    return true;
  }

  /**
   * Decides the next step without its message, which is no longer here: readers that lacked it got
   * the gap, and a subscriber that joins here uses this place.
   */
  void pass(OrderEntry entry, long sinceVersion) {
    StreamId id = entry.stream();
    ends.merge(id, entry.end(), DecidedOrder::max);
    add(new Place(++lastIndex, entry, sinceVersion, end(id), null));
    if (log.find(id) == null) {
      leave(id);
    }
  }

  private void add(Place place) {
    OrderPosition position = place.entry.position();
    latest = latest == null || latest.compareTo(position) < 0 ? position : latest;
    places.put(place.index, place);
    ArrayDeque<Place> ofStream =
        byStream.computeIfAbsent(place.entry.stream(), stream -> new ArrayDeque<>());
    ofStream.add(place);
    collapse(ofStream);
  }

  private static Position max(Position one, Position other) {
    return one.isBefore(other) ? other : one;
  }

  private static Position beginOfMessage(Position position) {
    return new Position(position.sequence(), 0);
  }

  /** Keeps only the last place whose content is not retained. */
  private void collapse(ArrayDeque<Place> ofStream) {
    while (ofStream.size() > 1) {
      Iterator<Place> oldest = ofStream.iterator();
      Place first = oldest.next();
      if (!first.isEvicted() || !oldest.next().isEvicted()) {
        return;
      }
      ofStream.remove();
      places.remove(first.index);
    }
  }

  /** Notes that an entry is no longer in the log. */
  void evicted(LogEntry evicted) {
    StreamId id = evicted.stream().id();
    newest.remove(id, evicted);
    for (Place place : byStream.getOrDefault(id, new ArrayDeque<>())) {
      if (!place.isEvicted()) {
        if (place.first == evicted) {
          place.first = place.within(evicted.laterOfStream());
        }
        break;
      }
    }
    collapse(byStream.getOrDefault(id, new ArrayDeque<>()));
  }

  /**
   * Notes that a stream was forgotten; a subscriber that joins here uses the last place of the
   * stream.
   */
  void leave(StreamId stream) {
    forgotten.remove(stream);
    forgotten.add(stream);
    if (forgotten.size() > 2 * log.mostForgotten()) {
      StreamId oldest = forgotten.iterator().next();
      if (log.find(oldest) == null) {
        forget(oldest);
      }
      forgotten.remove(oldest);
    }
  }

  void forget(StreamId stream) {
    forgotten.remove(stream);
    newest.remove(stream);
    ends.remove(stream);
    ArrayDeque<Place> ofStream = byStream.remove(stream);
    if (ofStream != null) {
      ofStream.forEach(place -> places.remove(place.index));
    }
  }

  /** Returns all places that are still known here. */
  Collection<Place> all() {
    return Collections.unmodifiableCollection(places.values());
  }

  /** Returns the places that a member, or an absent one that may return, may lack. */
  List<Place> unsettled() {
    return places.values().stream()
        .filter(place -> !place.isEvicted() && !isSettled(place))
        .toList();
  }

  /** Returns, for each stream whose last place all members have, that place. */
  List<OrderEntry> settledEnds() {
    List<OrderEntry> last = new ArrayList<>();
    for (StreamId stream : ends.keySet()) {
      ArrayDeque<Place> ofStream = byStream.getOrDefault(stream, new ArrayDeque<>());
      if (ofStream.stream().allMatch(place -> place.isEvicted() || isSettled(place))) {
        Place place = ofStream.peekLast();
        if (place != null) {
          last.add(place.entry);
        }
      }
    }
    return last;
  }

  private boolean isSettled(Place place) {
    StreamLog stream = log.find(place.entry.stream());
    return stream == null || !stream.settledTo().isBefore(place.end);
  }
}
