package io.treecast.collectives.broadcast.receipt;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Replica;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import io.treecast.ghs.NodeId;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

/**
 * The messages that were published here, and whose publishers wait until other members have them.
 *
 * <p>A message is <em>settled</em> when as many members as wanted have the whole of it, each of
 * them in the committed tree and not known to have restarted since. At the latest it is settled
 * when the publisher's waiting time ends, which begins when the end of the message is published.
 */
public final class AwaitedReplicas {
  /** The largest number of messages that are not settled. */
  static final int MAX_AWAITED = 65_536;

  /** The largest number of members that those messages may wait for in total. */
  public static final int MAX_AWAITED_MEMBERS = 262_144;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** A message that is not settled. */
  private static final class Awaited {
    final MessageId message;
    final WantedReplicas wanted;
    final IntConsumer settled;
    final long number;
    final TreeMap<NodeId, Replica> replicas = new TreeMap<>();
    long deadlineNanos;

    Awaited(MessageId message, WantedReplicas wanted, IntConsumer settled, long number) {
      this.message = message;
      this.wanted = wanted;
      this.settled = settled;
      this.number = number;
    }
  }

  /** Whether a member is in the committed tree, and no later incarnation of it is known. */
  private final Predicate<Replica> counts;

  /** The messages that are not settled, oldest first. */
  private final LinkedHashMap<MessageId, Awaited> awaited = new LinkedHashMap<>();

  /** The messages that are published to their end. */
  private final TreeSet<Awaited> byDeadline =
      new TreeSet<>(
          Comparator.<Awaited>comparingLong(a -> a.deadlineNanos).thenComparingLong(a -> a.number));

  private long awaitedMembers;
  private long lastNumber;
  private long nowNanos;

  /**
   * Creates an empty set.
   *
   * @param counts whether a replica counts
   */
  AwaitedReplicas(Predicate<Replica> counts) {
    this.counts = counts;
  }

  /** Returns whether one more message may wait. */
  boolean hasRoomFor(WantedReplicas wanted) {
    return !wanted.any()
        || (awaited.size() < MAX_AWAITED && awaitedMembers + wanted.count() <= MAX_AWAITED_MEMBERS);
  }

  /** Returns a description of the messages that leave no room. */
  String describeAwaited() {
    return awaited.size() + " broadcasts wait for " + awaitedMembers + " replicas together";
  }

  /**
   * Notes that a message that wants replicas begins.
   *
   * @param settled called once with the number of members that have it
   */
  void begins(MessageId message, WantedReplicas wanted, IntConsumer settled) {
    awaited.put(message, new Awaited(message, wanted, settled, ++lastNumber));
    awaitedMembers += wanted.count();
  }

  /** Notes that the end of the message is published. */
  void published(MessageId message) {
    Awaited known = awaited.get(message);
    if (known != null) {
      known.deadlineNanos = nowNanos + known.wanted.millis() * NANOS_PER_MILLI;
      byDeadline.add(known);
    }
  }

  /** Notes that the publisher abandoned the message: it no longer waits. */
  void abandons(MessageId message) {
    Awaited gone = awaited.get(message);
    if (gone != null) {
      remove(gone);
    }
  }

  private void remove(Awaited gone) {
    awaited.remove(gone.message);
    byDeadline.remove(gone);
    awaitedMembers -= gone.wanted.count();
  }

  /** Adds members that have a message that was published here, to its end. */
  void add(MessageId message, Collection<Replica> replicas) {
    Awaited known = awaited.get(message);
    if (known == null) {
      return;
    }
    for (Replica replica : replicas) {
      if (known.replicas.size() >= known.wanted.count()) {
        known.replicas.values().removeIf(earlier -> !counts.test(earlier));
      }
      Replica before = known.replicas.get(replica.member());
      if (before == null || before.incarnation() < replica.incarnation()) {
        known.replicas.put(replica.member(), replica);
      }
      if (settledIfReached(known)) {
        return;
      }
    }
  }

  private boolean settledIfReached(Awaited message) {
    boolean isReached = reached(message) >= message.wanted.count();
    if (isReached) {
      settle(message);
    }
    return isReached;
  }

  private int reached(Awaited message) {
    return (int) message.replicas.values().stream().filter(counts).count();
  }

  private void settle(Awaited message) {
    remove(message);
    message.settled.accept(reached(message));
  }

  /** Counts again after a change of the tree's members. */
  void treeCommitted() {
    List.copyOf(awaited.values()).forEach(this::settledIfReached);
  }

  /** Settles all messages that are published, each with its present number of replicas. */
  void settleAll() {
    List.copyOf(byDeadline).forEach(this::settle);
  }

  /** Returns when {@link #tick} is due; MAX_VALUE for never. */
  long nextDeadlineNanos() {
    return byDeadline.isEmpty() ? Long.MAX_VALUE : byDeadline.first().deadlineNanos;
  }

  void tick(long now) {
    nowNanos = now;
    while (nextDeadlineNanos() <= now) {
      settle(byDeadline.first());
    }
  }
}
