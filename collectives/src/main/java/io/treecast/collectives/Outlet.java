package io.treecast.collectives;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Where items leave a relay, for a neighbour or a local subscriber: what the other side has of each
 * stream, the entries that it lacks in the order in which they were logged, and the credit in bytes
 * to pass on more. Relay's thread.
 *
 * <p>While it <em>holds</em>, it holds each entry put on it until the other side has it. Otherwise
 * entries may be evicted before their turn; then the other side gets a {@link Gap}.
 *
 * <p>An entry is in the queue, not passed on yet, exactly when it ends after what the other side
 * has. So what the other side turns out to have by another way is let go at once, wherever it is in
 * the queue, and skipped when its turn comes.
 */
final class Outlet {
  /** Below this, evicted entries in the queue are not worth a sweep. */
  private static final int FEW_EVICTED = 64;

  /** The other side. */
  interface Exit {
    /** Whether the item is for the other side; if not, it is passed over. */
    boolean wants(LogItem item);

    /** Hands over an item that there was credit for. */
    void pass(LogItem item);
  }

  private final ReplicationLog log;
  private final Exit exit;
  private final ArrayDeque<LogEntry> queue = new ArrayDeque<>();

  /** Entries that the other side is handed once more, before the queue. Never held. */
  private final ArrayDeque<LogEntry> replay = new ArrayDeque<>();

  /** Up to where the other side has each stream; looked up only, never iterated. */
  private final Map<StreamId, Position> next = new HashMap<>();

  /** Streams of which entries were evicted that the other side lacks. */
  private final LinkedHashSet<StreamLog> missed = new LinkedHashSet<>();

  private boolean open;
  private boolean holding;
  private long heldFrom;
  private int evictedInQueue;
  private long creditBytes;

  Outlet(ReplicationLog log, Exit exit) {
    this.log = log;
    this.exit = exit;
  }

  // What the other side has.

  /** Up to where the other side has the stream. */
  Position next(StreamId stream) {
    return next.getOrDefault(stream, Position.START);
  }

  /** How many streams the other side has something of, as far as known. */
  int knownStreams() {
    return next.size();
  }

  /** The other side has the stream up to here, by whatever way. */
  void advance(StreamId id, Position to) {
    Position from = next(id);
    if (!from.isBefore(to)) {
      return;
    }
    StreamLog stream = log.find(id);
    List<LogEntry> held = stream == null || !holding ? List.of() : stream.between(from, to);
    next.put(id, to);
    for (LogEntry entry : held) {
      if (entry.number() >= heldFrom) {
        entry.letGo();
      }
    }
  }

  private boolean lacks(LogEntry entry) {
    return next(entry.stream().id()).isBefore(entry.item().to());
  }

  /** The stream was forgotten. */
  void forget(StreamLog stream) {
    next.remove(stream.id());
    missed.remove(stream);
  }

  // What is to be passed on.

  /** Begins with everything that the log retains. */
  void startFromLog() {
    queue.addAll(log.entries());
  }

  /** Passes the entry on behind those that wait, at once if it may and there is credit for it. */
  void put(LogEntry entry) {
    if (lacks(entry)) {
      if (holding) {
        entry.hold();
      }
      queue.add(entry);
      passOn();
    }
  }

  /**
   * Passes on once more, before anything else, what a stream has from the begin of a message on.
   */
  void replay(StreamLog stream, Position begin) {
    if (begin.isBefore(stream.retainedFrom())) {
      replay.add(log.lost(stream, gapOfMessage(stream.id(), begin, stream.evictedVersion())));
    } else {
      replay.addAll(stream.between(begin, stream.next()));
    }
  }

  /** An entry is not in the log any more. */
  void evicted(LogEntry entry) {
    LogEntry head = queue.peek();
    if (head == null || entry.number() < head.number()) {
      return;
    }
    if (lacks(entry)) {
      missed.add(entry.stream());
    }
    if (++evictedInQueue > Math.max(FEW_EVICTED, queue.size() / 2)) {
      queue.removeIf(LogEntry::isEvicted);
      evictedInQueue = 0;
    }
  }

