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
 * What the other side of an outlet is handed once more, before anything else. None of it is held,
 * so some of it may not be retained when its turn comes.
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

  /** What a stream has from the begin of a message on. */
  void add(StreamLog stream, Position begin) {
    if (begin.isBefore(stream.retainedFrom())) {
      entries.add(log.lost(stream, Gap.ofMessage(stream.id(), begin, stream.evictedVersion())));
    } else {
      entries.addAll(stream.between(begin, stream.next()));
    }
  }

  /** Where what there is of a stream begins; null if there is nothing of it. */
  @Nullable Position begin(StreamLog stream) {
    for (LogEntry entry : entries) {
      if (entry.stream() == stream) {
        return entry.item().from();
      }
    }
    return null;
  }

  /** What comes next; there is something. */
  LogItem next() {
    LogEntry entry = entries.element();
    LogItem item = entry.item();
    return entry.isEvicted() ? Gap.ofMessage(item.stream(), item.from(), item.treeVersion()) : item;
  }

  /** Whether the content of what comes next was here, and is not retained. */
  boolean isNextLost() {
    LogEntry entry = entries.element();
    return entry.isEvicted() || !log.isLogged(entry);
  }

  /** What came next was passed on; of a message that is lost in part, the rest is of no use. */
  void passed() {
    LogEntry entry = entries.remove();
    log.passedOn(entry.stream());
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
