package io.treecast.collectives.broadcast.order;

import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.tree.TreePlace;
import io.treecast.ghs.NodeId;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What neighbours have told of a topic's order on their present data streams: each, of the latest
 * tree that it told of. What is of a later tree than the present one is kept until that is
 * committed here, since children may be first.
 */
final class HeardTails {
  private record Heard(long treeVersion, OrderTails tails) {
    Heard(long treeVersion) {
      this(treeVersion, new OrderTails());
    }
  }

  private final TreeMap<NodeId, Heard> heard = new TreeMap<>();
  private long present = TreePlace.NO_TREE;

  /** What was told of earlier trees is of no use any more. */
  void treeCommitted(long treeVersion) {
    present = treeVersion;
    heard.values().removeIf(said -> said.treeVersion < treeVersion);
  }

  /**
   * A neighbour said this, of the present tree or a later one. With what follows its last part it
   * begins anew.
   */
  void add(NodeId neighbour, OrderTail tail) {
    Heard said = heard.get(neighbour);
    if (said != null && said.treeVersion > tail.treeVersion()) {
      return;
    }
    if (said == null || said.treeVersion < tail.treeVersion() || said.tails.isComplete()) {
      said = new Heard(tail.treeVersion());
      heard.put(neighbour, said);
    }
    said.tails.add(tail.epochs(), tail.entries());
    if (tail.last()) {
      said.tails.complete();
    }
  }

  private boolean isLater(Heard said) {
    return said.treeVersion > present;
  }

  /** Whether the neighbour has told all of the present tree. */
  boolean isComplete(NodeId neighbour) {
    Heard said = heard.get(neighbour);
    return said != null && !isLater(said) && said.tails.isComplete();
  }

  /** What the neighbour has told; empty if nothing. */
  OrderTails of(NodeId neighbour) {
    Heard said = heard.get(neighbour);
    return said == null ? new OrderTails() : said.tails;
  }

  /** Whether anybody has told of a later tree than the present one. */
  boolean isAnyLater() {
    return heard.values().stream().anyMatch(this::isLater);
  }

  /** What these neighbours told of the present tree is of no use. */
  void removePresent(Predicate<NodeId> neighbours) {
    heard.entrySet().removeIf(said -> !isLater(said.getValue()) && neighbours.test(said.getKey()));
  }

  /** What the neighbour told is of no use any more. */
  void remove(NodeId neighbour) {
    heard.remove(neighbour);
  }

  /** The stream was forgotten: nobody is to wait for what it had. */
  void forget(StreamId stream) {
    heard.values().forEach(said -> said.tails.forget(stream));
  }

  /** How many entries all of them told. */
  long size() {
    return heard.values().stream().mapToLong(said -> said.tails.size()).sum();
  }
}
