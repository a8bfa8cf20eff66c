package io.treecast.collectives;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one member has of a stream: everything before {@link #next}, of which the end is retained.
 * Entries that outlets hold are always the last ones. Relay's thread.
 */
final class StreamLog {
  private final StreamId id;

  private final ArrayDeque<LogEntry> entries = new ArrayDeque<>();
  private Position next = Position.START;
  private long lastNumber;
  private long evictedVersion = 1;
  private boolean orphaned;
  private long unstableBytes;
  private long retainedBytes;

  StreamLog(StreamId id) {
    this.id = id;
  }

  StreamId id() {
    return id;
  }

  /** The first place that is not here yet. */
  Position next() {
    return next;
  }

  /** The first place that can be sent on. */
  Position retainedFrom() {
    LogEntry oldest = entries.peek();
    return oldest == null ? next : oldest.item().from();
  }

  /** Number of the entry that was logged last. */
  long lastNumber() {
    return lastNumber;
  }

  /** The highest tree version of what is not retained any more. */
  long evictedVersion() {
    return evictedVersion;
  }

  /** Cost of the entries that are not stable. */
  long unstableBytes() {
    return unstableBytes;
  }

  void addUnstable(long bytes) {
    unstableBytes += bytes;
  }

  /** Cost of the entries that nobody holds. */
  long retainedBytes() {
    return retainedBytes;
  }

  void addRetained(long bytes) {
    retainedBytes += bytes;
  }

  /** Whether nobody is known who will publish more of it. */
  boolean isOrphaned() {
    return orphaned;
  }

  void markOrphaned(boolean isOrphaned) {
    orphaned = isOrphaned;
  }

  /** Retained entries, oldest first. */
  Iterable<LogEntry> entries() {
    return entries;
  }

  /** Whether any entry is held. */
  boolean isHeld() {
    LogEntry newest = entries.peekLast();
    return newest != null && newest.isHeld();
  }

  @Nullable LogEntry oldest() {
    return entries.peek();
  }

  /** Entries whose end is after the one place and not after the other, oldest first. */
  List<LogEntry> between(Position after, Position upTo) {
    List<LogEntry> found = new ArrayList<>();
    // From the newest on, since that is where neighbours are.
    for (Iterator<LogEntry> newest = entries.descendingIterator(); newest.hasNext(); ) {
      LogEntry entry = newest.next();
      if (!after.isBefore(entry.item().to())) {
        break;
      }
      if (!upTo.isBefore(entry.item().to())) {
        found.add(entry);
      }
    }
    Collections.reverse(found);
    return found;
  }

  void append(LogEntry entry) {
    entries.add(entry);
    next = entry.item().to();
    lastNumber = entry.number();
  }

  /** Drops the oldest entry. */
  LogEntry evictOldest() {
    LogEntry oldest = entries.remove();
    evictedVersion = Math.max(evictedVersion, oldest.item().treeVersion());
    oldest.evict();
    return oldest;
  }
}
