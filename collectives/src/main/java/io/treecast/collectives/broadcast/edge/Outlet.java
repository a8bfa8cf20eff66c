package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.log.HadPositions;
import io.treecast.collectives.broadcast.log.LogEntry;
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
 * Where items leave a relay, for a neighbour or a local subscriber: what the other side has of each
 * stream, the first entry of the log that waits for it, and the credit in bytes to pass on more.
 *
 * <p>While it <em>holds</em>, it holds each entry put on it until the other side has it. Otherwise
 * entries may be evicted before their turn; then the other side gets a {@link Gap}.
 *
 * <p>From the first one on, an entry waits exactly when it is of a {@linkplain Channel channel}
 * that leaves here and of a topic that the other side wants, and ends after what the other side
 * has. So what the other side turns out to have by another way is let go at once, wherever it is in
 * the log, and passed over when its turn comes.
 */
public final class Outlet {
  private final ReplicationLog log;
  private final Exit exit;
  private final WantedTopics wanted;
  private final Backlog backlog = new Backlog(this::wants);
  private final Replay replay;

  private final HadPositions had;
  private final MissedStreams missed = new MissedStreams();
  private final OutletCredit credit = new OutletCredit();

  private boolean open;
  private boolean holding;
  private long heldFrom;
  private boolean catchingUp;
  private long catchUpTo;

  /**
   * An outlet of which nothing waits.
   *
   * @param channels whose streams leave here
   * @param topics that the other side wants from the start
   */
  public Outlet(ReplicationLog log, Exit exit, Set<Channel> channels, Collection<String> topics) {
    this.log = log;
    this.replay = new Replay(log);
    this.exit = exit;
    this.had = new HadPositions(exit.isMember() ? 0 : 2 * log.mostForgotten());
    this.wanted = new WantedTopics(channels, topics);
  }

  // What the other side wants.

  /** Whether the other side wants the stream. */
  boolean wants(StreamLog stream) {
    return wanted.contains(stream);
  }

  /** The other side wants these topics too: what it lacks of them waits from now on. */
  void want(Collection<String> topics, boolean fromLog) {
    Set<String> added = wanted.add(topics, log.nextNumber());
    if (added.isEmpty()) {
      return;
    }
    backlog.wantsChanged();
    if (fromLog) {
      backlog.goBackTo(log.oldest(added));
      if (open) {
        findMissed(added);
        passOn();
      }
    }
  }

  /** The other side does not want these topics any more: nothing of them waits. */
  void unwant(Collection<String> topics) {
    if (topics.isEmpty()) {
      return;
    }
    List<LogEntry> held = waitingHeld(stream -> topics.contains(stream.id().topic()));
    wanted.removeAll(topics);
    backlog.wantsChanged();
    missed.removeIf(stream -> !wants(stream));
    held.forEach(LogEntry::letGo);
    passOn();
  }

  // What the other side has.

  /** Up to where the other side has the stream. */
  public Position next(StreamId stream) {
    return had.next(stream);
  }

  /** Where what it is handed next begins: inside of what it has if that is replayed. */
  public Position due(StreamLog stream) {
    Position replayed = replay.begin(stream);
    return replayed == null ? next(stream.id()) : replayed;
  }

  /** How many streams the other side has something of, as far as known. */
  public int knownStreams() {
    return had.streams();
  }

  private void moveTo(StreamId stream, Position to) {
    had.put(stream, to);
    exit.moved(stream);
  }

  /** It begins after this: it is not to hear that it misses what comes before. */
  public void beginAfter(StreamId stream, Position begin) {
    had.name(stream);
    advance(stream, begin);
  }

