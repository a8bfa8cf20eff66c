package io.treecast.collectives.broadcast.receipt;

import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Replicated;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Replica;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import io.treecast.collectives.broadcast.tree.TreePaths;
import io.treecast.collectives.broadcast.tree.TreePaths.Path;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reports to the origins of messages that want replicas which members have them, along the
 * committed tree.
 *
 * <p>A member reports at once to its neighbour on the path to the origin: its own copy, and the
 * reports of others. It omits its own copy if its distance from the origin, in edges, is greater
 * than the number of replicas wanted, because that many members are nearer, and get the message,
 * too. So one replica costs one message of each of the origin's neighbours.
 *
 * <p><b>Changes.</b> When another neighbour is next on the path, or its data stream is new, all
 * reports are sent again. The members that have a message form a set, so it does not matter how
 * often or by which routes reports arrive.
 *
 * <p><b>Bounds.</b> A message is kept until its origin no longer waits, counted from the first
 * report about it here. Together the messages keep at most {@link #MAX_REPORTS}; then the oldest
 * message is dropped.
 */
public final class ReplicaReports {
  /**
   * The largest number of members that are kept for all messages, each message counting as one
   * more.
   */
  public static final int MAX_REPORTS = 65_536;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** A message, with the replicas that are known here. */
  private static final class Reported {
    final MessageId message;
    final WantedReplicas wanted;
    final long endNanos;
    final TreeMap<NodeId, Replica> known = new TreeMap<>();

    /** The replicas that were not reported to {@link #next}. */
    final TreeMap<NodeId, Replica> unsent = new TreeMap<>();

    @Nullable NodeId next;

    Reported(MessageId message, WantedReplicas wanted, long nowNanos) {
      this.message = message;
      this.wanted = wanted;
      this.endNanos = nowNanos + wanted.millis() * NANOS_PER_MILLI;
    }

    boolean add(Replica replica) {
      Replica before = known.get(replica.member());
      if (before != null && before.incarnation() >= replica.incarnation()) {
        return false;
      }
      known.put(replica.member(), replica);
      unsent.put(replica.member(), replica);
      return before == null;
    }

    int size() {
      return 1 + known.size();
    }
  }

  private final NodeId self;
  private final TreePaths paths;
  private final Predicate<NodeId> isOpen;
  private final BiConsumer<NodeId, EdgeMessage> send;

  /** The messages, oldest first. */
  private final LinkedHashMap<MessageId, Reported> messages = new LinkedHashMap<>();

  private int size;
  private long nowNanos;
  private long sentMessages;

  /**
   * Creates an empty set.
   *
   * @param isOpen whether there is a data stream to a neighbour
   */
  public ReplicaReports(
      NodeId self, Predicate<NodeId> isOpen, BiConsumer<NodeId, EdgeMessage> send) {
    this.self = self;
    this.paths = new TreePaths(self);
    this.isOpen = isOpen;
    this.send = send;
  }

  /** Returns the number of messages sent to neighbours. */
  long sentMessages() {
    return sentMessages;
  }

  /** Adds members that have a message of another origin. */
  public void add(MessageId message, WantedReplicas wanted, Collection<Replica> replicas) {
    Reported reported = messages.get(message);
    if (reported == null) {
      reported = new Reported(message, wanted, nowNanos);
      reported.next = next(message.origin());
      messages.put(message, reported);
      size++;
    }
    for (Replica replica : replicas) {
      size += reported.add(replica) ? 1 : 0;
    }
    sendUnsent(reported);
    makeRoom();
  }

  private void makeRoom() {
    Iterator<Reported> oldest = messages.values().iterator();
    while (oldest.hasNext()) {
      Reported reported = oldest.next();
      if (size <= MAX_REPORTS && nowNanos < reported.endNanos) {
        return;
      }
      oldest.remove();
      size -= reported.size();
    }
  }

  private @Nullable NodeId next(NodeId origin) {
    Path path = paths.to(origin);
    return path == null ? null : path.by();
  }

  /** Sends the unsent reports, if a stream is open. */
  private void sendUnsent(Reported reported) {
    NodeId next = reported.next;
    Path path = paths.to(reported.message.origin());
    if (next == null || path == null || !isOpen.test(next)) {
      return;
    }
    Replica own = path.edges() > reported.wanted.count() ? reported.unsent.remove(self) : null;
    List<Replica> unsent = new ArrayList<>(reported.unsent.values());
    reported.unsent.clear();
    if (own != null) {
      reported.unsent.put(self, own); // In another tree this member may be nearer.
    }
    if (!unsent.isEmpty()) {
      for (List<Replica> part : EdgeMessage.parts(unsent, Replicated.MAX_REPLICAS)) {
        sentMessages++;
        send.accept(next, new Replicated(reported.message, reported.wanted, part));
      }
    }
  }

  /** Notes that this member has committed a tree. */
  public void treeCommitted(CommittedTree committed) {
    paths.treeCommitted(committed);
    dropFinished();
    for (Reported reported : messages.values()) {
      NodeId next = next(reported.message.origin());
      if (!Objects.equals(next, reported.next)) {
        reported.next = next;
        reported.unsent.putAll(reported.known);
      }
      sendUnsent(reported);
    }
  }

  /** Notes that the data stream to a neighbour is open; messages on an earlier one may be lost. */
  public void opened(NodeId neighbour) {
    dropFinished();
    for (Reported reported : messages.values()) {
      if (neighbour.equals(reported.next)) {
        reported.unsent.putAll(reported.known);
        sendUnsent(reported);
      }
    }
  }

  private void dropFinished() {
    messages.values().removeIf(reported -> reported.endNanos <= nowNanos);
    size = messages.values().stream().mapToInt(Reported::size).sum();
  }

  void forget(StreamId stream) {
    messages.keySet().removeIf(message -> message.stream().equals(stream));
    size = messages.values().stream().mapToInt(Reported::size).sum();
  }

  void tick(long now) {
    nowNanos = now;
  }
}
