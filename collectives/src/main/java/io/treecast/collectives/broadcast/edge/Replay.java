package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.Position;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The items that the other side of an outlet gets once more, before anything else. They are not
 * held, so some may be evicted before their turn.
 */
final class Replay {
  private final ReplicationLog log;
  private final ArrayDeque<LogEntry> entries = new ArrayDeque<>();

  Replay(ReplicationLog log) {
    this.log = log;
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Adds the content of a stream from the beginning of a message on. */
  void add(StreamLog stream, Position begin) {
    if (begin.isBefore(stream.retainedFrom())) {
      entries.add(log.lost(stream, Gap.ofMessage(stream.id(), begin, stream.evictedVersion())));
    } else {
      entries.addAll(stream.between(begin, stream.next()));
    }
  }

  /** Returns where the content of a stream begins; null if it has none here. */
  @Nullable Position begin(StreamLog stream) {
    for (LogEntry entry : entries) {
      if (entry.stream() == stream) {
        return entry.item().from();
      }
    }
    return null;
  }

  /** Returns the next item; there must be one. */
  LogItem next() {
    LogEntry entry = entries.element();
    LogItem item = entry.item();
    return entry.isEvicted() ? Gap.ofMessage(item.stream(), item.from(), item.treeVersion()) : item;
  }

  /** Returns whether the content of the next item was here, and is no longer retained. */
  boolean isNextLost() {
    LogEntry entry = entries.element();
    return entry.isEvicted() || !log.isLogged(entry);
  }

  /** Removes the next item, which was passed on, and the rest of its message if a part is lost. */
  void passed() {
    LogEntry entry = entries.remove();
    log.outletAdvanced(entry.stream());
    if (entry.isEvicted()) {
      remove(entry.stream());
    }
  }

  void remove(StreamLog stream) {
    entries.removeIf(entry -> entry.stream() == stream);
  }

  void clear() {
    entries.clear();
  }
}
