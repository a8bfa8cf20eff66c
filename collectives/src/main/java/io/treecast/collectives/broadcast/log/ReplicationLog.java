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
 * The content that a member can send to neighbours that lack it: of each stream, the end. Relay's
 * thread.
 *
 * <p>Entries that outlets hold are counted by the inlets by which they came. The others are
 * retained here, up to {@code limits.logBytes}. Since of each stream the held entries are the last
 * ones, there is always one that may go, and what is left of each stream has no hole.
 *
 * <p>Of what is <em>stable</em>, which is the first part of each stream, and not held, {@code
 * limits.retainedBytes} stay for those who subscribe later, oldest going first; more of it as long
 * as absent members or subscribers that catch up may need it and there is room. What became stable
 * while nobody was absent is <em>settled</em>: the next tree has no member that was there before
 * and lacks it. So it stays stable, and takes nothing of its origin's share.
 *
 * <p>When there is no room, the settled goes first, and gaps, since who lacks one is told the same
 * without. Then goes what was published first by the publisher that takes the most, if that is more
 * than its share: since it publishes no more than its share from the oldest on that somebody lacks
 * ({@link PublicationWindow}), nobody lacks that, though it may not be known to be stable here yet.
 * Where nobody takes more than the share, what is stable goes before what is not.
 */
public final class ReplicationLog {
  private final BroadcastLimits limits;
  private final LongSupplier shareBytes;
  private final Consumer<LogEntry> evicted;
  private final TreeMap<StreamId, StreamLog> streams = new TreeMap<>();

  private final ForgottenStreams forgotten;

  /** Up to where what a publisher published is known here, in bytes; looked up only. */
  private final Map<StreamId, Long> publishedTo = new HashMap<>();

  /** The streams that have entries, by the number of their oldest. */
  private final TreeMap<Long, StreamLog> byOldest = new TreeMap<>();

  private @Nullable LogEntry first;
  private @Nullable LogEntry last;
  private long nextNumber = 1;
  private long retainedBytes;
  private final RetainedByPublisher retained = new RetainedByPublisher();

  /** How many entries are settled, and how many are gaps; a settled gap counts twice. */
  private long needlessEntries;

  private long unstableBytes;
  private long stableRetainedBytes;
  private long passedOfOrphans;
  private boolean keepsForAbsent;
  private boolean keepsForReaders;

  /**
   * An empty log.
   *
   * @param shareBytes how much of it each publisher may take with what members may lack
   * @param evicted told of each entry that is not retained any more
   */
  public ReplicationLog(
      BroadcastLimits limits, LongSupplier shareBytes, Consumer<LogEntry> evicted) {
    this.limits = limits;
    this.forgotten = new ForgottenStreams(limits.origins());
    this.shareBytes = shareBytes;
    this.evicted = evicted;
  }

  /** All streams, in the order of their ids. */
  public Collection<StreamLog> streams() {
    return streams.values();
  }

  @Nullable
  public StreamLog find(StreamId id) {
    return streams.get(id);
  }

  /** Whether there is a stream of this origin. */
  public boolean knowsAnyOf(NodeId origin) {
    StreamId other = streams.ceilingKey(new StreamId(origin, Long.MIN_VALUE));
    return other != null && other.origin().equals(origin);
  }

  /** Begins a stream that is not there yet; where it had come if it was forgotten. */
  public StreamLog begin(StreamId id) {
    StreamLog before = forgotten.remove(id);
    StreamLog stream = before == null ? new StreamLog(id) : before;
    stream.beginAgain();
    streams.put(id, stream);
    return stream;
  }

  /** The first place of the stream that is not here, and was not when it was forgotten. */
  public Position next(StreamId id) {
    StreamLog stream = streams.get(id);
    StreamLog before = forgotten.get(id);
    return stream != null ? stream.next() : before == null ? Position.START : before.next();
  }

  /** What is left of the streams that were forgotten, here or elsewhere, as far as is known. */
  public Collection<StreamLog> forgotten() {
    return forgotten.all();
  }

  /** What is left of a stream; null if it was not forgotten, or too long ago. */
  @Nullable
  public StreamLog forgotten(StreamId id) {
    return forgotten.get(id);
  }

  /** Of how many streams it is known at most that they were forgotten. */
  public int mostForgotten() {
    return limits.origins();
  }

