package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.StreamLog;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of the log that is still before an {@link Outlet}: from the first entry that may wait
 * there, all that follow; and how much of it, of the streams that its other side wants. Relay's
 * thread.
 *
 * <p>Who takes nothing may have most of the log before it, of which little is for it. So this goes
 * through the log when it is first asked how much that is, and from then on counts along with the
 * log: what follows, and what is passed or evicted. An outlet that may have any backlog counts
 * nothing.
 */
final class Backlog {
  private final Predicate<StreamLog> wants;
  private @Nullable LogEntry first;
  private long allowedBytes = Long.MAX_VALUE;
  private boolean counted;
  private long bytes;

  /**
   * Of an outlet that nothing is before, and which may have any backlog.
   *
   * @param wants the streams that count
   */
  Backlog(Predicate<StreamLog> wants) {
    this.wants = wants;
  }

  /** More than this is too much. */
  void allow(long mostBytes) {
    allowedBytes = mostBytes;
  }

  /** The first entry that may wait; those that follow it in the log may, too. */
  @Nullable LogEntry first() {
    return first;
  }

  /** Whether nothing that was logged before the entry of this number is in it. */
  boolean isFrom(long number) {
    return first == null || first.number() >= number;
  }

  /** Whether the entry, which is in the log, is in it. */
  boolean contains(LogEntry entry) {
    return first != null && entry.number() >= first.number();
  }

  /** The outlet is at this entry; with null, nothing is before it. */
  void moveTo(@Nullable LogEntry entry) {
    first = entry;
    counted = false;
  }

  /** The entry may wait, too, and with it all that follow. */
  void goBackTo(@Nullable LogEntry entry) {
    if (entry != null && !contains(entry)) {
      moveTo(entry);
    }
  }

  /** The other side wants something else. */
  void wantsChanged() {
    counted = false;
  }

  /** The entry was logged. If nothing is before the outlet, it is not either unless it waits. */
  void follows(LogEntry entry, boolean waits) {
    first = first == null && waits ? entry : first;
    bytes += counted && first != null ? cost(entry) : 0;
  }

  /** The entry, which was in it, is passed or evicted. */
  void leaves(LogEntry entry) {
    bytes -= counted ? cost(entry) : 0;
    first = entry == first ? entry.later() : first;
  }

  /** Whether it is more than is allowed. */
  boolean isTooMuch() {
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
    return wants.test(entry.stream()) ? entry.item().cost() : 0;
  }
}
