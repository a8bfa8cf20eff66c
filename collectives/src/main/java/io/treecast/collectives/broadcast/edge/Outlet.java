package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.ReceivedPositions;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The exit of items for a neighbour or a local subscriber: the other side's position in each
 * stream, the first log entry that waits for it, and the credit, in bytes, to pass on more.
 *
 * <p>While it <em>holds</em>, it holds each entry put on it until the other side has it. Otherwise
 * entries may be evicted before their turn; then the other side gets a {@link Gap}.
 *
 * <p>From the first one on, an entry waits exactly when it is of a {@linkplain Channel channel}
 * that leaves here and of a topic that the other side wants, and ends after the other side's
 * position. Content that the other side turns out to have by another route is therefore released at
 * once, wherever it is in the log, and skipped when its turn comes.
 */
public final class Outlet {
  private final ReplicationLog log;
  private final Exit exit;
  private final OutletTopics wanted;
  private final Backlog backlog = new Backlog(this::accepts);
  private final Replay replay;

  private final ReceivedPositions had;
  private final MissedStreams missed = new MissedStreams();
  private final OutletCredit credit = new OutletCredit();

  private boolean open;
  private boolean holding;
  private long heldFrom;
  private boolean catchingUp;
  private long catchUpTo;

  /**
   * Creates an outlet with nothing waiting.
   *
   * @param channels whose streams leave here
   * @param topics wanted by the other side from the start
   */
  public Outlet(ReplicationLog log, Exit exit, Set<Channel> channels, Collection<String> topics) {
    this.log = log;
    this.replay = new Replay(log);
    this.exit = exit;
    this.had = new ReceivedPositions(exit.isMember() ? 0 : 2 * log.mostForgotten());
    this.wanted = new OutletTopics(channels, topics);
  }

  // Interest of the other side.

  /** Returns whether the other side wants the stream. */
  boolean accepts(StreamLog stream) {
    return wanted.contains(stream);
  }

  /** Adds topics that the other side wants: content of them that it lacks waits from now on. */
  public void addTopics(Collection<String> topics, boolean fromLog) {
    Set<String> added = wanted.add(topics, log.nextNumber());
    if (added.isEmpty()) {
      return;
    }
    backlog.interestChanged();
    if (fromLog) {
      backlog.rewindTo(log.oldest(added));
      if (open) {
        findMissed(added);
        passOn();
      }
    }
  }

  /** Removes topics that the other side no longer wants: nothing of them waits. */
  void removeTopics(Collection<String> topics) {
    if (topics.isEmpty()) {
      return;
    }
    List<LogEntry> held = waitingHeld(stream -> topics.contains(stream.id().topic()));
    wanted.removeAll(topics);
    backlog.interestChanged();
    missed.removeIf(stream -> !accepts(stream));
    held.forEach(LogEntry::release);
    passOn();
  }

  /** Sets the selections that the other side wants, instead of those before. */
  public void setSelections(Set<String> selections, boolean fromLog) {
    Set<String> removed = wanted.selections();
    removed.removeAll(selections);
    removeTopics(removed);
    addTopics(selections, fromLog);
  }

  // Positions of the other side.

  /** Returns the position of the other side in the stream. */
  public Position next(StreamId stream) {
    return had.next(stream);
  }

  /**
   * Returns the place from which the other side gets content next. During a replay it is before the
   * position of the other side.
   */
  public Position due(StreamLog stream) {
    Position replayed = replay.begin(stream);
    return replayed == null ? next(stream.id()) : replayed;
  }

  /** Returns the number of streams of which the other side is known to have content. */
  public int knownStreams() {
    return had.streams();
  }

  private void moveTo(StreamId stream, Position to) {
    had.put(stream, to);
    exit.moved(stream);
  }

  /** Sets the starting position of the other side: it receives no gap for content before it. */
  public void beginAfter(StreamId stream, Position begin) {
    had.name(stream);
    advance(stream, begin);
  }

  /** Advances the other side's position, whatever the route by which it got the content. */
  public void advance(StreamId id, Position to) {
    Position from = next(id);
    if (!from.isBefore(to)) {
      return;
    }
    StreamLog stream = log.find(id);
    List<LogEntry> held = stream == null || !holding ? List.of() : stream.between(from, to);
    moveTo(id, to);
    for (LogEntry entry : held) {
      if (isHolding(entry)) {
        entry.release();
      }
    }
  }

  /** Whether the entry was put on this outlet while it held. */
  private boolean isHolding(LogEntry entry) {
    return holding && entry.number() >= heldFrom && wanted.containedWhenLogged(entry);
  }

  private List<LogEntry> waitingHeld(Predicate<StreamLog> matches) {
    List<LogEntry> held = new ArrayList<>();
    for (LogEntry entry = backlog.first(); entry != null; entry = entry.later()) {
      if (matches.test(entry.stream()) && isHolding(entry) && lacks(entry)) {
        held.add(entry);
      }
    }
    return held;
  }