  /** The other side has the stream up to here, by whatever way. */
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
        entry.letGo();
      }
    }
  }

  /** Whether the entry was put on this outlet while it held. */
  private boolean isHolding(LogEntry entry) {
    return holding && entry.number() >= heldFrom && wanted.containedWhenLogged(entry);
  }

  private List<LogEntry> waitingHeld(Predicate<StreamLog> isMeant) {
    List<LogEntry> held = new ArrayList<>();
    for (LogEntry entry = backlog.first(); entry != null; entry = entry.later()) {
      if (isMeant.test(entry.stream()) && isHolding(entry) && lacks(entry)) {
        held.add(entry);
      }
    }
    return held;
  }

  private boolean lacks(LogEntry entry) {
    return next(entry.stream().id()).isBefore(entry.item().to());
  }

  /** Whether the other side lacks anything of the stream before a place. */
  public boolean lacks(StreamLog stream, Position end) {
    return due(stream).isBefore(end);
  }

  /** Whether the other side can be told later of one more stream that is forgotten. */
  public boolean mayLose() {
    return missed.forgotten() < log.mostForgotten();
  }

  /** Whether the other side has to be told that it misses something. */
  public boolean hasMissed() {
    return !missed.isEmpty();
  }

  /**
   * The stream was forgotten.
   *
   * @param isOwed whether the other side is told what it lacks of it
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

  /** What the other side lacks is missed of a stream that is not here; what was before is not. */
  public void miss(StreamLog left, Position before, MissedReason reason) {
    boolean isNew = !missed.contains(left);
    advance(left.id(), isNew ? before : Position.START);
    if (lacks(left, left.next()) && (!isNew || mayLose())) {
      missed.forgotten(left, reason);
      passOn();
    }
  }

  /** The stream is here again: of what was here before, nothing waits that is not missed. */
  public void revived(StreamLog stream, Position before) {
    if (!missed.contains(stream)) {
      advance(stream.id(), before);
    }
  }

  // What is to be passed on.

  /** Begins with everything that the log retains of what the other side wants. */
  public void startFromLog() {
    backlog.moveTo(log.first());
  }

  /** Passes the entry on behind those that wait, at once if it may and there is credit for it. */
  public void put(LogEntry entry) {
    boolean waits = wants(entry.stream()) && lacks(entry);
    if (waits) {
      if (holding) {
        entry.hold();
      }
      if (open && next(entry.stream().id()).isBefore(entry.stream().retainedFrom())) {
        missed.putIfAbsent(entry.stream(), MissedReason.NOT_RETAINED); // It was forgotten.
      }
    }
    backlog.follows(entry, waits);
    if (waits) {
      passOn();
    }
  }

  /**
   * Passes on once more, before anything else, what a stream has from the begin of a message on.
   */
  public void replay(StreamLog stream, Position begin) {
    replay.add(stream, begin);
  }

  /** An entry is not in the log any more. */
  public void evicted(LogEntry entry) {
    if (!backlog.contains(entry)) {
      return;
    }
    if (wants(entry.stream()) && lacks(entry)) {
      missed.putIfAbsent(entry.stream(), MissedReason.NOT_RETAINED);
    }
    backlog.leaves(entry);
  }

  /** From now on, holds what is put on it; or does no more, and lets go what it held. */
  public void hold(boolean shall) {
    if (holding && !shall) {
      List<LogEntry> held = waitingHeld(stream -> true);
      holding = false;
      held.forEach(LogEntry::letGo);
    } else if (!holding && shall) {
      heldFrom = log.nextNumber();
      holding = true;
    }
  }

  /** May pass on, now that it is known what the other side has. */
  public void open() {
    open = true;
    catchingUp = true;
    catchUpTo = log.nextNumber();
    findMissed(wanted.all());
    passOn();
  }

  /** Finds what is missed of the streams of these topics. */
  private void findMissed(Collection<String> topics) {
    Predicate<StreamLog> isMeant = s -> topics.contains(s.id().topic()) && wants(s);
    missed.find(log, isMeant, s -> next(s.id()), exit.isMember());
  }

  /** Whether nothing waits that was logged before the entry of this number. */
  boolean hasPassedOn(long number) {
    return backlog.isFrom(number);
  }

  /** Whether anything that the other side lacks is not held, though it would be by now. */
  public boolean isBehindHeld() {
    return holding && !(replay.isEmpty() && backlog.isFrom(heldFrom));
  }

  /** Gives up everything that waits; what the other side has stays known. */
  public void stop() {
    hold(false);
    open = false;
    backlog.moveTo(null);
    replay.clear();
    missed.keepForgotten();
    log.orphansMayGo();
  }

  /**
   * Forgets what the other side has and wants, beside the default topic, and the credit; to be
   * stopped before.
   */
  void forgetOtherSide() {
    had.clear();
    wanted.keepDefault();
    missed.removeIf(stream -> !wants(stream));
    credit.clear();
  }

  public OutletCredit credit() {
    return credit;
  }

  public void addCredit(long bytes) {
    credit.add(bytes);
    passOn();
  }

  /** Once it has caught up, skips at the begin of a message what waits if it is more than this. */
  public void skipBeyond(long bytes) {
    backlog.allow(bytes);
  }

  private boolean isToSkip() {
    LogEntry next = backlog.first();
    return next != null
        && !catchingUp
        && !next.item().from().insideMessage()
        && backlog.isTooMuch();
  }

  /** Gives up what waits: the other side is told of the gaps, and goes on with what comes next. */
  private void skip() {
    for (StreamLog stream : log.streams()) {
      if (wants(stream) && next(stream.id()).isBefore(stream.next())) {
        missed.skip(stream);
      }
    }
    backlog.moveTo(null);
  }

  /** Whether nobody would wait for it to leave, were this put here. */
  public boolean leavesAtOnce(LogItem item) {
    boolean isNext = open && missed.isEmpty() && replay.isEmpty() && backlog.first() == null;
    return !holding || (isNext && item.cost() <= credit.bytes());
  }

  /** Whether it may pass on. */
  public boolean isOpen() {
    return open;
  }

  /**
   * Hands over what comes next in its stream, though nothing waits.
   *
   * @return false if there is no credit for it
   */
  public boolean handOver(LogItem content) {
    return pass(rest(content), null);
  }

  /** The same of a gap of what the log had. */
  public boolean lose(Gap gap, MissedReason reason) {
    return pass(gap, reason);
  }

  private boolean pass(LogItem item, @Nullable MissedReason reason) {
    boolean wanted = exit.wants(item);
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
   * Lets an item leave that there was credit for.
   *
   * @param reason why it is missed, if it is a gap of what the log had; null if it is not
   */
  private void passToExit(LogItem item, @Nullable MissedReason reason) {
    if (reason != null && item instanceof Gap gap) {
      exit.lose(gap, reason);
    } else {
      exit.pass(item);
    }
  }

  /** Passes on what may be and what there is credit for. */
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
    Position from = due(stream); // What was replayed cannot be complete any more.
    Gap gap = missed.gap(stream, from);
    if (gap != null && !lose(gap, missed.reason(stream))) {
      return false;
    }
    if (gap != null) {
      replay.remove(stream);
    }
    boolean isHere = log.find(stream.id()) != null;
    if (isHere || !mayLose()) {
      log.orphansMayGo();
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
    boolean wanted = exit.wants(item);
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
    if (!wants(entry.stream()) || !lacks(entry)) {
      backlog.leaves(entry);
      return true;
    }
    LogItem item = rest(entry.item());
    boolean wanted = exit.wants(item);
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
      entry.letGo();
    } else {
      log.passedOn(entry.stream());
    }
    return true;
  }

  /** Of a gap, what the other side has none of. */
  private LogItem rest(LogItem item) {
    return item instanceof Gap gap ? gap.after(next(item.stream())) : item;
  }
}
