package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.publish.PublicationWindow;
import io.treecast.ghs.NodeId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The content that a member can send to neighbours that lack it: the end of each stream.
 *
 * <p>Entries that outlets hold are counted by the inlets by which they arrived. The others are
 * retained here, up to {@code limits.logBytes}. The held entries of each stream are its last ones,
 * so there is always an entry to evict, and the rest of each stream has no hole.
 *
 * <p>Of the <em>stable</em> content, which is the first part of each stream and not held, {@code
 * limits.retainedBytes} stay for later subscribers and the oldest is evicted first. More of it
 * stays while absent members or subscribers that catch up may need it and there is room. Content
 * that became stable while no member was absent is <em>settled</em>: every member of the next tree
 * that was there before has it. So it stays stable, and takes nothing of its origin's share.
 *
 * <p>When room is short, settled content is evicted first, and gaps, whose absence is reported in
 * the same way. Next is the content that was published first by the publisher that takes the most,
 * if that exceeds its share. A publisher publishes no more than its share beyond the oldest content
 * that a member lacks ({@link PublicationWindow}), so no member lacks the evicted part, though it
 * may not be known to be stable here yet. If no publisher exceeds its share, stable content is
 * evicted before other content.
 */
public final class ReplicationLog {
  private final BroadcastLimits limits;
  private final LongSupplier shareBytes;
  private final Consumer<LogEntry> evicted;
  private final TreeMap<StreamId, StreamLog> streams = new TreeMap<>();

  private final ForgottenStreams forgotten;

  /** The bytes up to which each publisher's publications are known here; looked up only. */
  private final Map<StreamId, Long> publishedTo = new HashMap<>();

  /** The streams that have entries, by the number of their oldest. */
  private final TreeMap<Long, StreamLog> byOldest = new TreeMap<>();

  private @Nullable LogEntry first;
  private @Nullable LogEntry last;
  private long nextNumber = 1;
  private long retainedBytes;
  private final RetainedByPublisher retained = new RetainedByPublisher();

  /** The number of settled entries plus the number of gaps; a settled gap counts twice. */
  private long needlessEntries;

  private long unstableBytes;
  private long stableRetainedBytes;
  private long orphanAdvances;
  private boolean keepsForAbsent;
  private boolean keepsForReaders;

  /**
   * Creates an empty log.
   *
   * @param shareBytes returns how much of the log each publisher may take with content that members
   *     may lack
   * @param evicted called for each entry that is no longer retained
   */
  public ReplicationLog(
      BroadcastLimits limits, LongSupplier shareBytes, Consumer<LogEntry> evicted) {
    this.limits = limits;
    this.forgotten = new ForgottenStreams(limits.origins());
    this.shareBytes = shareBytes;
    this.evicted = evicted;
  }

  /** Returns all streams, in the order of their ids. */
  public Collection<StreamLog> streams() {
    return streams.values();
  }

  @Nullable
  public StreamLog find(StreamId id) {
    return streams.get(id);
  }

  /** Returns whether there is a stream of this origin. */
  public boolean hasStreamOf(NodeId origin) {
    StreamId other = streams.ceilingKey(new StreamId(origin, Long.MIN_VALUE));
    return other != null && other.origin().equals(origin);
  }

  /** Begins a stream that is not here, at the position that it had reached if it was forgotten. */
  public StreamLog begin(StreamId id) {
    StreamLog before = forgotten.remove(id);
    StreamLog stream = before == null ? new StreamLog(id) : before;
    stream.beginAgain();
    streams.put(id, stream);
    return stream;
  }

  /**
   * Returns the first place of the stream that is not here; of a forgotten one, where it had ended.
   */
  public Position next(StreamId id) {
    StreamLog stream = streams.get(id);
    StreamLog before = forgotten.get(id);
    return stream != null ? stream.next() : before == null ? Position.START : before.next();
  }

  /** Returns the remembered streams that were forgotten here or elsewhere. */
  public Collection<StreamLog> forgotten() {
    return forgotten.all();
  }

  /** Returns the remains of a forgotten stream; null if it was not forgotten, or too long ago. */
  @Nullable
  public StreamLog forgotten(StreamId id) {
    return forgotten.get(id);
  }

  /** Returns the capacity for forgotten streams. */
  public int mostForgotten() {
    return limits.origins();
  }

