package io.treecast.collectives.broadcast.subscribe;

import io.treecast.collectives.broadcast.contract.ApplicationEffects;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.order.OrderedReader;
import io.treecast.collectives.broadcast.order.TotalOrder;
import io.treecast.ghs.NodeId;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The subscribers of one node, in the order of their subscription. */
public final class LocalSubscribers implements DeliveryWatch.Audience {
  private static final long NEVER = Long.MAX_VALUE;

  /**
   * The number of checks for stalled subscribers in each {@code limits.slowSubscriberMillis}, while
   * publishers wait for any subscriber.
   */
  private static final int LOOKS = 10;

  private final NodeId self;
  private final BroadcastLimits limits;
  private final ApplicationEffects effects;
  private final DeliveryWatch watch;
  private final ReplicationLog log;
  private final TotalOrder order;
  private final LinkedHashMap<Long, Subscriber> subscribers = new LinkedHashMap<>();

  /** The number of subscribers for each interest that other members have to know of. */
  private final TreeMap<String, Integer> topics = new TreeMap<>();

  /** The known selections that name this member. */
  private final TreeSet<String> selections = new TreeSet<>();

  private boolean begun;
  private final Map<MissedReason, Long> missedMessages = new EnumMap<>(MissedReason.class);

  /** The time of the next check for stalled subscribers. */
  private long nextLookNanos = NEVER;

  private long nowNanos;
  private long fallenBehind;
  private long deliveredMessages;
  private long deliveredBytes;
  private long abandonedMessages;

  /**
   * Creates an empty set, without a tree.
   *
   * @param watch notified of deliveries, and of each gap that a subscriber gets, or leaves behind
   */
  public LocalSubscribers(
      NodeId self,
      BroadcastLimits limits,
      ApplicationEffects effects,
      DeliveryWatch watch,
      ReplicationLog log,
      TotalOrder order) {
    this.self = self;
    this.limits = limits;
    this.effects = effects;
    this.watch = watch;
    this.log = log;
    this.order = order;
  }

  /** Notes that the node has committed its first tree: deliveries begin. */
  public void firstTreeCommitted() {
    begun = true;
    subscribers.values().forEach(this::begin);
  }

  /** Holds content for the subscriber, and begins deliveries if the subscription is in place. */
  private void begin(Subscriber subscriber) {
    if (begun) {
      subscriber.hold();
      if (subscriber.isInPlace()) {
        subscriber.begin();
      }
      log.keepForReaders(!isEverythingHeld());
    }
  }

