package io.treecast.collectives;

import io.treecast.collectives.EdgeMessage.Attach;
import io.treecast.collectives.EdgeMessage.Credit;
import io.treecast.collectives.EdgeMessage.Delivered;
import io.treecast.collectives.EdgeMessage.Detach;
import io.treecast.collectives.EdgeMessage.Digest;
import io.treecast.collectives.EdgeMessage.Have;
import io.treecast.collectives.EdgeMessage.Interest;
import io.treecast.collectives.EdgeMessage.InterestKnown;
import io.treecast.collectives.EdgeMessage.OrderNext;
import io.treecast.collectives.EdgeMessage.OrderTail;
import io.treecast.collectives.EdgeMessage.Stable;
import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/** Hands what neighbours say, beside content, to those whom it concerns. Relay's thread. */
final class NeighbourMessages {
  private final Streams streams;
  private final Stability stability;
  private final Receipts receipts;
  private final TopicFlow topics;
  private final TotalOrder order;

  NeighbourMessages(
      Streams streams, Stability stability, Receipts receipts, TopicFlow topics, TotalOrder order) {
    this.streams = streams;
    this.stability = stability;
    this.receipts = receipts;
    this.topics = topics;
    this.order = order;
  }

  /** The neighbour at the other end said this; gives why it can not, null if it can. */
  @Nullable String received(DataEdge edge, EdgeMessage message) {
    NodeId neighbour = edge.neighbour();
    String problem = null;
    if (message instanceof Credit credit) {
      problem = edge.problemWith(credit);
      if (problem == null) {
        edge.outlet().addCredit(credit.bytes());
      }
    } else if (message instanceof Digest digest) {
      problem = streams.problemWith(digest.positions(), edge.outlet().knownStreams());
      if (problem == null) {
        edge.peerHas(digest);
      }
    } else if (message instanceof Have have) {
      problem = streams.problemWith(have.positions(), stability.toldStreams(neighbour));
      if (problem == null) {
        stability.received(neighbour, have);
      }
    } else if (message instanceof Stable stable) {
      stability.received(neighbour, stable);
    } else if (message instanceof Delivered delivered) {
      problem = receipts.received(delivered);
    } else if (message instanceof Interest interest) {
      problem = topics.received(neighbour, interest);
    } else if (message instanceof InterestKnown known) {
      problem = topics.received(neighbour, known);
    } else if (message instanceof OrderTail tail) {
      problem = order.received(neighbour, tail);
      receipts.check();
    } else if (message instanceof OrderNext next) {
      problem = order.received(neighbour, next);
      receipts.check();
    } else if (message instanceof Attach) {
      edge.peerAttached();
    } else if (message instanceof Detach) {
      edge.peerDetached();
    }
    return problem;
  }
}