  /**
   * Forgets a stream of which nothing is held.
   *
   * @return whether the position of an earlier forgotten stream was dropped for it
   */
  public boolean forget(StreamLog stream) {
    StreamLog left = stream.left();
    while (stream.oldest() != null) {
      evictOldest(stream);
    }
    streams.remove(stream.id());
    StreamId other = streams.ceilingKey(stream.publisher()); // The first stream of the publisher.
    if (other == null || !other.publisher().equals(stream.publisher())) {
      publishedTo.remove(stream.publisher());
    }
    return forgotten.add(left);
  }

  /**
   * Skips the next item of a stream that is not here.
   *
   * @return as {@link #forget}
   */
  public boolean leaveOut(LogItem item) {
    StreamLog before = forgotten.remove(item.stream());
    StreamLog left = before == null ? new StreamLog(item.stream()) : before;
    left.leaveOut(item);
    return forgotten.add(left);
  }

  /**
   * Records the position of a stream that is not here and that other members have forgotten.
   *
   * @return as {@link #forget}
   */
  public boolean learn(Gap all) {
    StreamLog before = forgotten.remove(all.stream());
    StreamLog left = before == null ? new StreamLog(all.stream()) : before;
    left.learn(all);
    return forgotten.add(left);
  }

  /** Returns the number of the next entry. */
  public long nextNumber() {
    return nextNumber;
  }

  /** Returns the cost of the entries that no outlet holds. */
  public long retainedBytes() {
    return retainedBytes;
  }

  /**
   * Returns the cost of the entries that a member of the committed tree may lack, including the
   * bytes that their publishers published between them elsewhere.
   */
  public long unstableBytes() {
    return unstableBytes;
  }

  /** Logs the next item of a stream; the caller holds the entry. */
  public LogEntry append(StreamLog stream, LogItem item, Inlet inlet) {
    long windowBytes = windowBytes(stream, item);
    LogEntry entry = new LogEntry(this, stream, nextNumber++, item, inlet, windowBytes);
    if (stream.oldest() == null) {
      byOldest.put(entry.number(), stream);
    }
    entry.follow(last);
    last = entry;
    first = first == null ? entry : first;
    stream.append(entry);
    unstableBytes += windowBytes;
    needlessEntries += item instanceof Gap ? 1 : 0;
    return entry;
  }

  /**
   * The bytes that the publisher has published between the content known here and the end of the
   * item.
   */
  private long windowBytes(StreamLog stream, LogItem item) {
    StreamId publisher = stream.publisher();
    long to = item.publishedBytes() + item.cost();
    long before = publishedTo.getOrDefault(publisher, item.publishedBytes());
    publishedTo.put(publisher, Math.max(before, to));
    return Math.min(Math.max(item.cost(), to - before), limits.logBytes());
  }

  /** Creates an entry outside the log that stands for evicted content. */
  public LogEntry lost(StreamLog stream, Gap gap) {
    return new LogEntry(this, stream, 0, gap, bytes -> {}, 0);
  }

  /** Returns whether the entry was ever in the log. */
  public boolean isLogged(LogEntry entry) {
    return entry.number() > 0;
  }

  /** Returns the entry that was logged first; the others follow it. */
  @Nullable
  public LogEntry first() {
    return first;
  }

  /** Returns the first entry of the streams of these topics; null if there is none. */
  @Nullable
  public LogEntry oldest(Set<String> topics) {
    LogEntry found = null;
    for (StreamLog stream : streams.values()) {
      LogEntry oldest = topics.contains(stream.id().topic()) ? stream.oldest() : null;
      if (oldest != null && (found == null || oldest.number() < found.number())) {
        found = oldest;
      }
    }
    return found;
  }

  /**
   * Returns a counter that grows whenever a reader may have received content of an orphan, or a
   * notice of a gap in one.
   */
  public long orphanAdvances() {
    return orphanAdvances;
  }

  /** Notes that an outlet has passed on some of the stream, or that it is no longer held. */
  public void outletAdvanced(StreamLog stream) {
    orphanAdvances += stream.isOrphaned() ? 1 : 0;
  }

  /** Notes that a reader no longer lacks content of some orphans. */
  public void orphansAdvanced() {
    orphanAdvances++;
  }

  /** Notes that the entry is no longer held. */
  void released(LogEntry entry) {
    outletAdvanced(entry.stream());
    retainedBytes += entry.item().cost();
    retained.add(entry.stream(), entry.item().cost());
    if (entry.isStable()) {
      stableRetainedBytes += entry.item().cost();
      releaseStable();
    }
    while (retainedBytes > limits.logBytes()) {
      evictOldest(streamToEvict());
    }
  }

