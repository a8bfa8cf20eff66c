package io.treecast.collectives.broadcast.subscribe;

import io.treecast.collectives.broadcast.contract.BroadcastEffects;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.contract.WhenSlow;
import io.treecast.collectives.broadcast.edge.Exit;
import io.treecast.collectives.broadcast.edge.Outlet;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.order.OrderedReader;
import io.treecast.collectives.broadcast.order.TotalOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A local subscriber: which items are for it, and which messages it has in part.
 *
 * <p>It gets each message from its first chunk on. So it passes over the rest of one that had begun
 * before it subscribed, or that a gap ends in. Streams that no member of the tree knew when it
 * began are new: it gets them from their first message on.
 */
public final class Subscriber implements Exit {
  private final long name;
  private final BroadcastEffects effects;
  private final SubscribeOptions options;
  private final ReplicationLog log;
  private final DeliveryWatch watch;
  private final Outlet outlet;

  /** Null unless it gets its topic in total order. */
  private final @Nullable OrderedReader reader;

  /** Of each stream of which something comes before the subscription, where that begins. */
  private final TreeMap<StreamId, Position> starts = new TreeMap<>();

  /** Whether publishers wait until it has taken what there is for it. */
  private boolean slowsPublishers;

  /** Since when it is known to have taken nothing of a full window; MAX_VALUE if it is not. */
  private long fullSinceNanos = Long.MAX_VALUE;

  private boolean inPlace;

  /** By stream, the chunk that the message which it has in part goes on with. */
  private final Map<StreamId, Position> inProgress = new HashMap<>();

  /** By stream, the end of what there is of a message that is given up when it has come there. */
  private final Map<StreamId, Position> toGiveUp = new HashMap<>();

  /**
   * By stream, the begin of the message that was given up: nobody within reach has the rest. To the
   * subscriber it is abandoned, as if its publisher had ended it so; but it may go on.
   */
  private final Map<StreamId, Position> givenUp = new HashMap<>();

  private final Map<MissedReason, Long> missedMessages = new EnumMap<>(MissedReason.class);
  private long deliveredMessages;
  private long abandonedMessages;

  /**
   * A subscriber that gets nothing until it {@linkplain #begin begins}.
   *
   * @param watch told of what it has got, and of each gap that it is told of, or leaves behind
   */
  Subscriber(
      long name,
      SubscribeOptions options,
      BroadcastLimits limits,
      BroadcastEffects effects,
      DeliveryWatch watch,
      ReplicationLog log,
      TotalOrder order) {
    this.name = name;
    this.options = options;
    this.effects = effects;
    this.log = log;
    this.watch = watch;
    this.slowsPublishers = options.whenSlow() == WhenSlow.SLOW_PUBLISHER;
    boolean inTotalOrder = options.inTotalOrder();
    this.outlet =
        new Outlet(
            log, this, EnumSet.allOf(Channel.class), inTotalOrder ? Set.of() : options.topics());
    this.reader =
        inTotalOrder
            ? order.read(
                options.topics().first(), slowsPublishers, outlet, () -> effects.live(name))
            : null;
    outlet.addCredit(limits.subscriberWindowBytes());
    if (options.whenSlow() == WhenSlow.GAP) {
      outlet.skipBeyond(limits.subscriberWindowBytes());
    }
    if (options.start() instanceof SubscriptionStart.After after) {
      after.messages().forEach(message -> outlet.beginAfter(message.stream(), end(message)));
      log.forgotten().forEach(this::missOf);
    } else {
      log.streams().forEach(s -> startAt(s.id(), isFromNow() ? s.next() : s.retainedFrom()));
    }
    if (!isFromNow() && !inTotalOrder) {
      outlet.startFromLog();
    }
  }

  boolean slowsPublishers() {
    return slowsPublishers;
  }

  long name() {
    return name;
  }

  /** It has taken some of what it was handed. */
  void consumed(long bytes) {
    fullSinceNanos = Long.MAX_VALUE;
    outlet.addCredit(bytes);
    if (reader != null) {
      reader.passOn();
    }
  }

  /**
   * Whether it has taken nothing of a full window for so long, as far as such looks show.
   *
   * @param fullBelowBytes a window with less room is full
   */
  boolean isStalled(long fullBelowBytes, long patienceNanos, long nowNanos) {
    if (outlet.credit().bytes() >= fullBelowBytes) {
      fullSinceNanos = Long.MAX_VALUE;
    } else if (fullSinceNanos == Long.MAX_VALUE) {
      fullSinceNanos = nowNanos;
    }
    return fullSinceNanos <= nowNanos - patienceNanos;
  }

  /** From now on nobody waits for it; what the log lets go before it is handed that is a gap. */
  void fallBehind() {
    slowsPublishers = false;
    outlet.hold(false);
  }