  /** From now on, holds what is put on it; or does no more, and lets go what it held. */
  void hold(boolean shall) {
    if (holding && !shall) {
      List<LogEntry> held = new ArrayList<>();
      queue.forEach(
          entry -> {
            if (entry.number() >= heldFrom && !entry.isEvicted() && lacks(entry)) {
              held.add(entry);
            }
          });
      holding = false;
      held.forEach(LogEntry::letGo);
    } else if (!holding && shall) {
      heldFrom = log.nextNumber();
      holding = true;
    }
  }

  /** May pass on, now that it is known what the other side has. */
  void open() {
    open = true;
    for (StreamLog stream : log.streams()) {
      if (next(stream.id()).isBefore(stream.retainedFrom())) {
        missed.add(stream);
      }
    }
    passOn();
  }

  /** Whether anything that the other side lacks is not held, though it would be by now. */
  boolean isBehindHeld() {
    LogEntry head = queue.peek();
    return !replay.isEmpty() || (holding && head != null && head.number() < heldFrom);
  }

  /** Gives up everything that waits; what the other side has stays known. */
  void stop() {
    hold(false);
    open = false;
    queue.clear();
    replay.clear();
    missed.clear();
    evictedInQueue = 0;
  }

  /** Forgets what the other side has, and the credit; to be stopped before. */
  void forgetOtherSide() {
    next.clear();
    creditBytes = 0;
  }

  long creditBytes() {
    return creditBytes;
  }

  void addCredit(long bytes) {
    creditBytes += bytes;
    passOn();
  }

  /** Passes on what may be and what there is credit for. */
  void passOn() {
    while (open) {
      if (!missed.isEmpty()) {
        if (!passMissed(missed.iterator().next())) {
          return;
        }
      } else if (!replay.isEmpty()) {
        if (!passReplayed(replay.element())) {
          return;
        }
      } else if (queue.isEmpty() || !passQueued(queue.element())) {
        return;
      }
    }
  }

  /** Takes the credit for the item, unless it is not wanted; false if there is too little. */
  private boolean takeCredit(LogItem item, boolean wanted) {
    if (wanted && item.cost() > creditBytes) {
      return false;
    }
    creditBytes -= wanted ? item.cost() : 0;
    return true;
  }

  private boolean passMissed(StreamLog stream) {
    Position from = next(stream.id());
    Position to = stream.retainedFrom();
    if (from.isBefore(to)) {
      Gap gap = new Gap(stream.id(), from, to, stream.evictedVersion());
      boolean wanted = exit.wants(gap);
      if (!takeCredit(gap, wanted)) {
        return false;
      }
      next.put(stream.id(), to);
      if (wanted) {
        exit.pass(gap);
      }
    }
    missed.remove(stream);
    return true;
  }

  private boolean passReplayed(LogEntry entry) {
    LogItem item = entry.item();
    if (entry.isEvicted()) {
      item = gapOfMessage(item.stream(), item.from(), item.treeVersion());
    }
    boolean wanted = exit.wants(item);
    if (!takeCredit(item, wanted)) {
      return false;
    }
    replay.remove();
    if (entry.isEvicted()) {
      replay.removeIf(other -> other.stream() == entry.stream());
    }
    if (wanted) {
      exit.pass(item);
    }
    return true;
  }

  /** All of the message that there is a chunk of at this place. */
  private static Gap gapOfMessage(StreamId stream, Position inside, long treeVersion) {
    long sequence = inside.sequence();
    return new Gap(stream, new Position(sequence, 0), new Position(sequence + 1, 0), treeVersion);
  }

  private boolean passQueued(LogEntry entry) {
    if (entry.isEvicted() || !lacks(entry)) {
      queue.remove();
      return true;
    }
    LogItem item = rest(entry.item());
    boolean wanted = exit.wants(item);
    if (!takeCredit(item, wanted)) {
      return false;
    }
    queue.remove();
    boolean held = holding && entry.number() >= heldFrom;
    next.put(entry.stream().id(), item.to());
    if (wanted) {
      exit.pass(item);
    }
    if (held) {
      entry.letGo();
    }
    return true;
  }

  /** Of a gap, what the other side has none of. */
  private LogItem rest(LogItem item) {
    Position from = next(item.stream());
    return item instanceof Gap gap && gap.from().isBefore(from)
        ? new Gap(gap.stream(), from, gap.to(), gap.treeVersion())
        : item;
  }
}
