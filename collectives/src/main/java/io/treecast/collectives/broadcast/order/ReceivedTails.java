package io.treecast.collectives.broadcast.order;

import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.tree.TreePlace;
import io.treecast.ghs.NodeId;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The tails of a topic's order that neighbours have sent on their present data streams: one for
 * each neighbour, for the latest tree for which it sent one. A tail of a tree later than the
 * present one is kept until that tree is committed here, because children may commit first.
 */
final class ReceivedTails {
  private record NeighbourTails(long treeVersion, OrderTails tails) {
    NeighbourTails(long treeVersion) {
      this(treeVersion, new OrderTails());
    }
  }

  private final TreeMap<NodeId, NeighbourTails> receivedTails = new TreeMap<>();
  private long present = TreePlace.NO_TREE;

  /** Drops tails of earlier trees. */
  void treeCommitted(long treeVersion) {
    present = treeVersion;
    receivedTails.values().removeIf(newest -> newest.treeVersion < treeVersion);
  }

  /**
   * Adds a part of a neighbour's tail, for the present tree or a later one. A part after the last
   * one begins a new tail.
   */
  void add(NodeId neighbour, OrderTail tail) {
    NeighbourTails newest = receivedTails.get(neighbour);
    if (newest != null && newest.treeVersion > tail.treeVersion()) {
      return;
    }
    if (newest == null || newest.treeVersion < tail.treeVersion() || newest.tails.isComplete()) {
      newest = new NeighbourTails(tail.treeVersion());
      receivedTails.put(neighbour, newest);
    }
    newest.tails.add(tail.epochs(), tail.entries());
    if (tail.last()) {
      newest.tails.complete();
    }
  }

  private boolean isLater(NeighbourTails newest) {
    return newest.treeVersion > present;
  }

  /** Returns whether the neighbour's tail for the present tree is complete. */
  boolean isComplete(NodeId neighbour) {
    NeighbourTails newest = receivedTails.get(neighbour);
    return newest != null && !isLater(newest) && newest.tails.isComplete();
  }

  /** Returns the tail of the neighbour; empty if it has sent none. */
  OrderTails of(NodeId neighbour) {
    NeighbourTails newest = receivedTails.get(neighbour);
    return newest == null ? new OrderTails() : newest.tails;
  }

  /** Returns whether any neighbour has sent a tail for a later tree. */
  boolean isAnyLater() {
    return receivedTails.values().stream().anyMatch(this::isLater);
  }

  /** Drops the present tree's tails of these neighbours. */
  void removePresent(Predicate<NodeId> neighbours) {
    receivedTails
        .entrySet()
        .removeIf(of -> !isLater(of.getValue()) && neighbours.test(of.getKey()));
  }

  /** Drops the tail of the neighbour. */
  void remove(NodeId neighbour) {
    receivedTails.remove(neighbour);
  }

  /** Drops the entries of a forgotten stream: no member should wait for its content. */
  void forget(StreamId stream) {
    receivedTails.values().forEach(newest -> newest.tails.forget(stream));
  }

  /** Returns the number of entries in all tails. */
  long size() {
    return receivedTails.values().stream().mapToLong(newest -> newest.tails.size()).sum();
  }
}
