package io.treecast.collectives.broadcast.log;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the entry that was published first among the entries that count, in the streams of this
 * member.
 *
 * <p>Each stream is filed under a place that is not behind its first counting entry, and filed
 * again when it comes first. So the cost of a lookup does not grow with the number of streams,
 * except for entries that have ceased to count since the last lookup.
 */
public final class OldestPublished {
  private final Function<StreamLog, @Nullable LogEntry> first;

  /** Streams by the bytes published before them. */
  private final TreeMap<Long, StreamLog> byPlace = new TreeMap<>();

  private final Set<StreamLog> known = new HashSet<>();

  /**
   * Creates an empty index.
   *
   * @param first returns the first entry of a stream that counts; null if none does
   */
  public OldestPublished(Function<StreamLog, @Nullable LogEntry> first) {
    this.first = first;
  }

  /** Notes that the next entry of the stream was published behind the given number of bytes. */
  public void publishes(StreamLog stream, long before) {
    if (known.add(stream)) {
      byPlace.put(before, stream);
    }
  }

  /** Notes that entries of these streams that had ceased to count may count again. */
  public void recount(Collection<StreamLog> streams) {
    byPlace.clear();
    known.clear();
    for (StreamLog stream : streams) {
      LogEntry entry = first.apply(stream);
      if (entry != null) {
        publishes(stream, entry.item().publishedBytes());
      }
    }
  }

  /**
   * Returns the bytes published before the first counting entry; {@code none} if no entry counts.
   */
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
