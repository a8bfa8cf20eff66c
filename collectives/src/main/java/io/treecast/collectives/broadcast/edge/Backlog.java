package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.StreamLog;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of the log that still lies before an {@link Outlet}: all entries from the first that may
 * wait there. Also tracks how many of those bytes belong to streams that the other side wants.
 *
 * <p>An outlet that takes nothing may have most of the log before it, but want little of that. The
 * size is therefore computed by a pass over the log when first requested, and kept up to date from
 * then on as entries are logged, passed or evicted. An outlet without a limit counts nothing.
 */
final class Backlog {
  private final Predicate<StreamLog> accepts;
  private @Nullable LogEntry first;
  private long allowedBytes = Long.MAX_VALUE;
  private boolean counted;
  private long bytes;

  /**
   * Creates an empty backlog without a limit.
   *
   * @param accepts the streams that count
   */
  Backlog(Predicate<StreamLog> accepts) {
    this.accepts = accepts;
  }

  /** Sets the limit: more than this is too much. */
  void allow(long mostBytes) {
    allowedBytes = mostBytes;
  }

  /** Returns the first entry that may wait; those that follow it in the log may, too. */
  @Nullable LogEntry first() {
    return first;
  }

  /** Returns whether the backlog contains nothing logged before the entry of this number. */
  boolean isFrom(long number) {
    return first == null || first.number() >= number;
  }

  /** Returns whether the entry, which is in the log, is in the backlog. */
  boolean contains(LogEntry entry) {
    return first != null && entry.number() >= first.number();
  }

  /** Moves the outlet to this entry; null means that nothing is before it. */
  void moveTo(@Nullable LogEntry entry) {
    first = entry;
    counted = false;
  }

  /** Moves the outlet back, if necessary, so that the entry and all that follow may wait. */
  void rewindTo(@Nullable LogEntry entry) {
    if (entry != null && !contains(entry)) {
      moveTo(entry);
    }
  }

  /** Notes that the other side wants other streams than before. */
  void interestChanged() {
    counted = false;
  }

  /**
   * Notes that the entry was logged. An outlet with nothing before it has a backlog only if the
   * entry waits.
   */
  void follows(LogEntry entry, boolean waits) {
    first = first == null && waits ? entry : first;
    bytes += counted && first != null ? cost(entry) : 0;
  }

  /** Notes that the entry, which was in the backlog, is passed or evicted. */
  void leaves(LogEntry entry) {
    bytes -= counted ? cost(entry) : 0;
    first = entry == first ? entry.later() : first;
  }

  /** Returns whether the backlog exceeds its limit. */
  boolean exceedsLimit() {
    if (!counted && allowedBytes < Long.MAX_VALUE) {
      counted = true;
      bytes = 0;
      for (LogEntry entry = first; entry != null; entry = entry.later()) {
        bytes += cost(entry);
      }
    }
    return counted && bytes > allowedBytes;
  }

  private long cost(LogEntry entry) {
    return accepts.test(entry.stream()) ? entry.item().cost() : 0;
  }
}
