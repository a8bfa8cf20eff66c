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
 * <p>A message is <em>settled</em> when as many members as are wanted have the whole of it, each of
 * which is in the committed tree and has not restarted since, as far as is known; at the latest
 * when the time is over that the publisher waits. That begins when the end of the message is
 * published.
 */
public final class AwaitedReplicas {
  /** The most messages that are not settled. */
  static final int MAX_AWAITED = 65_536;

  /** The most members that those may wait for together. */
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

  /** Whether a member is in the committed tree, and this is not known to be an earlier life. */
  private final Predicate<Replica> counts;

  /** Oldest first. */
  private final LinkedHashMap<MessageId, Awaited> awaited = new LinkedHashMap<>();

  /** Those that are published to their end. */
  private final TreeSet<Awaited> byDeadline =
      new TreeSet<>(
          Comparator.<Awaited>comparingLong(a -> a.deadlineNanos).thenComparingLong(a -> a.number));

  private long awaitedMembers;
  private long lastNumber;
  private long nowNanos;

  /**
   * Nobody waits.
   *
   * @param counts whether a member that has a message counts
   */
  AwaitedReplicas(Predicate<Replica> counts) {
    this.counts = counts;
  }

  /** Whether one more message may wait. */
  boolean hasRoomFor(WantedReplicas wanted) {
    return !wanted.any()
        || (awaited.size() < MAX_AWAITED && awaitedMembers + wanted.count() <= MAX_AWAITED_MEMBERS);
  }

  /** What there is no room beside. */
  String whatIsAwaited() {
    return awaited.size() + " broadcasts wait for " + awaitedMembers + " replicas together";
  }

  /**
   * A message that wants replicas begins.
   *
   * @param settled told once how many members have it
   */
  void begins(MessageId message, WantedReplicas wanted, IntConsumer settled) {
    awaited.put(message, new Awaited(message, wanted, settled, ++lastNumber));
    awaitedMembers += wanted.count();
  }

  /** Its end is published. */
  void published(MessageId message) {
    Awaited known = awaited.get(message);
    if (known != null) {
      known.deadlineNanos = nowNanos + known.wanted.millis() * NANOS_PER_MILLI;
      byDeadline.add(known);
    }
  }

  /** Its publisher abandoned it: nobody waits. */
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

  /** These members have a message that was published here, to its end. */
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

  /** Other members count. */
  void treeCommitted() {
    List.copyOf(awaited.values()).forEach(this::settledIfReached);
  }

  /** Nobody is to wait any longer: tells of each message that is published how many have it. */
  void settleAll() {
    List.copyOf(byDeadline).forEach(this::settle);
  }

  /** When {@link #tick} is due; MAX_VALUE for never. */
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