  /**
   * Returns the topics besides the default topic, and the orders of topics, that any subscriber
   * wants.
   */
  public SortedSet<String> topics() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(topics.keySet()));
  }

  /** Returns whether the item would wait for no subscriber if it were logged. */
  public boolean passesImmediately(LogItem item) {
    return subscribers.values().stream().allMatch(s -> s.outlet().passesImmediately(item));
  }

  /** Returns the number of subscriptions to each topic, the default topic included. */
  public SortedMap<String, Integer> subscriptions() {
    SortedMap<String, Integer> counts = new TreeMap<>();
    for (Subscriber subscriber : subscribers.values()) {
      subscriber.options().topics().forEach(topic -> counts.merge(topic, 1, Integer::sum));
    }
    return counts;
  }

  public boolean isSubscribed(String topic) {
    return topic.equals(Topic.DEFAULT)
        || topics.containsKey(topic)
        || (Topic.isSelection(topic) && Topic.names(topic, self));
  }

  /** Adds a selection that is known here, and may name this member. */
  public void selectionIs(String known) {
    if (Topic.names(known, self)) {
      selections.add(known);
      subscribers.values().forEach(subscriber -> subscriber.setSelections(selections));
    }
  }

  /** Sets the selections that are known here, and of which some name this member. */
  public void selectionsAre(Collection<String> known) {
    selections.clear();
    known.stream().filter(selection -> Topic.names(selection, self)).forEach(selections::add);
    subscribers.values().forEach(subscriber -> subscriber.setSelections(selections));
  }

  /** Adds a subscriber whose subscription is not in place. */
  public void add(long name, SubscribeOptions options) throws BroadcastRefusedException {
    if (subscribers.containsKey(name)) {
      throw new IllegalArgumentException("subscriber " + name + " is subscribed already");
    }
    if (subscribers.size() == limits.subscribers()) {
      throw new BroadcastRefusedException(
          Reason.TOO_MANY_SUBSCRIBERS,
          "there are limits.subscribers = " + limits.subscribers() + " subscribers already");
    }
    SortedSet<String> all = new TreeSet<>(topics.keySet());
    all.addAll(options.interest());
    all.removeIf(Topic::isOrder);
    if (all.size() > limits.topics()) {
      throw new BroadcastRefusedException(
          Reason.TOO_MANY_TOPICS,
          "subscribers of this agent would want "
              + all.size()
              + " topics, and limits.topics = "
              + limits.topics()
              + ": subscribe to fewer, end other subscriptions first, or raise this limit");
    }
    Subscriber subscriber =
        new Subscriber(name, self, selections, options, limits, effects, watch, log, order);
    subscribers.put(name, subscriber);
    options.interest().forEach(topic -> topics.merge(topic, 1, Integer::sum));
    begin(subscriber);
    if (subscriber.slowsPublishers() && patienceNanos() > 0 && nextLookNanos == NEVER) {
      nextLookNanos = nowNanos;
    }
  }

  private long patienceNanos() {
    return limits.slowSubscriberMillis() * 1_000_000;
  }

  /** Returns when {@link #tick} is due; MAX_VALUE for never. */
  public long nextDeadlineNanos() {
    return nextLookNanos;
  }

  /** Makes stalled subscribers fall behind if publishers wait for them. */
  public void tick(long now) {
    nowNanos = now;
    if (now < nextLookNanos) {
      return;
    }
    boolean anySlows = false;
    for (Subscriber subscriber : subscribers.values()) {
      if (subscriber.slowsPublishers()
          && subscriber.isStalled(Chunk.cost(limits.chunkBytes()), patienceNanos(), now)) {
        fallBehind(subscriber);
      }
      anySlows |= subscriber.slowsPublishers();
    }
    nextLookNanos = anySlows ? now + Math.max(1, patienceNanos() / LOOKS) : NEVER;
  }

  private void fallBehind(Subscriber subscriber) {
    subscriber.fallBehind();
    OrderedReader reader = subscriber.reader();
    if (reader != null) {
      order.fallBehind(subscriber.options().topics().first(), reader);
    }
    fallenBehind++;
    effects.fellBehind(subscriber.name());
    readerAdvanced();
  }

  /** Returns the number of subscribers that fell behind. */
  public long fallenBehind() {
    return fallenBehind;
  }

  /**
   * Notes that the subscription is in place: the members of the tree know of it, and the streams of
   * its topics have these ends.
   */
  public void inPlace(long name, Map<StreamId, Position> ends) {
    Subscriber subscriber = subscribers.get(name);
    if (subscriber != null && !subscriber.isInPlace()) {
      subscriber.inPlace(ends);
      begin(subscriber);
    }
  }

  public void remove(long name) {
    Subscriber removed = subscribers.remove(name);
    if (removed != null) {
      deliveredMessages += removed.deliveredMessages();
      deliveredBytes += removed.deliveredBytes();
      removed
          .missedMessages()
          .forEach((reason, count) -> missedMessages.merge(reason, count, Long::sum));
      abandonedMessages += removed.abandonedMessages();
      SubscribeOptions options = removed.options();
      options
          .interest()
          .forEach(topic -> topics.computeIfPresent(topic, LocalSubscribers::oneLess));
      removed.leave();
      OrderedReader reader = removed.reader();
      if (reader != null) {
        order.remove(options.topics().first(), reader);
      }
      readerAdvanced();
    }
  }

  private static @Nullable Integer oneLess(String topic, Integer count) {
    return count == 1 ? null : Integer.valueOf(count - 1);
  }

  public void consumed(long name, long bytes) {
    Subscriber subscriber = subscribers.get(name);
    if (subscriber == null) {
      return;
    }
    long unconsumed = limits.subscriberWindowBytes() - subscriber.outlet().credit().bytes();
    if (bytes < 0 || bytes > unconsumed) {
      throw new IllegalArgumentException(
          "subscriber %s consumed %s bytes; delivered and not consumed were %s"
              .formatted(name, bytes, unconsumed));
    }
    subscriber.consumed(bytes);
    readerAdvanced();
  }

  /**
   * Notes that the stream continues. Some subscribers may have stopped waiting for its message in
   * progress.
   */
  public void resume(StreamLog stream) {
    for (Subscriber subscriber : subscribers.values()) {
      if (subscriber.resume(stream) && subscriber.outlet().isBehindHeld()) {
        log.keepForReaders(true);
      }
    }
  }

  /** Stops keeping content for subscribers that catch up if there are none left. */
  public void readerAdvanced() {
    if (log.keepsForReaders() && isEverythingHeld()) {
      log.keepForReaders(false);
    }
  }

  /** Whether all content that subscribers lack is held for them, if they slow publishers. */
  boolean isEverythingHeld() {
    return subscribers.values().stream().noneMatch(Subscriber::isBehindHeld);
  }

  @Override
  public boolean hasBegun() {
    return begun;
  }

  @Override
  public boolean has(StreamId stream, Position end) {
    return subscribers.values().stream()
        .noneMatch(s -> s.accepts(stream) && s.outlet().next(stream).isBefore(end));
  }

  /** Notes that no reachable member has the rest of the message in progress. */
  public void abandon(StreamLog stream) {
    subscribers.values().forEach(s -> s.abandon(stream.id(), stream.next()));
  }

  /** Returns whether no subscriber lacks any of the stream. */
  public boolean haveAllOf(StreamLog stream) {
    return subscribers.values().stream().noneMatch(s -> s.lacks(stream));
  }

  /** Returns whether the stream can be forgotten although subscribers may lack some of it. */
  public boolean mayLose(StreamLog stream) {
    return subscribers.values().stream().allMatch(s -> s.mayLose(stream));
  }

  /** Notes that a stream was forgotten. */
  public void forget(StreamLog stream) {
    subscribers.values().forEach(s -> s.forget(stream));
  }

  /** Skips content for lack of room, as {@link Subscriber#leaveOut}. */
  public void leaveOut(StreamLog left, Position before) {
    subscribers.values().forEach(s -> s.leaveOut(left, before));
  }

  /** Learns of forgotten content, as {@link Subscriber#learn}. */
  public void learn(StreamLog left, Position before) {
    subscribers.values().forEach(s -> s.learn(left, before));
  }

  /** Notes that a forgotten stream is here again, without content for the subscribers. */
  public void revived(StreamLog stream) {
    subscribers.values().forEach(s -> s.revived(stream));
  }

  public void forEach(Consumer<Subscriber> action) {
    subscribers.values().forEach(action);
  }

  /** Returns the number of messages handed over completely, once for each subscriber. */
  public long deliveredMessages() {
    return deliveredMessages + sum(Subscriber::deliveredMessages);
  }

  /** Returns the number of delivered payload bytes, counted for each subscriber. */
  public long deliveredBytes() {
    return deliveredBytes + sum(Subscriber::deliveredBytes);
  }

  /** Returns the number of subscribers. */
  public int count() {
    return subscribers.size();
  }

  /** Returns the number of messages that gap events named, once for each subscriber, by reason. */
  public Map<MissedReason, Long> missedMessages() {
    Map<MissedReason, Long> all = new EnumMap<>(missedMessages);
    for (MissedReason reason : MissedReason.values()) {
      all.putIfAbsent(reason, 0L);
    }
    for (Subscriber subscriber : subscribers.values()) {
      subscriber.missedMessages().forEach((reason, count) -> all.merge(reason, count, Long::sum));
    }
    return all;
  }

  /** Returns the number of messages reported as abandoned, counted for each subscriber. */
  public long abandonedMessages() {
    return abandonedMessages + sum(Subscriber::abandonedMessages);
  }

  private long sum(ToLongFunction<Subscriber> count) {
    long all = 0;
    for (Subscriber subscriber : subscribers.values()) {
      all += count.applyAsLong(subscriber);
    }
    return all;
  }
}
