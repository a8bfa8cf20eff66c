package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The position up to which the other side of an outlet has each stream; looked up only, never
 * iterated.
 *
 * <p>The log remembers the position of a stream that is no longer here, up to its capacity for such
 * streams. For a stream beyond that capacity, later content counts as following a gap from the
 * start of the stream. So the positions that the other side itself reported are kept here. For a
 * subscriber, the positions of streams that it received beyond that capacity are kept as well, so
 * that it is not notified of missing them.
 */
public final class ReceivedPositions {
  private final Map<StreamId, Position> next = new HashMap<>();

  /** Streams that the other side named as its starting points. */
  private final Set<StreamId> named = new HashSet<>();

  /** The capacity for streams that are no longer here; the earliest to leave are dropped first. */
  private final int mostLeft;

  private final LinkedHashSet<StreamId> forgotten = new LinkedHashSet<>();

  /**
   * Creates the positions of a side that has nothing.
   *
   * @param mostLeft the number of streams no longer here whose positions are remembered
   */
  public ReceivedPositions(int mostLeft) {
    this.mostLeft = mostLeft;
  }

  /** Returns the first place that the other side lacks. */
  public Position next(StreamId stream) {
    return next.getOrDefault(stream, Position.START);
  }

  /** Returns how many streams the other side is known to have some of. */
  public int streams() {
    return next.size();
  }

  public void put(StreamId stream, Position to) {
    next.put(stream, to);
    forgotten.remove(stream);
  }

  /** Keeps the position of the stream as long as this object exists. */
  public void name(StreamId stream) {
    named.add(stream);
  }

  /** Notes that the stream has left, after the other side received or was notified of all of it. */
  public void forget(StreamLog stream) {
    boolean hasMore =
        stream
            .next()
            .isBefore(next(stream.id())); // The position may have advanced by another route.
    if (!hasMore && !named.contains(stream.id()) && next.containsKey(stream.id())) {
      forgotten.add(stream.id());
      if (forgotten.size() > mostLeft) {
        StreamId oldest = forgotten.iterator().next();
        forgotten.remove(oldest);
        next.remove(oldest);
      }
    }
  }

  public void clear() {
    next.clear();
    named.clear();
    forgotten.clear();
  }
}
