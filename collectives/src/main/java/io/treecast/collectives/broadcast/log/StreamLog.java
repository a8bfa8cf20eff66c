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
 * What one member has of a stream: everything before {@link #next}, of which the end is retained.
 * Entries that outlets hold are always the last ones, stable ones the first.
 */
public final class StreamLog {
  private static final long UNSTAMPED = Long.MAX_VALUE;

  /** Entries that there is room for at first: of very many streams, nothing is retained. */
  private static final int FEW = 1;

  private final StreamId id;
  private final StreamId publisher;

  /** What nobody lacks, nor anybody who may come back. */
  private final ArrayDeque<LogEntry> settled = new ArrayDeque<>(FEW);

  /** What follows it, and no member of the committed tree lacks. */
  private final ArrayDeque<LogEntry> stable = new ArrayDeque<>(FEW);

  /** What follows that. */
  private final ArrayDeque<LogEntry> unstable = new ArrayDeque<>(FEW);

  /** Where what is not settled begins. */
  private Position settledTo;

  private Position next;

  /** Up to where it had come here when it was begun. */
  private Position begunAt = Position.START;

  private long lastNumber;
  private long evictedVersion;
  private boolean orphaned;
  private long idleNanos = UNSTAMPED;
  private boolean givenUp;
  private boolean gaveWay;
  private boolean learnt;
  private boolean wasHere;
  private long retainedBytes;

  public StreamLog(StreamId id) {
    this(id, Position.START, 1);
  }

  /**
   * One of which something was here, and is not retained.
   *
   * @param next the first place that was not here
   * @param evictedVersion the highest tree version of what was
   */
  public StreamLog(StreamId id, Position next, long evictedVersion) {
    this.id = id;
    this.publisher = id.publisher();
    this.next = next;
    this.settledTo = next;
    this.evictedVersion = evictedVersion;
  }

  /** What is left of it when it is forgotten. */
  StreamLog left() {
    StreamLog left = new StreamLog(id, next, latestVersion());
    left.gaveWay = oldest() != null || !isSettled();
    left.wasHere = true;
    return left;
  }

  /** It is known again, from where it had come. */
  void beginAgain() {
    begunAt = next;
  }

  /** Something came of it for which there is no room: it goes on behind that. */
  void leaveOut(LogItem item) {
    gaveWay = true;
    wasHere = true;
    next = item.to();
    evictedVersion = Math.max(evictedVersion, item.treeVersion());
  }

  /** Others have some of it, and there is no room for it. */
  public void giveWay() {
    gaveWay = true;
  }

  /** Whether others may lack what would have gone on from here, had there been room for it. */
  public boolean gaveWay() {
    return gaveWay;
  }

  /** The same, or whether others may have some that was never here. */
  boolean mayBeElsewhere() {
    return gaveWay || learnt;
  }

  /** Of what was forgotten: whether any of it came here. */
  boolean wasHere() {
    return wasHere;
  }

  /** What comes before is not here, or was forgotten once. */
  public Position begunAt() {
    return begunAt;
  }

  public StreamId id() {
    return id;
  }

  /** As {@link StreamId#publisher}. */
  StreamId publisher() {
    return publisher;
  }

  /** The first place that is not here yet. */
  public Position next() {
    return next;
  }

  /**
   * Of one that was forgotten, up to where subscribers got what is due, or were told that they miss
   * it. Where only others said how far it had come, the rest of its last message may still come; so
   * who begins after a position was not told of that one.
   */
  public Position toldTo() {
    return learnt && !wasHere ? new Position(next.sequence(), 0) : next;
  }

  /** It had come so far elsewhere; nothing of it is here, nor will be. */
  void learn(Gap all) {
    learnt = true;
    next = all.to();
    settledTo = next;
    evictedVersion = Math.max(evictedVersion, all.treeVersion());
  }

  /** The first place that can be sent on. */
  public Position retainedFrom() {
    LogEntry oldest = oldest();
    return oldest == null ? next : oldest.item().from();
  }

  /**
   * Where what was published under a tree begins, as far as it is retained: the members of that
   * tree have counted its version on from their own.
   */
  public Position beginUnder(long treeVersion) {
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

  /** Number of the entry that was logged last. */
  public long lastNumber() {
    return lastNumber;
  }

  /** The highest tree version of what is not retained any more. */
  public long evictedVersion() {
    return evictedVersion;
  }

  /** Whether the oldest entry has no content. */
  boolean isOldestGap() {
    LogEntry oldest = oldest();
    return oldest != null && oldest.item() instanceof Gap;
  }

  /** Whether every member of the committed tree has the oldest entry. */
  boolean isOldestStable() {
    return !settled.isEmpty() || !stable.isEmpty();
  }

  /** Whether nobody lacks the oldest entry, nor anybody who may come back. */
  boolean isOldestSettled() {
    return !settled.isEmpty();
  }

  /** Cost of the entries that nobody holds. */
  long retainedBytes() {
    return retainedBytes;
  }

  void addRetained(long bytes) {
    retainedBytes += bytes;
  }

  /** Whether nobody is known who will publish more of it. */
  public boolean isOrphaned() {
    return orphaned;
  }

  public void markOrphaned(boolean isOrphaned) {
    orphaned = isOrphaned;
    markBusy();
  }

  /** Somebody publishes more of it, or wants that. */
  public void markBusy() {
    idleNanos = UNSTAMPED;
  }

  /** For how long it has been an orphan, or not busy; begins with the first call. */
  public long idleForNanos(long nowNanos) {
    if (idleNanos == UNSTAMPED) {
      idleNanos = nowNanos;
    }
    return nowNanos - idleNanos;
  }

  /** Whether nobody within reach is believed to have the rest of the message in progress. */
  public boolean isGivenUp() {
    return givenUp;
  }

  void markGivenUp() {
    givenUp = true;
  }

  /** Whether nobody lacks any of it, nor anybody who may come back. */
  public boolean isSettled() {
    return oldestUnsettled() == null && !isHeld() && !next.insideMessage();
  }

  /** Whether any entry is held. */
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

  /** The highest tree version of what was logged. */
  public long latestVersion() {
    LogEntry newest = newest();
    return newest == null ? evictedVersion : newest.item().treeVersion();
  }

  /** Entries whose end is after the one place and not after the other, oldest first. */
  public List<LogEntry> between(Position after, Position upTo) {
    List<LogEntry> found = new ArrayList<>();
    // From the newest on, since that is where neighbours are.
    if (addBetween(after, upTo, unstable, found) && addBetween(after, upTo, stable, found)) {
      addBetween(after, upTo, settled, found);
    }
    Collections.reverse(found);
    return found;
  }

  /** Whether there may be more. */
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
    givenUp = false;
  }

  /** Drops the oldest entry. */
  LogEntry evictOldest() {
    ArrayDeque<LogEntry> unsettled = stable.isEmpty() ? unstable : stable;
    LogEntry oldest = settled.isEmpty() ? unsettled.remove() : settled.remove();
    evictedVersion = Math.max(evictedVersion, oldest.item().treeVersion());
    oldest.evict();
    return oldest;
  }

  // Stability.

  /** The oldest entry that is not stable. */
  @Nullable
  public LogEntry oldestUnstable() {
    return unstable.peek();
  }

  /** The oldest entry that somebody may lack, who is in the tree or may come back. */
  @Nullable
  public LogEntry oldestUnsettled() {
    return stable.isEmpty() ? unstable.peek() : stable.peek();
  }

  /** Every member of the committed tree has the oldest entry that was not stable. */
  void markStable() {
    LogEntry entry = unstable.remove();
    entry.markStable(true);
    stable.add(entry);
  }

  /**
   * Nobody is absent: what is stable stays so, whatever tree comes.
   *
   * @return how many entries that are
   */
  int settle() {
    int entries = stable.size();
    settledTo = stable.isEmpty() ? settledTo : stable.getLast().item().to();
    settled.addAll(stable);
    stable.clear();
    return entries;
  }

  /** Up to where nobody who may come back lacks anything. */
  public Position settledTo() {
    return settledTo;
  }

  /** Takes back that the newest stable entry is; null if none is but the settled ones. */
  @Nullable LogEntry unmarkNewestStable() {
    LogEntry entry = stable.pollLast();
    if (entry != null) {
      entry.markStable(false);
      unstable.addFirst(entry);
    }
    return entry;
  }
}
