package io.treecast.collectives.broadcast.receipt;

import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Delivered;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Receipt;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.tree.TreePaths;
import io.treecast.collectives.broadcast.tree.TreePaths.Path;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gathers receipts towards the origins of messages, along the committed tree.
 *
 * <p>For each message that requests receipts, a member keeps the receipts that it knows, and sends
 * those not yet sent to its neighbour on the path to the origin: at once when it has the receipts
 * of all members behind it, as seen from the origin, and otherwise after a wait. So without faults
 * each member but the origin sends one message. From member to member towards the origin, the wait
 * grows by more than the round trip. So where receipts are missing, each member also sends one
 * message, with everything that the members behind it have sent by then. No member waits so long
 * that the receipts would reach the origin after the time that the message states.
 *
 * <p><b>Changes.</b> When another neighbour is next on the path, or its data stream is new, all
 * receipts are sent again. Receipts are sets, so it does not matter how often or by which routes
 * they arrive: a receipt may be late, never wrong.
 *
 * <p><b>Bounds.</b> A message is kept until its origin no longer waits, counted from its arrival
 * here. Together the messages keep at most {@link #MAX_RECEIPTS}; then the oldest message is
 * dropped.
 */
public final class ReceiptGathering {
  /**
   * The time for which receipts wait for others, beyond the travel times of the message and of the
   * others.
   */
  public static final long PATIENCE_NANOS = 500_000_000L;

  /** The assumed excess of a round trip over its weight: one part in this many. */
  private static final int SLOWNESS_DIVISOR = 4;

  /**
   * The margin by which receipts should reach the origin before it stops waiting: one part of its
   * time in this many.
   */
  private static final int LAST_CALL_DIVISOR = 10;

  private static final long NANOS_PER_MICRO = 1_000L;

  /** The largest number of receipts that are kept, each message counting as one more. */
  public static final int MAX_RECEIPTS = 65_536;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  /**
   * The path from this member towards an origin.
   *
   * @param next the neighbour
   * @param behind this member and those that are further from the origin
   * @param patienceNanos how long receipts may wait for those of {@code behind}
   * @param originNanos how long a message may take from the origin and a receipt back, together
   */
  private record Way(
      @Nullable NodeId next, Set<NodeId> behind, long patienceNanos, long originNanos) {
    static final Way NONE = new Way(null, Set.of(), 0, 0);
  }

  /**
   * The members that are not behind a neighbour, this one included, and how long to wait for their
   * receipts.
   */
  private record Others(Set<NodeId> members, long patienceNanos) {}

  /** A message, with the receipts that are known here. */
  private static final class Gathered {
    final MessageId message;
    final int receiptMillis;
    final long endNanos;
    final TreeMap<NodeId, Receipt> known = new TreeMap<>();

    /** The receipts that were not sent to {@link #next}. */
    final TreeMap<NodeId, Receipt> unsent = new TreeMap<>();

    @Nullable NodeId next;

    /** The latest time at which they are sent; constant while any of them waits. */
    long dueNanos;

    /** Sequence number of the message here. */
    final long number;

    Gathered(MessageId message, long number, int receiptMillis, long nowNanos) {
      this.message = message;
      this.number = number;
      this.receiptMillis = receiptMillis;
      this.endNanos = nowNanos + receiptMillis * NANOS_PER_MILLI;
    }

    /** Returns when this member's receipts must leave to reach the origin in time. */
    long lastCallNanos(Way way) {
      return endNanos - way.originNanos() - receiptMillis * NANOS_PER_MILLI / LAST_CALL_DIVISOR;
    }

    /** Returns the size that counts against {@link #MAX_RECEIPTS}. */
    int size() {
      return 1 + known.size();
    }
  }

  private final Predicate<NodeId> isOpen;
  private final BiConsumer<NodeId, EdgeMessage> send;

  /** The messages, oldest first. */
  private final LinkedHashMap<MessageId, Gathered> messages = new LinkedHashMap<>();

  private int size;

  private long lastNumber;

  /** The messages with unsent receipts that wait for their time, the earliest first. */
  private final TreeSet<Gathered> waiting =
      new TreeSet<>(
          Comparator.<Gathered>comparingLong(g -> g.dueNanos).thenComparingLong(g -> g.number));

  /** The messages that are due, and wait for an open stream. */
  private final LinkedHashSet<Gathered> withoutWay = new LinkedHashSet<>();

  /** Paths in the present tree. */
  private final TreePaths paths;

  /** The others by neighbour, in the present tree; equal for all origins behind the neighbour. */
  private final Map<NodeId, Others> others = new HashMap<>();

  /** The paths by origin, in the present tree. */
  private final Map<NodeId, Way> ways = new HashMap<>();

  private long nowNanos;
  private long sentMessages;

  /**
   * Creates an empty set.
   *
   * @param isOpen whether there is a data stream to a neighbour
   */
  ReceiptGathering(NodeId self, Predicate<NodeId> isOpen, BiConsumer<NodeId, EdgeMessage> send) {
    this.paths = new TreePaths(self);
    this.isOpen = isOpen;
    this.send = send;
  }

  /** Returns the number of messages sent to neighbours. */
  long sentMessages() {
    return sentMessages;
  }

  /** Adds receipts for a message of another origin, from this member or a neighbour. */
  void add(MessageId message, int receiptMillis, Collection<Receipt> receipts) {
    Gathered gathered = messages.get(message);
    if (gathered == null) {
      gathered = new Gathered(message, ++lastNumber, receiptMillis, nowNanos);
      gathered.next = way(message.origin()).next();
      messages.put(message, gathered);
      size++;
    }
    for (Receipt receipt : receipts) {
      Receipt before = gathered.known.get(receipt.member());
      if (receipt.addsTo(before)) {
        size += before == null ? 1 : 0;
        gathered.known.put(receipt.member(), receipt);
        gathered.unsent.put(receipt.member(), receipt);
      }
    }
    sendOrWait(gathered);
    makeRoom();
  }

  /** Sends the unsent receipts, or begins to wait for more. */
  private void sendOrWait(Gathered gathered) {
    if (!waiting.contains(gathered) && !withoutWay.contains(gathered)) {
      Way way = way(gathered.message.origin());
      long lastCallNanos = gathered.lastCallNanos(way);
      gathered.dueNanos = nowNanos + way.patienceNanos();
      if (nowNanos < lastCallNanos) {
        gathered.dueNanos = Math.min(gathered.dueNanos, lastCallNanos);
      }
    }
    stopWaiting(gathered);
    sendIfDue(gathered);
    if (gathered.unsent.isEmpty()) {
      return;
    }
    if (nowNanos < gathered.dueNanos) {
      waiting.add(gathered);
    } else {
      withoutWay.add(gathered);
    }
  }

  private void stopWaiting(Gathered gathered) {
    waiting.remove(gathered);
    withoutWay.remove(gathered);
  }

  private void makeRoom() {
    Iterator<Gathered> oldest = messages.values().iterator();
    while (size > MAX_RECEIPTS && oldest.hasNext()) {
      Gathered gathered = oldest.next();
      oldest.remove();
      dropped(gathered);
    }
  }

  private void dropped(Gathered gathered) {
    size -= gathered.size();
    stopWaiting(gathered);
  }

  /** Sends the unsent receipts, if they are due and a stream is open. */
  private void sendIfDue(Gathered gathered) {
    NodeId next = gathered.next;
    if (gathered.unsent.isEmpty() || next == null || !isOpen.test(next)) {
      return;
    }
    Set<NodeId> behind = receiversBehind(gathered.message);
    boolean isAll =
        gathered.known.size() >= behind.size() && gathered.known.keySet().containsAll(behind);
    if (!isAll && nowNanos < gathered.dueNanos) {
      return;
    }
    List<Receipt> unsent = new ArrayList<>(gathered.unsent.values());
    gathered.unsent.clear();
    for (int i = 0; i < unsent.size(); i += Delivered.MAX_RECEIPTS) {
      List<Receipt> part = unsent.subList(i, Math.min(unsent.size(), i + Delivered.MAX_RECEIPTS));
      sentMessages++;
      send.accept(next, new Delivered(gathered.message, gathered.receiptMillis, part));
    }
  }

  /** This member and those that are further from the origin, as far as they must confirm. */
  private Set<NodeId> receiversBehind(MessageId message) {
    Set<NodeId> behind = way(message.origin()).behind();
    if (!Topic.isSelection(message.topic())) {
      return behind;
    }
    Set<NodeId> receivers = Topic.receivers(message.topic());
    receivers.retainAll(behind);
    return receivers;
  }

  // The tree and its edges.

  /** Notes that this member has committed a tree. */
  void treeCommitted(CommittedTree committed) {
    paths.treeCommitted(committed);
    ways.clear();
    others.clear();
    dropFinished();
    for (Gathered gathered : messages.values()) {
      NodeId next = way(gathered.message.origin()).next();
      if (!Objects.equals(next, gathered.next)) {
        gathered.next = next;
        sendAllAgain(gathered);
      }
    }
    retryWaiting();
  }

  /** Notes that the data stream to a neighbour is open; messages on an earlier one may be lost. */
  void opened(NodeId neighbour) {
    dropFinished();
    for (Gathered gathered : messages.values()) {
      if (Objects.equals(neighbour, gathered.next)) {
        sendAllAgain(gathered);
      }
    }
    retryWaiting();
  }

  private void sendAllAgain(Gathered gathered) {
    gathered.unsent.putAll(gathered.known);
    sendOrWait(gathered);
  }

  private void dropFinished() {
    Iterator<Gathered> all = messages.values().iterator();
    while (all.hasNext()) {
      Gathered gathered = all.next();
      if (gathered.endNanos <= nowNanos) {
        all.remove();
        dropped(gathered);
      }
    }
  }

  private Way way(NodeId origin) {
    return ways.computeIfAbsent(origin, this::find);
  }

  private Way find(NodeId origin) {
    Path ofOrigin = paths.to(origin);
    if (ofOrigin == null) {
      return Way.NONE;
    }
    Others behind = others.computeIfAbsent(ofOrigin.by(), this::othersThan);
    return new Way(
        ofOrigin.by(), behind.members(), behind.patienceNanos(), underWayNanos(ofOrigin.cost()));
  }

  private Others othersThan(NodeId neighbour) {
    TreeMap<NodeId, Path> rest = new TreeMap<>(paths.all());
    rest.values().removeIf(path -> path.by().equals(neighbour));
    long mostMicros = rest.values().stream().mapToLong(Path::cost).max().orElse(0);
    return new Others(rest.keySet(), underWayNanos(mostMicros) + PATIENCE_NANOS);
  }

  private static long underWayNanos(long rttMicros) {
    return (rttMicros + rttMicros / SLOWNESS_DIVISOR) * NANOS_PER_MICRO;
  }

  void forget(StreamId stream) {
    Iterator<Gathered> all = messages.values().iterator();
    while (all.hasNext()) {
      Gathered gathered = all.next();
      if (gathered.message.stream().equals(stream)) {
        all.remove();
        dropped(gathered);
      }
    }
  }

  // Time.

  /** Returns when {@link #tick} may have something to do; MAX_VALUE for never. */
  long nextDeadlineNanos() {
    return waiting.isEmpty() ? Long.MAX_VALUE : waiting.first().dueNanos;
  }

  void tick(long now) {
    nowNanos = now;
    while (!waiting.isEmpty() && waiting.first().dueNanos <= now) {
      sendOrWait(waiting.first());
    }
  }

  /** Retries the waiting messages, for which a stream may have opened. */
  private void retryWaiting() {
    List<Gathered> all = new ArrayList<>(withoutWay);
    all.addAll(waiting);
    all.forEach(this::sendOrWait);
  }
}
