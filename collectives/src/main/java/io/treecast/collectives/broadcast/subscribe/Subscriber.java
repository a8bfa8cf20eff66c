package io.treecast.collectives.broadcast.subscribe;

import io.treecast.collectives.broadcast.contract.ApplicationEffects;
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
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A local subscriber: selects the items for it, and tracks the messages that it has in part.
 *
 * <p>It gets each message from its first chunk on. So it skips the rest of a message that had begun
 * before it subscribed, or in which a gap ends. Streams that no member of the tree knew when it
 * began are new: it gets them from their first message on.
 */
public final class Subscriber implements Exit {
  private final long name;
  private final NodeId self;
  private final ApplicationEffects effects;
  private final SubscribeOptions options;
  private final ReplicationLog log;
  private final DeliveryWatch watch;
  private final Outlet outlet;

  /** Null unless the subscriber gets its topic in total order. */
  private final @Nullable OrderedReader reader;

  /** The beginning of the subscription in each stream with earlier content. */
  private final TreeMap<StreamId, Position> starts = new TreeMap<>();

  /** Whether publishers wait for the subscriber. */
  private boolean slowsPublishers;

  /**
   * The time since which it is known to have consumed nothing of a full window; MAX_VALUE if it is
   * not stalled.
   */
  private long fullSinceNanos = Long.MAX_VALUE;

  private boolean inPlace;

  /** The next chunk of the message that the subscriber has in part, by stream. */
  private final Map<StreamId, Position> inProgress = new HashMap<>();

  /** By stream, the end of the available part of a message whose rest is no longer awaited. */
  private final Map<StreamId, Position> toAbandon = new HashMap<>();

  /**
   * By stream, the beginning of a message that was reported as abandoned, because no reachable
   * member has the rest. Its publisher has not ended it, so it may continue.
   */
  private final Map<StreamId, Position> abandoned = new HashMap<>();

  private final Map<MissedReason, Long> missedMessages = new EnumMap<>(MissedReason.class);
  private long deliveredMessages;
  private long deliveredBytes;
  private long abandonedMessages;