  private boolean lacks(LogEntry entry) {
    return next(entry.stream().id()).isBefore(entry.item().to());
  }

  /** Returns whether the other side lacks any of the stream before a place. */
  public boolean lacks(StreamLog stream, Position end) {
    return due(stream).isBefore(end);
  }

  /** Returns whether one more stream can be forgotten and its gap sent later. */
  public boolean mayLose() {
    return missed.forgotten() < log.mostForgotten();
  }

  /** Returns whether a gap waits to be sent. */
  public boolean hasMissed() {
    return !missed.isEmpty();
  }

  /**
   * Notes that the stream was forgotten.
   *
   * @param isOwed whether the other side gets a gap for the part that it lacks
   */
  public void forget(StreamLog stream, boolean isOwed) {
    MissedReason reason = missed.reason(stream);
    Position from = due(stream);
    missed.remove(stream);
    replay.remove(stream);
    had.forget(stream);
    StreamLog left = log.forgotten(stream.id());
    if (isOwed && left != null) {
      had.put(stream.id(), from);
      missed.forgotten(left, reason);
      passOn();
    }
  }

  /**
   * Marks what the other side lacks of a stream without content here as missed, and the content
   * before the given position as received.
   */
  public void miss(StreamLog left, Position before, MissedReason reason) {
    boolean isNew = !missed.contains(left);
    advance(left.id(), isNew ? before : Position.START);
    if (lacks(left, left.next()) && (!isNew || mayLose())) {
      missed.forgotten(left, reason);
      passOn();
    }
  }

  /** Notes that the stream is here again: of its earlier content, at most the gap waits. */
  public void revived(StreamLog stream, Position before) {
    if (!missed.contains(stream)) {
      advance(stream.id(), before);
    }
  }

  // Content to be passed on.

  /** Begins with everything in the log that the other side wants. */
  public void startFromLog() {
    backlog.moveTo(log.first());
  }

  /**
   * Passes the entry on behind those that wait; at once if the outlet is open and has credit for
   * it.
   */
  public void put(LogEntry entry) {
    boolean waits = accepts(entry.stream()) && lacks(entry);
    if (waits) {
      if (holding) {
        entry.hold();
      }
      if (open && next(entry.stream().id()).isBefore(entry.stream().retainedFrom())) {
        missed.putIfAbsent(
            entry.stream(), MissedReason.NOT_RETAINED); // The stream was forgotten before.
      }
    }
    backlog.follows(entry, waits);
    if (waits) {
      passOn();
    }
  }

  /**
   * Queues a stream, from the beginning of a message on, to be passed on once more before anything
   * else.
   */
  public void replay(StreamLog stream, Position begin) {
    replay.add(stream, begin);
  }

  /** Notes that an entry is no longer in the log. */
  public void evicted(LogEntry entry) {
    if (!backlog.contains(entry)) {
      return;
    }
    if (accepts(entry.stream()) && lacks(entry)) {
      missed.putIfAbsent(entry.stream(), MissedReason.NOT_RETAINED);
    }
    backlog.leaves(entry);
  }

  /**
   * Sets whether the outlet holds the entries put on it; on false, releases those that it holds.
   */
  public void hold(boolean shall) {
    if (holding && !shall) {
      List<LogEntry> held = waitingHeld(stream -> true);
      holding = false;
      held.forEach(LogEntry::release);
    } else if (!holding && shall) {
      heldFrom = log.nextNumber();
      holding = true;
    }
  }

  /** Starts passing on, because the other side's positions are known. */
  public void open() {
    open = true;
    catchingUp = true;
    catchUpTo = log.nextNumber();
    findMissed(wanted.all());
    passOn();
  }

  /** Finds the missed content in the streams of these topics. */
  private void findMissed(Collection<String> topics) {
    Predicate<StreamLog> matches = s -> topics.contains(s.id().topic()) && accepts(s);
    missed.find(log, matches, s -> next(s.id()), exit.isMember());
  }

  /** Returns whether nothing waits that was logged before the entry of this number. */
  boolean isDrainedBefore(long number) {
    return backlog.isFrom(number);
  }

  /**
   * Returns whether the outlet holds, but the other side lacks content from before the outlet began
   * to hold, which may be evicted.
   */
  public boolean isBehindHeld() {
    return holding && !(replay.isEmpty() && backlog.isFrom(heldFrom));
  }

  /** Drops everything that waits; the other side's positions stay known. */
  public void stop() {
    hold(false);
    open = false;
    backlog.moveTo(null);
    replay.clear();
    missed.keepForgotten();
    log.orphansAdvanced();
  }

