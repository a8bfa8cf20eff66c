package io.treecast.collectives;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The content that a member can send to neighbours that lack it: of each stream, the end. Relay's
 * thread.
 *
 * <p>Entries that outlets hold are counted by the inlets by which they came. The others are
 * retained here, up to {@code limits.logBytes}; beyond, the oldest go first. Since of each stream
 * the held entries are the last ones, there is always one that may go, and what is left of each
 * stream has no hole.
 */
final class ReplicationLog {
  private final long limitBytes;
  private final Consumer<LogEntry> evicted;
  private final TreeMap<StreamId, StreamLog> streams = new TreeMap<>();

  /** The streams that have entries, by the number of their oldest. */
  private final TreeMap<Long, StreamLog> byOldest = new TreeMap<>();

  private long nextNumber = 1;
  private long retainedBytes;

  /**
   * An empty log.
   *
   * @param evicted told of each entry that is not retained any more
   */
  ReplicationLog(long limitBytes, Consumer<LogEntry> evicted) {
    this.limitBytes = limitBytes;
    this.evicted = evicted;
  }

  /** All streams, in the order of their ids. */
  Collection<StreamLog> streams() {
    return streams.values();
  }

  @Nullable StreamLog find(StreamId id) {
    return streams.get(id);
  }

  /** Begins a stream that is not there yet. */
  StreamLog begin(StreamId id) {
    StreamLog stream = new StreamLog(id);
    streams.put(id, stream);
    return stream;
  }

  /** Forgets a stream of which nothing is held. */
  void forget(StreamLog stream) {
    while (stream.oldest() != null) {
      evictOldest(stream);
    }
    streams.remove(stream.id());
  }

  /** Number that the next entry will get. */
  long nextNumber() {
    return nextNumber;
  }

  /** Cost of the entries that nobody holds. */
  long retainedBytes() {
    return retainedBytes;
  }

  /** Logs what comes next in a stream; the caller holds it. */
  LogEntry append(StreamLog stream, LogItem item, Inlet inlet) {
    LogEntry entry = new LogEntry(this, stream, nextNumber++, item, inlet);
    if (stream.oldest() == null) {
      byOldest.put(entry.number(), stream);
    }
    stream.append(entry);
    return entry;
  }

  /** An entry that is not in the log: it stands for content that is not there any more. */
  LogEntry lost(StreamLog stream, Gap gap) {
    return new LogEntry(this, stream, 0, gap, bytes -> {});
  }

  /** All entries in the order in which they were logged. */
  List<LogEntry> entries() {
    List<LogEntry> all = new ArrayList<>();
    byOldest.values().forEach(stream -> stream.entries().forEach(all::add));
    all.sort(Comparator.comparingLong(LogEntry::number));
    return all;
  }

  /** Nobody holds the entry any more. */
  void released(LogEntry entry) {
    retainedBytes += entry.item().cost();
    while (retainedBytes > limitBytes) {
      evictOldest(streamOfOldestRetained());
    }
  }

  private StreamLog streamOfOldestRetained() {
    for (StreamLog stream : byOldest.values()) {
      LogEntry oldest = stream.oldest();
      if (oldest != null && !oldest.isHeld()) {
        return stream;
      }
    }
    throw new IllegalStateException(retainedBytes + " bytes are retained behind held entries");
  }

  private void evictOldest(StreamLog stream) {
    LogEntry entry = stream.evictOldest();
    retainedBytes -= entry.item().cost();
    byOldest.remove(entry.number());
    LogEntry oldest = stream.oldest();
    if (oldest != null) {
      byOldest.put(oldest.number(), stream);
    }
    evicted.accept(entry);
  }
}
