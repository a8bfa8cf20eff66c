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
  private final DataEdges edges;
  private final Streams streams;
  private final Stability stability;
  private final Receipts receipts;
  private final TopicFlow topics;
  private final TotalOrder order;

  NeighbourMessages(
      DataEdges edges,
      Streams streams,
      Stability stability,
      Receipts receipts,
      TopicFlow topics,
      TotalOrder order) {
    this.edges = edges;
    this.streams = streams;
    this.stability = stability;
    this.receipts = receipts;
    this.topics = topics;
    this.order = order;
  }

  /** The neighbour said this on the open data stream; gives why it can not, null if it can. */
  @Nullable String received(NodeId neighbour, EdgeMessage message) {
    String problem = null;
    if (message instanceof Credit credit) {
      DataEdge edge = edges.of(neighbour, credit.channel());
      problem = edge.problemWith(credit);
      if (problem == null) {
        edge.outlet().addCredit(credit.bytes());
      }
    } else if (message instanceof Digest digest) {
      DataEdge edge = edges.of(neighbour, digest.channel());
      problem = streams.problemWith(digest);
      if (problem == null) {
        edge.peerHas(within(streams.mostNamed(), edge.outlet(), digest));
        streams.named(neighbour, digest.positions());
      }
    } else if (message instanceof Have have) {
      problem = streams.problemWith(have.positions());
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
    } else if (message instanceof Attach attach) {
      edges.of(neighbour, attach.channel()).peerAttached();
    } else if (message instanceof Detach detach) {
      edges.of(neighbour, detach.channel()).peerDetached();
    }
    return problem;
  }

  /** What is remembered of it: a neighbour may know more streams than this member has room for. */
  private static Digest within(int most, Outlet outlet, Digest digest) {
    return digest.positions().size() <= most - outlet.knownStreams()
        ? digest
        : new Digest(
            digest.channel(),
            digest.positions().stream()
                .filter(position -> Position.START.isBefore(outlet.next(position.stream())))
                .toList(),
            digest.last());
  }
}