  private boolean isFromNow() {
    return options.start() instanceof SubscriptionStart.Now;
  }

  private static Position end(MessageId message) {
    return new Position(message.sequence() + 1, 0);
  }

  /** What is left of a stream that was forgotten, and may have been so before it got all of it. */
  private void missOf(StreamLog left) {
    Position whole = new Position(left.next().sequence(), 0);
    Position end = left.gaveWay() ? left.next() : whole; // Of that, the rest may come.
    if (options.wants(left.id()) && outlet.lacks(left, end)) {
      outlet.miss(left, Position.START, MissedReason.NOT_RETAINED);
    }
  }

  /**
   * There is no room for what came of a stream.
   *
   * @param before up to where it had come here before
   */
  void leaveOut(StreamLog left, Position before) {
    if (options.wants(left.id())) {
      outlet.miss(left, before, MissedReason.AGENT_AWAY);
    }
  }

  /**
   * A stream that is not here had come further at others, which have forgotten it.
   *
   * @param before up to where it was known here that it had come
   */
  void learn(StreamLog left, Position before) {
    if (outlet.isOpen() && options.wants(left.id())) {
      outlet.miss(left, before, MissedReason.AGENT_AWAY);
    } else if (options.start() instanceof SubscriptionStart.After) {
      missOf(left);
    }
    if (reader != null) {
      reader.passOn();
    }
  }

  private void startAt(StreamId stream, Position start) {
    if (options.wants(stream)) {
      outlet.advance(stream, start);
      starts.merge(stream, start, (a, b) -> a.isBefore(b) ? b : a);
    }
  }

  /**
   * A stream that was forgotten is here again, with nothing that was for it, unless it is in total
   * order: then it got nothing of a message of which only the begin had been here.
   */
  void revived(StreamLog stream) {
    Position whole = new Position(stream.next().sequence(), 0);
    outlet.revived(stream, reader == null ? stream.toldTo() : whole);
    if (!outlet.isOpen() && !(options.start() instanceof SubscriptionStart.After)) {
      startAt(stream.id(), stream.next()); // It has not begun.
    }
  }

  /** What was forgotten comes before, too: if it goes on later, it lacks none of that. */
  private void startBehind(StreamLog left) {
    startAt(left.id(), left.next());
  }

  /** The last message of each stream that comes before the subscription. */
  private List<MessageId> before() {
    List<MessageId> before = new ArrayList<>();
    starts.forEach(
        (stream, start) -> {
          long sequence = start.insideMessage() ? start.sequence() : start.sequence() - 1;
          if (sequence > 0) {
            before.add(new MessageId(stream, sequence));
          }
        });
    return before;
  }

  /**
   * The members of the tree know of it.
   *
   * @param ends where streams of its topics end; there it begins, if it starts from now
   */
  void inPlace(Map<StreamId, Position> ends) {
    inPlace = true;
    if (isFromNow()) {
      ends.forEach(this::startAt);
    }
  }

  /** Whether the members of the tree know of it. */
  boolean isInPlace() {
    return inPlace;
  }

  /** The member has a tree: what comes from now on is held, if it slows publishers. */
  void hold() {
    outlet.hold(slowsPublishers);
  }

  /** The member has a tree, and the subscription is in place: items are handed over from now on. */
  void begin() {
    log.streams().stream()
        .filter(StreamLog::isGivenUp)
        .forEach(stream -> toGiveUp.put(stream.id(), stream.next()));
    if (!(options.start() instanceof SubscriptionStart.After)) {
      log.forgotten().forEach(this::startBehind);
    }
    effects.began(name, before());
    starts.clear();
    outlet.open();
    if (reader != null) {
      reader.begin(options.topics().first());
    }
  }

  public Outlet outlet() {
    return outlet;
  }

  SubscribeOptions options() {
    return options;
  }

  /** Null unless it gets its topic in total order. */
  @Nullable OrderedReader reader() {
    return reader;
  }

  /** Whether it slows publishers, and something that it lacks is not held for it. */
  boolean isBehindHeld() {
    return outlet.isBehindHeld() || (reader != null && reader.isBehind());
  }

  long deliveredMessages() {
    return deliveredMessages;
  }

  /** By each reason that there was. */
  Map<MissedReason, Long> missedMessages() {
    return Collections.unmodifiableMap(missedMessages);
  }

  long abandonedMessages() {
    return abandonedMessages;
  }

  @Override
  public boolean wants(LogItem item) {
    return item instanceof Gap gap
        ? firstMissed(gap) <= gap.lastMissed()
        : !item.from().insideMessage() || isInProgressAt(item.from(), item.stream());
  }

  private boolean isInProgressAt(Position position, StreamId stream) {
    return position.equals(inProgress.get(stream));
  }