  /**
   * Forgets the other side's positions, its interest beside the default topic, and its credit;
   * requires {@link #stop}.
   */
  void forgetOtherSide() {
    had.clear();
    wanted.keepDefault();
    missed.removeIf(stream -> !accepts(stream));
    credit.clear();
  }

  public OutletCredit credit() {
    return credit;
  }

  public void addCredit(long bytes) {
    credit.add(bytes);
    passOn();
  }

  /**
   * Once the outlet has caught up, skips the waiting content at the beginning of a message if it
   * exceeds the given bytes.
   */
  public void skipBeyond(long bytes) {
    backlog.allow(bytes);
  }

  private boolean isToSkip() {
    LogEntry next = backlog.first();
    return next != null
        && !catchingUp
        && !next.item().from().insideMessage()
        && backlog.exceedsLimit();
  }

  /** Drops the waiting content: the other side gets the gaps, and continues with the next entry. */
  private void skip() {
    for (StreamLog stream : log.streams()) {
      if (accepts(stream) && next(stream.id()).isBefore(stream.next())) {
        missed.skip(stream);
      }
    }
    backlog.moveTo(null);
  }

  /** Returns whether the item would keep no publisher waiting if it were put here. */
  public boolean passesImmediately(LogItem item) {
    boolean isNext = open && missed.isEmpty() && replay.isEmpty() && backlog.first() == null;
    return !holding || (isNext && item.cost() <= credit.bytes());
  }

  /** Returns whether it may pass on. */
  public boolean isOpen() {
    return open;
  }

  /**
   * Hands over the next content of its stream, which does not wait in the backlog.
   *
   * @return false if there is no credit for it
   */
  public boolean handOver(LogItem content) {
    return pass(rest(content), null);
  }

  /**
   * Hands over a gap for content that the log had.
   *
   * @return false if there is no credit for it
   */
  public boolean lose(Gap gap, MissedReason reason) {
    return pass(gap, reason);
  }

  private boolean pass(LogItem item, @Nullable MissedReason reason) {
    boolean wanted = exit.accepts(item);
    if (!credit.take(item, wanted)) {
      return false;
    }
    moveTo(item.stream(), item.to());
    if (wanted) {
      passToExit(item, reason);
    }
    return true;
  }

  /**
   * Passes an item to the exit, after credit was taken for it.
   *
   * @param reason the reason of a gap for content that the log had; null otherwise
   */
  private void passToExit(LogItem item, @Nullable MissedReason reason) {
    if (reason != null && item instanceof Gap gap) {
      exit.lose(gap, reason);
    } else {
      exit.pass(item);
    }
  }

  /** Passes on as many items as credit allows. */
  void passOn() {
    while (open) {
      if (isToSkip()) {
        skip();
      }
      LogEntry next = backlog.first();
      if (!missed.isEmpty()) {
        if (!passMissed(missed.first())) {
          return;
        }
      } else if (!replay.isEmpty()) {
        if (!passReplayed()) {
          return;
        }
      } else if (catchingUp && backlog.isFrom(catchUpTo)) {
        catchingUp = false;
        exit.caughtUp();
      } else if (next == null || !passWaiting(next)) {
        return;
      }
    }
  }

  private boolean passMissed(StreamLog stream) {
    Position from = due(stream); // The replayed message cannot be completed any more.
    Gap gap = missed.gap(stream, from);
    if (gap != null && !lose(gap, missed.reason(stream))) {
      return false;
    }
    if (gap != null) {
      replay.remove(stream);
    }
    boolean isHere = log.find(stream.id()) != null;
    if (isHere || !mayLose()) {
      log.orphansAdvanced();
    }
    missed.remove(stream);
    if (!isHere) {
      had.forget(stream);
    }
    return true;
  }

  private boolean passReplayed() {
    LogItem item = replay.next();
    MissedReason reason = replay.isNextLost() ? MissedReason.NOT_RETAINED : null;
    boolean wanted = exit.accepts(item);
    if (!credit.take(item, wanted)) {
      return false;
    }
    replay.passed();
    if (wanted) {
      passToExit(item, reason);
    }
    return true;
  }

  private boolean passWaiting(LogEntry entry) {
    if (!accepts(entry.stream()) || !lacks(entry)) {
      backlog.leaves(entry);
      return true;
    }
    LogItem item = rest(entry.item());
    boolean wanted = exit.accepts(item);
    if (!credit.take(item, wanted)) {
      return false;
    }
    backlog.leaves(entry);
    boolean held = isHolding(entry);
    moveTo(entry.stream().id(), item.to());
    if (wanted) {
      exit.pass(item);
    }
    if (held) {
      entry.release();
    } else {
      log.outletAdvanced(entry.stream());
    }
    return true;
  }

  /** The part of a gap that the other side lacks. */
  private LogItem rest(LogItem item) {
    return item instanceof Gap gap ? gap.after(next(item.stream())) : item;
  }
}
