package io.treecast.collectives;

import java.util.function.Predicate;

/**
 * How much of the log, of the streams that its other side wants, is still before an {@link Outlet}.
 * Relay's thread.
 *
 * <p>Who takes nothing may have most of the log before it, of which little is for it. So this goes
 * through the log when it is first asked, and from then on counts along with the log: what follows,
 * and what is passed or evicted. An outlet that may have any backlog counts nothing.
 */
final class Backlog {
  private final Predicate<StreamLog> wants;
  private long allowedBytes = Long.MAX_VALUE;
  private boolean counted;
  private long bytes;

  /**
   * Of an outlet whose place is not known yet, and which may have any backlog.
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

  /** The outlet is at another place, or its other side wants something else. */
  void changed() {
    counted = false;
  }

  /** The entry was logged behind where the outlet is. */
  void follows(LogEntry entry) {
    bytes += counted ? cost(entry) : 0;
  }

  /** The entry, which was where the outlet is or behind, is not before it any more. */
  void leaves(LogEntry entry) {
    bytes -= counted ? cost(entry) : 0;
  }

  /** Whether what is before an outlet that is at this entry is too much. */
  boolean isTooMuch(LogEntry from) {
    if (!counted && allowedBytes < Long.MAX_VALUE) {
      counted = true;
      bytes = 0;
      for (LogEntry entry = from; entry != null; entry = entry.later()) {
        follows(entry);
      }
    }
    return counted && bytes > allowedBytes;
  }

  private long cost(LogEntry entry) {
    return wants.test(entry.stream()) ? entry.item().cost() : 0;
  }
}
