package io.treecast.collectives;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
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
 * <p>Of what is <em>stable</em>, which is the first part of each stream, and not held, {@code
 * limits.retainedBytes} stay for those who subscribe later, oldest going first; more of it as long
 * as absent members or subscribers that catch up may need it and there is room. When there is none,
 * the stable goes first. After that goes the oldest of a stream of the origin that takes the most:
 * each origin has at most its share of the log unstable, so where there is more of it, some is
 * stable, though that may not be known here yet.
 *
 * <p>What became stable while nobody was absent is <em>settled</em>: the next tree has no member
 * that was there before and lacks it. So it stays stable, and takes nothing of its origin's share.
 */
final class ReplicationLog {
  private final BroadcastLimits limits;
  private final Consumer<LogEntry> evicted;
  private final TreeMap<StreamId, StreamLog> streams = new TreeMap<>();

  /** The streams that have entries, by the number of their oldest. */
  private final TreeMap<Long, StreamLog> byOldest = new TreeMap<>();

  private @Nullable LogEntry first;
  private @Nullable LogEntry last;
  private long nextNumber = 1;
  private long loggedBytes;
  private long retainedBytes;
  private long unstableBytes;
  private long stableRetainedBytes;
  private boolean keepsForAbsent;
  private boolean keepsForReaders;

  /**
   * An empty log.
   *
   * @param evicted told of each entry that is not retained any more
   */
  ReplicationLog(BroadcastLimits limits, Consumer<LogEntry> evicted) {
    this.limits = limits;
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
    LogEntry entry = new LogEntry(this, stream, nextNumber++, item, inlet, loggedBytes);
    if (stream.oldest() == null) {
      byOldest.put(entry.number(), stream);
    }
    entry.follow(last);
    last = entry;
    first = first == null ? entry : first;
    stream.append(entry);
    loggedBytes += item.cost();
    unstableBytes += item.cost();
    return entry;
  }

  /** An entry that is not in the log: it stands for content that is not there any more. */
  LogEntry lost(StreamLog stream, Gap gap) {
    return new LogEntry(this, stream, 0, gap, bytes -> {}, 0);
  }

  /** Whether the entry was ever in the log. */
  boolean isLogged(LogEntry entry) {
    return entry.number() > 0;
  }

  /** The entry that was logged first; the others follow it. */
  @Nullable LogEntry first() {
    return first;
  }

  /** Cost of all that was ever logged. */
  long loggedBytes() {
    return loggedBytes;
  }

  /** Nobody holds the entry any more. */
  void released(LogEntry entry) {
    retainedBytes += entry.item().cost();
    entry.stream().addRetained(entry.item().cost());
    if (entry.isStable()) {
      stableRetainedBytes += entry.item().cost();
      releaseStable();
    }
    while (retainedBytes > limits.logBytes()) {
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

  /** Of the streams of the publisher that takes the most, the one that takes the most. */
  private StreamLog streamThatTakesMost() {
    Map<StreamId, Long> byPublisher = new HashMap<>();
    for (StreamLog stream : byOldest.values()) {
      byPublisher.merge(stream.id().publisher(), stream.retainedBytes(), Long::sum);
    }
    StreamLog most = null;
    long mostOfPublisher = 0;
    for (StreamLog stream : byOldest.values()) {
      long ofPublisher = byPublisher.getOrDefault(stream.id().publisher(), 0L);
      if (most == null
          || mostOfPublisher < ofPublisher
          || (mostOfPublisher == ofPublisher && most.retainedBytes() < stream.retainedBytes())) {
        most = stream;
        mostOfPublisher = ofPublisher;
      }
    }
    if (most == null) {
      throw new IllegalStateException(retainedBytes + " bytes are retained in no stream");
    }
    return most;
  }

  // Stability.

  /** Another tree was committed: what is not settled is not known to be stable in it. */
  void nothingIsStable() {
    for (StreamLog stream : byOldest.values()) {
      LogEntry entry = stream.unmarkNewestStable();
      while (entry != null) {
        unstableBytes += entry.item().cost();
        stableRetainedBytes -= entry.isHeld() ? 0 : entry.item().cost();
        entry = stream.unmarkNewestStable();
      }
    }
  }

  /**
   * Every member of a tree has the stream up to here.
   *
   * @param treeVersion what was published under a later one does not count: others may be meant
   */
  void stableUpTo(StreamLog stream, Position position, long treeVersion) {
    LogEntry entry = stream.oldestUnstable();
    while (entry != null
        && !position.isBefore(entry.item().to())
        && entry.item().treeVersion() <= treeVersion) {
      stream.markStable();
      unstableBytes -= entry.item().cost();
      stableRetainedBytes += entry.isHeld() ? 0 : entry.item().cost();
      entry = stream.oldestUnstable();
    }
    if (!keepsForAbsent) {
      stream.settle();
    }
    releaseStable();
  }

  /** Whether what is stable is kept for absent members, as far as there is room. */
  void keepForAbsent(boolean shall) {
    if (keepsForAbsent && !shall) {
      byOldest.values().forEach(StreamLog::settle);
    }
    keepsForAbsent = shall;
    releaseStable();
  }

  /** Whether what is stable is kept for subscribers that catch up, as far as there is room. */
  void keepForReaders(boolean shall) {
    keepsForReaders = shall;
    releaseStable();
  }

  boolean keepsForReaders() {
    return keepsForReaders;
  }

  private void releaseStable() {
    long most = keepsForAbsent || keepsForReaders ? limits.logBytes() : limits.retainedBytes();
    while (stableRetainedBytes > most) {
      evictOldest(streamOfOldestStable());
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
    }
    byOldest.remove(entry.number());
    LogEntry oldest = stream.oldest();
    if (oldest != null) {
      byOldest.put(oldest.number(), stream);
    }
    evicted.accept(entry);
    first = entry == first ? entry.later() : first;
    last = entry == last ? entry.earlier() : last;
    entry.unlink();
  }
}
