package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One member's log of a stream. The member has had everything before {@link #next}, and the log
 * retains the end of it. Entries that outlets hold are always the last ones, stable entries the
 * first.
 */
public final class StreamLog {
  private static final long UNSTAMPED = Long.MAX_VALUE;

  /** The initial capacity of a queue. It is small, because very many streams retain nothing. */
  private static final int FEW = 1;

  private final StreamId id;
  private final StreamId publisher;

  /** Entries that neither a member of the tree nor an absent one lacks. */
  private final ArrayDeque<LogEntry> settled = new ArrayDeque<>(FEW);

  /** The entries after these that no member of the committed tree lacks. */
  private final ArrayDeque<LogEntry> stable = new ArrayDeque<>(FEW);

  /** The entries after those. */
  private final ArrayDeque<LogEntry> unstable = new ArrayDeque<>(FEW);

  /** The first place that is not settled. */
  private Position settledTo;

  private Position next;

  /** The position that the stream had here when it was begun. */
  private Position startPosition = Position.START;

  private long lastNumber;
  private long evictedVersion;
  private boolean orphaned;
  private long idleNanos = UNSTAMPED;
  private boolean abandoned;
  private boolean truncated;
  private boolean learnt;
  private boolean hadContent;
  private long retainedBytes;

  public StreamLog(StreamId id) {
    this(id, Position.START, 1);
  }

  /**
   * Creates the log of a stream of which some content was here and nothing is retained.
   *
   * @param next the first place that was not here
   * @param evictedVersion the highest tree version of the content that was here
   */
  public StreamLog(StreamId id, Position next, long evictedVersion) {
    this.id = id;
    this.publisher = id.publisher();
    this.next = next;
    this.settledTo = next;
    this.evictedVersion = evictedVersion;
  }

  /** Returns the remains that are kept when the stream is forgotten. */
  StreamLog left() {
    StreamLog left = new StreamLog(id, next, latestVersion());
    left.truncated = oldest() != null || !isSettled();
    left.hadContent = true;
    return left;
  }

  /** Marks the stream as known again, from the position that it had reached. */
  void beginAgain() {
    startPosition = next;
  }

  /** Skips an item for which there is no room; the stream continues behind it. */
  void leaveOut(LogItem item) {
    truncated = true;
    hadContent = true;
    next = item.to();
    evictedVersion = Math.max(evictedVersion, item.treeVersion());
  }

  /** Notes that other members have some of the stream for which there is no room here. */
  public void markTruncated() {
    truncated = true;
  }

  /**
   * Returns whether there was no room here for content of the stream that others may still lack.
   */
  public boolean isTruncated() {
    return truncated;
  }

  /** Returns whether the stream gave way, or others may have content that was never here. */
  boolean mayBeElsewhere() {
    return truncated || learnt;
  }

  /** Returns whether any content of a forgotten stream was here. */
  boolean hadContent() {
    return hadContent;
  }

  /** Returns the place before which the content is not here, or was forgotten once. */
  public Position startPosition() {
    return startPosition;
  }

  public StreamId id() {
    return id;
  }

  /** Returns {@link StreamId#publisher}. */
  StreamId publisher() {
    return publisher;
  }

  /** Returns the first place that is not here yet. */
  public Position next() {
    return next;
  }

  /**
   * Returns the position of a forgotten stream up to which subscribers received the content, or a
   * notice that they miss it. If only other members reported the position, the rest of the last
   * message may still arrive, and a subscriber that begins after a position has had no notice of
   * that message.
   */
  public Position reportedTo() {
    return learnt && !hadContent ? new Position(next.sequence(), 0) : next;
  }

  /** Records a position that was reached elsewhere; nothing of the stream is here, or will be. */
  void learn(Gap all) {
    learnt = true;
    next = all.to();
    settledTo = next;
    evictedVersion = Math.max(evictedVersion, all.treeVersion());
  }

  /** Returns the first place that can be sent on. */
  public Position retainedFrom() {
    LogEntry oldest = oldest();
    return oldest == null ? next : oldest.item().from();
  }

  /**
   * Returns the place where content published under the given tree begins, as far as it is
   * retained. The version of that tree is higher than that of any tree that its members had before.
   */
  public Position startUnder(long treeVersion) {
    Position begin = next;
    for (ArrayDeque<LogEntry> entries : List.of(unstable, stable, settled)) {
      Iterator<LogEntry> newestFirst = entries.descendingIterator();
      while (newestFirst.hasNext()) {
        LogItem item = newestFirst.next().item();
        if (item.treeVersion() < treeVersion) {
          return begin;
        }
        begin = item.from();
      }
    }
    return begin;
  }

  /** Returns the number of the entry that was logged last. */
  public long lastNumber() {
    return lastNumber;
  }

  /** Returns the highest tree version of the content that is no longer retained. */
  public long evictedVersion() {
    return evictedVersion;
  }

  /** Returns whether the oldest entry is a gap. */
  boolean isOldestGap() {
    LogEntry oldest = oldest();
    return oldest != null && oldest.item() instanceof Gap;
  }

  /** Returns whether every member of the committed tree has the oldest entry. */
  boolean isOldestStable() {
    return !settled.isEmpty() || !stable.isEmpty();
  }