  /**
   * Creates a subscriber that gets nothing until it {@linkplain #begin begins}.
   *
   * @param self the member of the subscriber
   * @param selections known selections that name the member
   * @param watch notified of deliveries, and of each gap that it gets, or leaves behind
   */
  Subscriber(
      long name,
      NodeId self,
      Set<String> selections,
      SubscribeOptions options,
      BroadcastLimits limits,
      ApplicationEffects effects,
      DeliveryWatch watch,
      ReplicationLog log,
      TotalOrder order) {
    this.name = name;
    this.self = self;
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
    setSelections(selections);
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

  /** Sets the known selections that name the member. */
  void setSelections(Set<String> selections) {
    Set<String> wanted = new TreeSet<>(selections);
    wanted.removeIf(selection -> !options.acceptsSelection(selection));
    outlet.setSelections(wanted, true);
  }

  /** Returns whether it gets messages of the stream. */
  boolean accepts(StreamId stream) {
    return options.accepts(stream, self);
  }

  boolean slowsPublishers() {
    return slowsPublishers;
  }

  long name() {
    return name;
  }

  /** Notes that the subscriber has consumed some of its deliveries. */
  void consumed(long bytes) {
    fullSinceNanos = Long.MAX_VALUE;
    outlet.addCredit(bytes);
    if (reader != null) {
      reader.passOn();
    }
  }

  /**
   * Returns whether the subscriber has consumed nothing of a full window for the given time, as far
   * as these checks show.
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

  /** Stops making publishers wait for the subscriber; content evicted before its turn is a gap. */
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

  /**
   * Handles the remains of a forgotten stream, which may have been forgotten before the subscriber
   * got all of it.
   */
  private void missOf(StreamLog left) {
    Position whole = new Position(left.next().sequence(), 0);
    Position end = left.isTruncated() ? left.next() : whole; // The rest of that message may come.
    if (accepts(left.id()) && outlet.lacks(left, end)) {
      outlet.miss(left, Position.START, MissedReason.NOT_RETAINED);
    }
  }

  /**
   * Skips content of a stream for which there is no room.
   *
   * @param before the position that the stream had here before
   */
  void leaveOut(StreamLog left, Position before) {
    if (accepts(left.id())) {
      outlet.miss(left, before, MissedReason.AGENT_AWAY);
    }
  }

  /**
   * Handles a stream that is not here, and that other members had further before they forgot it.
   *
   * @param before the position that was known here before
   */
  void learn(StreamLog left, Position before) {
    if (outlet.isOpen() && accepts(left.id())) {
      outlet.miss(left, before, MissedReason.AGENT_AWAY);
    } else if (options.start() instanceof SubscriptionStart.After) {
      missOf(left);
    }
    if (reader != null) {
      reader.passOn();
    }
  }

  private void startAt(StreamId stream, Position start) {
    if (accepts(stream)) {
      outlet.advance(stream, start);
      starts.merge(stream, start, (a, b) -> a.isBefore(b) ? b : a);
    }
  }

  /**
   * Notes that a forgotten stream is here again, without content for the subscriber. In total
   * order, though, the subscriber lacks a message of which only the beginning had been here,
   * because it gets whole messages only.
   */
  void revived(StreamLog stream) {
    Position whole = new Position(stream.next().sequence(), 0);
    outlet.revived(stream, reader == null ? stream.reportedTo() : whole);
    if (!outlet.isOpen() && !(options.start() instanceof SubscriptionStart.After)) {
      startAt(stream.id(), stream.next()); // The subscription has not begun.
    }
  }

  /**
   * Places forgotten content before the subscription, too: if the stream continues later, the
   * subscriber lacks none of that.
   */
  private void startBehind(StreamLog left) {
    startAt(left.id(), left.next());
  }

  /** The last message of each stream before the subscription. */
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
   * Notes that the members of the tree know of the subscription.
   *
   * <p>A start inside a message excludes that message. A claimed chunk index may be false, so the
   * subscription starts at the next message: wherever the chunks of the excluded message really
   * end, the subscriber gets none of them.
   *
   * @param ends the ends of the streams of its topics, where it begins if it starts from now
   */
  void inPlace(Map<StreamId, Position> ends) {
    inPlace = true;
    if (isFromNow()) {
      ends.forEach((stream, end) -> startAt(stream, nextMessage(end)));
    }
  }

  private static Position nextMessage(Position from) {
    return from.insideMessage() ? new Position(from.sequence() + 1, 0) : from;
  }

  /** Returns whether the members of the tree know of the subscription. */
  boolean isInPlace() {
    return inPlace;
  }

  /**
   * Notes that the member has a tree: later content is held, if the subscriber slows publishers.
   */
  void hold() {
    outlet.hold(slowsPublishers);
  }

  /**
   * Notes that the member has a tree, and the subscription is in place: items are handed over from
   * now on.
   */
  void begin() {
    log.streams().stream()
        .filter(StreamLog::isAbandoned)
        .forEach(stream -> toAbandon.put(stream.id(), stream.next()));
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

  /**
   * Returns the reader in total order; null unless the subscriber gets its topic in total order.
   */
  @Nullable OrderedReader reader() {
    return reader;
  }

  /** Returns whether the subscriber slows publishers, and lacks content that is not held for it. */
  boolean isBehindHeld() {
    return outlet.isBehindHeld() || (reader != null && reader.isBehind());
  }

  long deliveredMessages() {
    return deliveredMessages;
  }

  long deliveredBytes() {
    return deliveredBytes;
  }

  /** Returns the number of missed messages by reason. */
  Map<MissedReason, Long> missedMessages() {
    return Collections.unmodifiableMap(missedMessages);
  }

  long abandonedMessages() {
    return abandonedMessages;
  }

  @Override
  public boolean accepts(LogItem item) {
    return item instanceof Gap gap
        ? firstMissed(gap) <= gap.lastMissed()
        : !item.from().insideMessage() || isInProgressAt(item.from(), item.stream());
  }

  private boolean isInProgressAt(Position position, StreamId stream) {
    return position.equals(inProgress.get(stream));
  }

  /**
   * The first missed message. A message inside which the gap begins does not count if it was missed
   * or skipped before.
   */
  private long firstMissed(Gap gap) {
    boolean isNew =
        !gap.from().insideMessage()
            || isInProgressAt(gap.from(), gap.stream())
            || abandoned.containsKey(gap.stream());
    return isNew ? gap.firstMissed() : gap.firstMissed() + 1;
  }

  @Override
  public void pass(LogItem item) {
    StreamId stream = item.stream();
    if (item instanceof Gap gap) {
      lose(gap, MissedReason.AGENT_AWAY);
    } else if (item instanceof Chunk chunk) {
      pass(stream, chunk);
    }
    if (item.to().equals(toAbandon.get(stream))) {
      abandon(stream, item.to());
    }
  }

  @Override
  public void lose(Gap gap, MissedReason reason) {
    long first = firstMissed(gap);
    Position from = first == gap.firstMissed() ? gap.from() : new Position(first, 0);
    inProgress.remove(gap.stream());
    abandoned.remove(gap.stream());
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
      outlet.credit().reclaim(chunk.cost());
      effects.abandoned(name, chunk.messageId());
    } else {
      deliveredMessages++;
      watch.handedOver(chunk.messageId());
      deliver(chunk);
    }
  }

  private void deliver(Chunk chunk) {
    deliveredBytes += chunk.bytes();
    effects.deliver(name, chunk, reader == null ? null : reader.position());
  }

  /**
   * Notes that no reachable member has more of the stream than up to {@code end}, inside a message.
   */
  void abandon(StreamId stream, Position end) {
    if (!end.equals(inProgress.get(stream))) {
      toAbandon.put(stream, end);
      return;
    }
    toAbandon.remove(stream);
    inProgress.remove(stream);
    abandoned.put(stream, new Position(end.sequence(), 0));
    abandonedMessages++;
    effects.abandoned(name, new MessageId(stream, end.sequence()));
  }

  /**
   * Notes that the stream continues after all. A message that was reported as abandoned for lack of
   * its rest is delivered again.
   *
   * @return whether there is such a message
   */
  boolean resume(StreamLog stream) {
    toAbandon.remove(stream.id());
    Position begin = abandoned.remove(stream.id());
    if (begin != null) {
      outlet.replay(stream, begin);
    }
    return begin != null;
  }

  /** Notes that the subscriber leaves, and never gets what it lacks. */
  void leave() {
    log.streams().stream().filter(stream -> accepts(stream.id())).forEach(this::leave);
    outlet.stop();
  }

  private void leave(StreamLog stream) {
    Position from = outlet.due(stream);
    boolean passedOver = !isInProgressAt(from, stream.id()) && !abandoned.containsKey(stream.id());
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
   * Returns whether the subscriber lacks any of the stream; in total order, where it gets whole
   * messages only, any of those.
   */
  boolean lacks(StreamLog stream) {
    Position end = stream.next();
    return accepts(stream.id())
        && outlet.lacks(stream, reader == null ? end : new Position(end.sequence(), 0));
  }

  /**
   * Returns whether the stream can be forgotten: the subscriber lacks none of it, or publishers do
   * not wait for it.
   */
  boolean mayLose(StreamLog stream) {
    return !lacks(stream) || (!slowsPublishers && outlet.mayLose());
  }

  /**
   * Notes that the stream was forgotten. Its last message is complete, or its rest is no longer
   * awaited. The subscriber gets a gap for what it lacks.
   */
  void forget(StreamLog stream) {
    StreamId id = stream.id();
    boolean lacks = lacks(stream);
    toAbandon.remove(id);
    if (!lacks) {
      inProgress.remove(id);
      abandoned.remove(id);
    }
    outlet.forget(stream, lacks);
    if (reader != null) {
      reader.passOn();
    }
  }
}
