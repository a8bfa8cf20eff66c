package io.treecast.collectives;

import io.treecast.collectives.BroadcastRefusedException.Reason;
import java.util.LinkedHashMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** The subscribers of one node, in the order of their subscription. Relay's thread. */
final class LocalSubscribers {
  /** No message is published under such a version. */
  private static final long NOT_YET = Long.MAX_VALUE;

  private final BroadcastLimits limits;
  private final BroadcastEffects effects;
  private final ReplicationLog log;
  private final LinkedHashMap<Long, Subscriber> subscribers = new LinkedHashMap<>();
  private long firstVersion = NOT_YET;
  private long deliveredMessages;
  private long missedMessages;
  private long abandonedMessages;

  LocalSubscribers(BroadcastLimits limits, BroadcastEffects effects, ReplicationLog log) {
    this.limits = limits;
    this.effects = effects;
    this.log = log;
  }

  /**
   * The node has committed its first tree: what was published under this version or a later one is
   * delivered from now on, and subscribers hold what they have not consumed.
   */
  void firstTreeCommitted(long version) {
    firstVersion = version;
    subscribers.values().forEach(LocalSubscribers::begin);
  }

  private static void begin(Subscriber subscriber) {
    subscriber.outlet().hold(true);
    subscriber.outlet().open();
  }

  void add(long name) throws BroadcastRefusedException {
    if (subscribers.containsKey(name)) {
      throw new IllegalArgumentException("subscriber " + name + " is subscribed already");
    }
    if (subscribers.size() == limits.subscribers()) {
      throw new BroadcastRefusedException(
          Reason.TOO_MANY_SUBSCRIBERS,
          "there are limits.subscribers = " + limits.subscribers() + " subscribers already");
    }
    Subscriber subscriber = new Subscriber(name, effects, () -> firstVersion, log);
    subscriber.outlet().addCredit(limits.subscriberWindowBytes());
    subscribers.put(name, subscriber);
    if (firstVersion != NOT_YET) {
      begin(subscriber);
    }
  }

  void remove(long name) {
    Subscriber removed = subscribers.remove(name);
    if (removed != null) {
      deliveredMessages += removed.deliveredMessages();
      missedMessages += removed.missedMessages();
      abandonedMessages += removed.abandonedMessages();
      removed.outlet().stop();
    }
  }

  void consumed(long name, long bytes) {
    Subscriber subscriber = subscribers.get(name);
    if (subscriber == null) {
      return;
    }
    long unconsumed = limits.subscriberWindowBytes() - subscriber.outlet().creditBytes();
    if (bytes < 0 || bytes > unconsumed) {
      throw new IllegalArgumentException(
          "subscriber "
              + name
              + " consumed "
              + bytes
              + " bytes; delivered and not consumed were "
              + unconsumed);
    }
    subscriber.outlet().addCredit(bytes);
  }

  /** Whether everything that any of them lacks is held until it gets it. */
  boolean isEverythingHeld() {
    return subscribers.values().stream().noneMatch(s -> s.outlet().isBehindHeld());
  }

  void forEach(Consumer<Subscriber> action) {
    subscribers.values().forEach(action);
  }

  /** Messages handed over completely, once for each subscriber. */
  long deliveredMessages() {
    return deliveredMessages + sum(Subscriber::deliveredMessages);
  }

  /** Messages that gap events named, once for each subscriber. */
  long missedMessages() {
    return missedMessages + sum(Subscriber::missedMessages);
  }

  /** Messages that subscribers were told not to wait for, once for each. */
  long abandonedMessages() {
    return abandonedMessages + sum(Subscriber::abandonedMessages);
  }

  private long sum(ToLongFunction<Subscriber> count) {
    return subscribers.values().stream().mapToLong(count).sum();
  }
}
