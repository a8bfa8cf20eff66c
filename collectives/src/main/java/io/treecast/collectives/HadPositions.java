package io.treecast.collectives;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Up to where the other side of an outlet has each stream; looked up only, never iterated. Relay's
 * thread.
 *
 * <p>Of a stream that is not here any more, the log remembers how far it had come; when that is too
 * much to remember, what comes after it is taken to follow a gap from the begin on. So what the
 * other side itself said to have stays known here: it is not to hear that it misses that.
 */
final class HadPositions {
  private final Map<StreamId, Position> next = new HashMap<>();

  /** Those that the other side began after. */
  private final Set<StreamId> named = new HashSet<>();

  /** The first place that the other side lacks. */
  Position next(StreamId stream) {
    return next.getOrDefault(stream, Position.START);
  }

  /** How many streams the other side has something of, as far as known. */
  int streams() {
    return next.size();
  }

  void put(StreamId stream, Position to) {
    next.put(stream, to);
  }

  /** What it has of the stream is remembered as long as this is. */
  void name(StreamId stream) {
    named.add(stream);
  }

  /** The stream is not here, and the other side was told all that it lacks of it. */
  void forget(StreamLog stream) {
    boolean hasMore = stream.next().isBefore(next(stream.id())); // By another way.
    if (!hasMore && !named.contains(stream.id())) {
      next.remove(stream.id());
    }
  }

  void clear() {
    next.clear();
    named.clear();
  }
}