  /** Not the message that the gap begins inside of, if that was missed or passed over before. */
  private long firstMissed(Gap gap) {
    boolean isNews =
        !gap.from().insideMessage()
            || isInProgressAt(gap.from(), gap.stream())
            || givenUp.containsKey(gap.stream());
    return isNews ? gap.firstMissed() : gap.firstMissed() + 1;
  }

  @Override
  public void pass(LogItem item) {
    StreamId stream = item.stream();
    if (item instanceof Gap gap) {
      lose(gap, MissedReason.AGENT_AWAY);
    } else if (item instanceof Chunk chunk) {
      pass(stream, chunk);
    }
    if (item.to().equals(toGiveUp.get(stream))) {
      giveUp(stream, item.to());
    }
  }

  @Override
  public void lose(Gap gap, MissedReason reason) {
    long first = firstMissed(gap);
    Position from = first == gap.firstMissed() ? gap.from() : new Position(first, 0);
    inProgress.remove(gap.stream());
    givenUp.remove(gap.stream());
    missedMessages.merge(reason, gap.lastMissed() - first + 1, Long::sum);
    Gap told = new Gap(gap.stream(), from, gap.to(), gap.treeVersion());
    watch.missed(told);
    effects.missed(name, told, reason);
  }

  @Override
  public void moved(StreamId stream) {
    watch.moved(stream);
    if (reader != null) {
      reader.moved(stream);
    }
  }

  @Override
  public boolean isMember() {
    return false;
  }

  @Override
  public void caughtUp() {
    if (reader == null) {
      effects.live(name);
    }
  }

  private void pass(StreamId stream, Chunk chunk) {
    if (!chunk.last()) {
      inProgress.put(stream, chunk.to());
      deliver(chunk);
      return;
    }
    inProgress.remove(stream);
    if (chunk.abandoned()) {
      abandonedMessages++;
      outlet.credit().takeBack(chunk.cost());
      effects.abandoned(name, chunk.messageId());
    } else {
      deliveredMessages++;
      watch.handedOver(chunk.messageId());
      deliver(chunk);
    }
  }

  private void deliver(Chunk chunk) {
    effects.deliver(name, chunk, reader == null ? null : reader.position());
  }

  /** Nobody within reach has more of the stream than up to here, which is inside a message. */
  void giveUp(StreamId stream, Position end) {
    if (!end.equals(inProgress.get(stream))) {
      toGiveUp.put(stream, end);
      return;
    }
    toGiveUp.remove(stream);
    inProgress.remove(stream);
    givenUp.put(stream, new Position(end.sequence(), 0));
    abandonedMessages++;
    effects.abandoned(name, new MessageId(stream, end.sequence()));
  }

  /**
   * There is more of the stream after all: what it was told not to wait for, it gets anew.
   *
   * @return whether there is such
   */
  boolean goOn(StreamLog stream) {
    toGiveUp.remove(stream.id());
    Position begin = givenUp.remove(stream.id());
    if (begin != null) {
      outlet.replay(stream, begin);
    }
    return begin != null;
  }

  /** It goes, and never gets what it lacks. */
  void leave() {
    log.streams().stream().filter(stream -> options.wants(stream.id())).forEach(this::leave);
    outlet.stop();
  }

  private void leave(StreamLog stream) {
    Position from = outlet.due(stream);
    boolean passedOver = !isInProgressAt(from, stream.id()) && !givenUp.containsKey(stream.id());
    if (from.insideMessage() && passedOver) {
      from = new Position(from.sequence() + 1, 0);
    }
    Position last = stream.next();
    Position end = last.insideMessage() ? new Position(last.sequence() + 1, 0) : last;
    if (from.isBefore(end)) {
      watch.missed(new Gap(stream.id(), from, end, stream.latestVersion()));
    }
  }

  /**
   * Whether it lacks any of the stream; in total order, where it gets whole messages only, any of
   * those.
   */
  boolean lacks(StreamLog stream) {
    Position end = stream.next();
    return options.wants(stream.id())
        && outlet.lacks(stream, reader == null ? end : new Position(end.sequence(), 0));
  }

  /** Whether the stream can be forgotten: it lacks none of it, or nobody waits for it. */
  boolean mayLose(StreamLog stream) {
    return !lacks(stream) || (!slowsPublishers && outlet.mayLose());
  }

  /**
   * The stream was forgotten, whose last message is whole or given up; it is told what it lacks.
   */
  void forget(StreamLog stream) {
    StreamId id = stream.id();
    boolean lacks = lacks(stream);
    toGiveUp.remove(id);
    if (!lacks) {
      inProgress.remove(id);
      givenUp.remove(id);
    }
    outlet.forget(stream, lacks);
    if (reader != null) {
      reader.passOn();
    }
  }
}
