package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Up to where the other side of an outlet has each stream; looked up only, never iterated. Relay's
 * thread.
 *
 * <p>Of a stream that is not here any more, the log remembers how far it had come; when that is too
 * much to remember, what comes after it is taken to follow a gap from the begin on. So what the
 * other side itself said to have stays known here, and of a subscriber also what it was handed of
 * more streams than the log remembers: it is not to hear that it misses that.
 */
public final class HadPositions {
  private final Map<StreamId, Position> next = new HashMap<>();

  /** Those that the other side began after. */
  private final Set<StreamId> named = new HashSet<>();

  /** Of those that are not here, how many are remembered; which, those first that left first. */
  private final int mostLeft;

  private final LinkedHashSet<StreamId> left = new LinkedHashSet<>();

  /**
   * The other side has nothing.
   *
   * @param mostLeft of how many streams that are not here it is remembered what it has
   */
  public HadPositions(int mostLeft) {
    this.mostLeft = mostLeft;
  }

  /** The first place that the other side lacks. */
  public Position next(StreamId stream) {
    return next.getOrDefault(stream, Position.START);
  }

  /** How many streams the other side has something of, as far as known. */
  public int streams() {
    return next.size();
  }

  public void put(StreamId stream, Position to) {
    next.put(stream, to);
    left.remove(stream);
  }

  /** What it has of the stream is remembered as long as this is. */
  public void name(StreamId stream) {
    named.add(stream);
  }

  /** The stream is not here, and the other side was told all that it lacks of it. */
  public void forget(StreamLog stream) {
    boolean hasMore = stream.next().isBefore(next(stream.id())); // By another way.
    if (!hasMore && !named.contains(stream.id()) && next.containsKey(stream.id())) {
      left.add(stream.id());
      if (left.size() > mostLeft) {
        StreamId oldest = left.iterator().next();
        left.remove(oldest);
        next.remove(oldest);
      }
    }
  }

  public void clear() {
    next.clear();
    named.clear();
    left.clear();
  }
}
