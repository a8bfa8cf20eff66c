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
 * retained here, up to {@code limits.logBytes}. Since of each stream the held entries are the last
 * ones, there is always one that may go, and what is left of each stream has no hole.
 *
 * <p>What is <em>stable</em>, which is the first part of each stream, goes as soon as nobody holds
 * it, unless it is retained for absent members; then it goes first when there is no room. After
 * that goes the oldest of the stream that takes the most: each origin has at most its share of the
 * log unstable, so where there is more of a stream, its oldest is stable, though that may not be
 * known here yet.
 */
final class ReplicationLog {
  private final long limitBytes;
  private final Consumer<LogEntry> evicted;
  private final TreeMap<StreamId, StreamLog> streams = new TreeMap<>();

  /** The streams that have entries, by the number of their oldest. */
  private final TreeMap<Long, StreamLog> byOldest = new TreeMap<>();

  private long nextNumber = 1;
  private long retainedBytes;
  private long unstableBytes;
  private long stableRetainedBytes;
  private boolean retainsStable;

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

  /** Cost of the entries that some member of the committed tree may lack. */
  long unstableBytes() {
    return unstableBytes;
  }

  /** Logs what comes next in a stream; the caller holds it. */
  LogEntry append(StreamLog stream, LogItem item, Inlet inlet) {
    LogEntry entry = new LogEntry(this, stream, nextNumber++, item, inlet);
    if (stream.oldest() == null) {
      byOldest.put(entry.number(), stream);
    }
    stream.append(entry);
    unstableBytes += item.cost();
    stream.addUnstable(item.cost());
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
    entry.stream().addRetained(entry.item().cost());
    if (entry.isStable()) {
      stableRetainedBytes += entry.item().cost();
      releaseStable(entry.stream());
    }
    while (retainedBytes > limitBytes) {
      evictOldest(stableRetainedBytes > 0 ? streamOfOldestStable() : streamThatTakesMost());
    }
  }

  private StreamLog streamOfOldestStable() {
    for (StreamLog stream : byOldest.values()) {
      LogEntry oldest = stream.oldest();
      if (oldest != null && oldest.isStable() && !oldest.isHeld()) {
        return stream;
      }
    }
    throw new IllegalStateException(stableRetainedBytes + " stable bytes are retained nowhere");
  }

  private StreamLog streamThatTakesMost() {
    StreamLog most = null;
    for (StreamLog stream : byOldest.values()) {
      if (most == null || most.retainedBytes() < stream.retainedBytes()) {
        most = stream;
      }
    }
    if (most == null) {
      throw new IllegalStateException(retainedBytes + " bytes are retained in no stream");
    }
    return most;
  }

  // Stability.

  /** Another tree was committed: nothing is known to be stable in it. */
  void nothingIsStable() {
    for (StreamLog stream : byOldest.values()) {
      for (LogEntry entry : stream.entries()) {
        if (!entry.isStable()) {
          break;
        }
        entry.markStable(false);
        unstableBytes += entry.item().cost();
        stream.addUnstable(entry.item().cost());
      }
    }
    stableRetainedBytes = 0;
  }

  /**
   * Every member of a tree has the stream up to here.
   *
   * @param treeVersion what was published under a later one does not count: others may be meant
   */
  void stableUpTo(StreamLog stream, Position position, long treeVersion) {
    for (LogEntry entry : stream.entries()) {
      LogItem item = entry.item();
      if (position.isBefore(item.to()) || item.treeVersion() > treeVersion) {
        break;
      }
      if (!entry.isStable()) {
        entry.markStable(true);
        unstableBytes -= item.cost();
        stream.addUnstable(-item.cost());
        stableRetainedBytes += entry.isHeld() ? 0 : item.cost();
      }
    }
    releaseStable(stream);
  }

  /** Whether what is stable is retained while there is room. */
  void retainStable(boolean shall) {
    retainsStable = shall;
    if (!shall && stableRetainedBytes > 0) {
      List.copyOf(byOldest.values()).forEach(this::releaseStable);
    }
  }

  private void releaseStable(StreamLog stream) {
    LogEntry oldest = stream.oldest();
    while (!retainsStable && oldest != null && oldest.isStable() && !oldest.isHeld()) {
      evictOldest(stream);
      oldest = stream.oldest();
    }
  }

  private void evictOldest(StreamLog stream) {
    LogEntry entry = stream.evictOldest();
    long cost = entry.item().cost();
    retainedBytes -= cost;
    stream.addRetained(-cost);
    if (entry.isStable()) {
      stableRetainedBytes -= cost;
    } else {
      unstableBytes -= cost;
      stream.addUnstable(-cost);
    }
    byOldest.remove(entry.number());
    LogEntry oldest = stream.oldest();
    if (oldest != null) {
      byOldest.put(oldest.number(), stream);
    }
    evicted.accept(entry);
  }
}
