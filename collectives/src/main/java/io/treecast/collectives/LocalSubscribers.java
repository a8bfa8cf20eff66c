package io.treecast.collectives;

import io.treecast.collectives.BroadcastRefusedException.Reason;
import java.util.LinkedHashMap;

/**
 * The subscribers of one node, in the order of their subscription, with an outlet each. Relay's
 * thread.
 */
final class LocalSubscribers {
  /** A subscriber's outlet, and how many subscriptions there had been with it. */
  private record Subscriber(long ordinal, Outlet outlet) {}

  private final BroadcastLimits limits;
  private final BroadcastEffects effects;
  private final LinkedHashMap<Long, Subscriber> subscribers = new LinkedHashMap<>();
  private long subscriptions;
  private long deliveredMessages;

  LocalSubscribers(BroadcastLimits limits, BroadcastEffects effects) {
    this.limits = limits;
    this.effects = effects;
  }

  /** How many subscriptions there have been so far. */
  long subscriptions() {
    return subscriptions;
  }

  /** Messages handed over completely, once for each subscriber. */
  long deliveredMessages() {
    return deliveredMessages;
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
    Outlet outlet = new Outlet(chunk -> deliver(name, chunk));
    outlet.addCredit(limits.subscriberWindowBytes());
    subscribers.put(name, new Subscriber(++subscriptions, outlet));
  }

  void remove(long name) {
    Subscriber removed = subscribers.remove(name);
    if (removed != null) {
      removed.outlet().discard();
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

  /** Puts a chunk of the stream's current message on all that were there when it began. */
  void put(WaitingChunk chunk, OriginStream stream) {
    for (Subscriber subscriber : subscribers.values()) {
      if (subscriber.ordinal() <= stream.subscriptionsAtStart()) {
        subscriber.outlet().put(chunk);
      }
    }
  }

  private void deliver(long name, Chunk chunk) {
    if (chunk.last()) {
      deliveredMessages++;
    }
    effects.deliver(name, chunk);
  }
}