  /** Returns whether neither a member of the tree nor an absent one lacks the oldest entry. */
  boolean isOldestSettled() {
    return !settled.isEmpty();
  }

  /** Returns the cost of the entries that no outlet holds. */
  long retainedBytes() {
    return retainedBytes;
  }

  void addRetained(long bytes) {
    retainedBytes += bytes;
  }

  /** Returns whether no live publisher of the stream is known. */
  public boolean isOrphaned() {
    return orphaned;
  }

  public void markOrphaned(boolean isOrphaned) {
    orphaned = isOrphaned;
    markBusy();
  }

  /** Notes that the stream is published or wanted. */
  public void markBusy() {
    idleNanos = UNSTAMPED;
  }

  /**
   * Returns how long the stream has been an orphan, or not busy, in nanoseconds; the first call
   * begins the period.
   */
  public long idleForNanos(long nowNanos) {
    if (idleNanos == UNSTAMPED) {
      idleNanos = nowNanos;
    }
    return nowNanos - idleNanos;
  }

  /**
   * Returns whether the rest of the message in progress is no longer awaited, because no reachable
   * member seems to have it.
   */
  public boolean isAbandoned() {
    return abandoned;
  }

  public void markAbandoned() {
    abandoned = true;
  }

  /** Returns whether neither a member of the tree nor an absent one lacks any of the stream. */
  public boolean isSettled() {
    return oldestUnsettled() == null && !isHeld() && !next.insideMessage();
  }

  /** Returns whether any entry is held. */
  public boolean isHeld() {
    LogEntry newest = newest();
    return newest != null && newest.isHeld();
  }

  private @Nullable LogEntry newest() {
    LogEntry newestStable = stable.isEmpty() ? settled.peekLast() : stable.peekLast();
    return unstable.isEmpty() ? newestStable : unstable.peekLast();
  }

  @Nullable
  public LogEntry oldest() {
    return settled.isEmpty() ? oldestUnsettled() : settled.peek();
  }

  /** Returns the highest tree version of the content that was logged. */
  public long latestVersion() {
    LogEntry newest = newest();
    return newest == null ? evictedVersion : newest.item().treeVersion();
  }

  /**
   * Returns the entries whose end is after {@code after} and not after {@code upTo}, oldest first.
   */
  public List<LogEntry> between(Position after, Position upTo) {
    List<LogEntry> found = new ArrayList<>();
    // From the newest on, because neighbours are near the end.
    if (addBetween(after, upTo, unstable, found) && addBetween(after, upTo, stable, found)) {
      addBetween(after, upTo, settled, found);
    }
    Collections.reverse(found);
    return found;
  }

  /** Returns whether there may be more. */
  private static boolean addBetween(
      Position after, Position upTo, ArrayDeque<LogEntry> entries, List<LogEntry> found) {
    Iterator<LogEntry> newestFirst = entries.descendingIterator();
    while (newestFirst.hasNext()) {
      LogEntry entry = newestFirst.next();
      if (!after.isBefore(entry.item().to())) {
        return false;
      }
      if (!upTo.isBefore(entry.item().to())) {
        found.add(entry);
      }
    }
    return true;
  }

  void append(LogEntry entry) {
    LogEntry newest = newest();
    if (newest != null) {
      newest.followInStream(entry);
    }
    unstable.add(entry);
    next = entry.item().to();
    lastNumber = entry.number();
    abandoned = false;
  }

  /** Removes and returns the oldest entry. */
  LogEntry evictOldest() {
    ArrayDeque<LogEntry> unsettled = stable.isEmpty() ? unstable : stable;
    LogEntry oldest = settled.isEmpty() ? unsettled.remove() : settled.remove();
    evictedVersion = Math.max(evictedVersion, oldest.item().treeVersion());
    oldest.evict();
    return oldest;
  }

  // Stability.

  /** Returns the oldest entry that is not stable. */
  @Nullable
  public LogEntry oldestUnstable() {
    return unstable.peek();
  }

  /** Returns the oldest entry that a member of the tree or an absent one may lack. */
  @Nullable
  public LogEntry oldestUnsettled() {
    return stable.isEmpty() ? unstable.peek() : stable.peek();
  }

  /** Marks the oldest unstable entry as stable. */
  void markStable() {
    LogEntry entry = unstable.remove();
    entry.markStable(true);
    stable.add(entry);
  }

  /**
   * Settles all stable entries: no member is absent, so they stay stable in every later tree.
   *
   * @return how many entries were settled
   */
  int settle() {
    int entries = stable.size();
    settledTo = stable.isEmpty() ? settledTo : stable.getLast().item().to();
    settled.addAll(stable);
    stable.clear();
    return entries;
  }

  /**
   * Returns the place before which neither a member of the tree nor an absent one lacks anything.
   */
  public Position settledTo() {
    return settledTo;
  }

  /** Makes the newest stable entry unstable again; returns null if only settled ones are left. */
  @Nullable LogEntry unmarkNewestStable() {
    LogEntry entry = stable.pollLast();
    if (entry != null) {
      entry.markStable(false);
      unstable.addFirst(entry);
    }
    return entry;
  }
}