  /**
   * Forgets a stream of which nothing is held.
   *
   * @return whether it is not known any more how far some stream had come that was forgotten before
   */
  public boolean forget(StreamLog stream) {
    StreamLog left = stream.left();
    while (stream.oldest() != null) {
      evictOldest(stream);
    }
    streams.remove(stream.id());
    StreamId other = streams.ceilingKey(stream.publisher()); // The first of a publisher's.
    if (other == null || !other.publisher().equals(stream.publisher())) {
      publishedTo.remove(stream.publisher());
    }
    return forgotten.add(left);
  }

  /**
   * Leaves out what came next of a stream that is not here.
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
   * A stream that is not here had come so far at others, which have forgotten it.
   *
   * @return as {@link #forget}
   */
  public boolean learn(Gap all) {
    StreamLog before = forgotten.remove(all.stream());
    StreamLog left = before == null ? new StreamLog(all.stream()) : before;
    left.learn(all);
    return forgotten.add(left);
  }

  /** Number that the next entry will get. */
  public long nextNumber() {
    return nextNumber;
  }

  /** Cost of the entries that nobody holds. */
  public long retainedBytes() {
    return retainedBytes;
  }

  /**
   * Cost of the entries that some member of the committed tree may lack, with what their publishers
   * published between them elsewhere.
   */
  public long unstableBytes() {
    return unstableBytes;
  }

  /** Logs what comes next in a stream; the caller holds it. */
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

  /** What the publisher published from what is known here on up to the item, that included. */
  private long windowBytes(StreamLog stream, LogItem item) {
    StreamId publisher = stream.publisher();
    long to = item.publishedBytes() + item.cost();
    long before = publishedTo.getOrDefault(publisher, item.publishedBytes());
    publishedTo.put(publisher, Math.max(before, to));
    return Math.min(Math.max(item.cost(), to - before), limits.logBytes());
  }

  /** An entry that is not in the log: it stands for content that is not there any more. */
  public LogEntry lost(StreamLog stream, Gap gap) {
    return new LogEntry(this, stream, 0, gap, bytes -> {}, 0);
  }

  /** Whether the entry was ever in the log. */
  public boolean isLogged(LogEntry entry) {
    return entry.number() > 0;
  }

  /** The entry that was logged first; the others follow it. */
  @Nullable
  public LogEntry first() {
    return first;
  }

  /** The first one of the streams of these topics; null if they have none. */
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
   * Grows whenever there may be less of an orphan that somebody lacks, or that has to be told to be
   * missed.
   */
  public long passedOfOrphans() {
    return passedOfOrphans;
  }

  /** An outlet has passed on some of the stream, or nobody holds it any more. */
  public void passedOn(StreamLog stream) {
    passedOfOrphans += stream.isOrphaned() ? 1 : 0;
  }

  /** Somebody lacks no more of any stream what it lacked. */
  public void orphansMayGo() {
    passedOfOrphans++;
  }

  /** Nobody holds the entry any more. */
  void released(LogEntry entry) {
    passedOn(entry.stream());
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

  /** Of which stream the oldest entry goes since there is no room. */
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

  /** The stream with the oldest entry, of those that are meant and have one that nobody holds. */
  private @Nullable StreamLog oldest(Predicate<StreamLog> isMeant) {
    for (StreamLog stream : byOldest.values()) {
      LogEntry oldest = stream.oldest();
      if (oldest != null && !oldest.isHeld() && isMeant.test(stream)) {
        return stream;
      }
    }
    return null;
  }

  // Stability.

  /** Another tree was committed: what is not settled is not known to be stable in it. */
  public void nothingIsStable() {
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
   * Every member of a tree that wants it has the stream up to here. The part of a message that was
   * published whole is not stable, though, while the rest is not here: a subscriber that is told
   * not to wait for that, and gets it after all, gets the message from its begin. Uploads may be
   * larger than logs.
   *
   * @param treeVersion what was published under a later one does not count: others may be meant
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

  /** Nobody who lacks any of the stream is waited for any more. */
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

  /** Whether what is stable is kept for absent members, as far as there is room. */
  public void keepForAbsent(boolean shall) {
    if (keepsForAbsent && !shall) {
      byOldest.values().forEach(this::settle);
    }
    keepsForAbsent = shall;
    releaseStable();
  }

  /** Whether what is stable is kept for subscribers that catch up, as far as there is room. */
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