  /** The stream whose oldest entry is evicted for lack of room. */
  private StreamLog streamToEvict() {
    StreamLog needless =
        needlessEntries == 0
            ? null
            : oldest(stream -> stream.isOldestSettled() || stream.isOldestGap());
    if (needless != null) {
      return needless;
    }
    boolean overdrawn = retained.mostBytes() > shareBytes.getAsLong();
    StreamLog stable =
        overdrawn || stableRetainedBytes == 0 ? null : oldest(StreamLog::isOldestStable);
    return stable == null ? retained.publishedFirst() : stable;
  }

  /** The matching stream with the oldest entry among those that have an entry not held. */
  private @Nullable StreamLog oldest(Predicate<StreamLog> matches) {
    for (StreamLog stream : byOldest.values()) {
      LogEntry oldest = stream.oldest();
      if (oldest != null && !oldest.isHeld() && matches.test(stream)) {
        return stream;
      }
    }
    return null;
  }

  // Stability.

  /**
   * Notes that another tree was committed: content that is not settled is not known to be stable in
   * it.
   */
  public void clearStable() {
    for (StreamLog stream : byOldest.values()) {
      LogEntry entry = stream.unmarkNewestStable();
      while (entry != null) {
        unstableBytes += entry.windowBytes();
        stableRetainedBytes -= entry.isHeld() ? 0 : entry.item().cost();
        entry = stream.unmarkNewestStable();
      }
    }
  }

  /**
   * Marks the stream stable up to the position: every member of the tree that wants it has the
   * content. A message that was published whole becomes stable only when all of it is here, so that
   * a subscriber that has stopped waiting for it can still get it from its beginning. Uploads are
   * exempt, because they may be larger than logs.
   *
   * @param treeVersion content published under a later tree is excluded: that tree may have other
   *     members
   */
  public void stableUpTo(StreamLog stream, Position position, long treeVersion) {
    Position whole = new Position(stream.next().sequence(), 0);
    Position end = stream.id().isOfUploads() || position.isBefore(whole) ? position : whole;
    LogEntry entry = stream.oldestUnstable();
    while (entry != null
        && !end.isBefore(entry.item().to())
        && entry.item().treeVersion() <= treeVersion) {
      markStable(stream, entry);
      entry = stream.oldestUnstable();
    }
    if (!keepsForAbsent) {
      settle(stream);
    }
    releaseStable();
  }

  /** Settles the whole stream, because no awaited member lacks any of it. */
  public void settleAll(StreamLog stream) {
    LogEntry entry = stream.oldestUnstable();
    while (entry != null) {
      markStable(stream, entry);
      entry = stream.oldestUnstable();
    }
    settle(stream);
    releaseStable();
  }

  private void markStable(StreamLog stream, LogEntry entry) {
    stream.markStable();
    unstableBytes -= entry.windowBytes();
    stableRetainedBytes += entry.isHeld() ? 0 : entry.item().cost();
  }

  private void settle(StreamLog stream) {
    needlessEntries += stream.settle();
  }

  /** Sets whether stable content is kept for absent members, as far as there is room. */
  public void keepForAbsent(boolean shall) {
    if (keepsForAbsent && !shall) {
      byOldest.values().forEach(this::settle);
    }
    keepsForAbsent = shall;
    releaseStable();
  }

  /** Sets whether stable content is kept for subscribers that catch up, as far as there is room. */
  public void keepForReaders(boolean shall) {
    keepsForReaders = shall;
    releaseStable();
  }

  public boolean keepsForReaders() {
    return keepsForReaders;
  }

  private void releaseStable() {
    long most = keepsForAbsent || keepsForReaders ? limits.logBytes() : limits.retainedBytes();
    while (stableRetainedBytes > most) {
      evictOldest(Objects.requireNonNull(oldest(StreamLog::isOldestStable)));
    }
  }

  private void evictOldest(StreamLog stream) {
    needlessEntries -= stream.isOldestSettled() ? 1 : 0;
    LogEntry entry = stream.evictOldest();
    needlessEntries -= entry.item() instanceof Gap ? 1 : 0;
    long cost = entry.item().cost();
    retainedBytes -= cost;
    retained.add(stream, -cost);
    if (entry.isStable()) {
      stableRetainedBytes -= cost;
    } else {
      unstableBytes -= entry.windowBytes();
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
