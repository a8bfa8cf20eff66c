package io.treecast.collectives.broadcast.log;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which entry was published first of those that count, in streams of this member.
 *
 * <p>Each stream is kept by a place that is not behind its first entry which counts, and found
 * again when it leads: so a look takes no longer the more streams there are, but for what has
 * ceased to count since the look before.
 */
public final class OldestPublished {
  private final Function<StreamLog, @Nullable LogEntry> first;

  /** By what was published before. */
  private final TreeMap<Long, StreamLog> byPlace = new TreeMap<>();

  private final Set<StreamLog> known = new HashSet<>();

  /**
   * Of no stream yet.
   *
   * @param first the first entry of a stream that counts; null if none does
   */
  public OldestPublished(Function<StreamLog, @Nullable LogEntry> first) {
    this.first = first;
  }

  /** What is logged next in the stream was published behind so many bytes. */
  public void publishes(StreamLog stream, long before) {
    if (known.add(stream)) {
      byPlace.put(before, stream);
    }
  }

  /** Something may count again that had ceased to, in any of these streams. */
  public void countAnew(Collection<StreamLog> streams) {
    byPlace.clear();
    known.clear();
    for (StreamLog stream : streams) {
      LogEntry entry = first.apply(stream);
      if (entry != null) {
        publishes(stream, entry.item().publishedBytes());
      }
    }
  }

  /** What was published before it; {@code none} if nothing counts. */
  public long publishedBefore(long none) {
    Map.Entry<Long, StreamLog> leading = byPlace.firstEntry();
    while (leading != null) {
      long place = leading.getKey();
      StreamLog stream = leading.getValue();
      LogEntry entry = first.apply(stream);
      if (entry != null && entry.item().publishedBytes() == place) {
        return place;
      }
      byPlace.remove(place);
      known.remove(stream);
      if (entry != null) {
        publishes(stream, entry.item().publishedBytes());
      }
      leading = byPlace.firstEntry();
    }
    return none;
  }
}
