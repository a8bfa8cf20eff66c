package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.edge.DataEdge;
import io.treecast.collectives.broadcast.edge.DataEdges;
import io.treecast.collectives.broadcast.edge.Outlet;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Attach;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.EdgeMessage.Delivered;
import io.treecast.collectives.broadcast.message.EdgeMessage.Detach;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderNext;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.EdgeMessage.Replicated;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.EdgeMessage.UnusedCredit;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.order.TotalOrder;
import io.treecast.collectives.broadcast.receipt.Receipts;
import io.treecast.collectives.broadcast.receipt.Replicas;
import io.treecast.collectives.broadcast.stability.Stability;
import io.treecast.collectives.broadcast.stream.Arrivals;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.ghs.NodeId;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Dispatches messages of neighbours to the components that handle them. */
final class NeighbourMessages {
  private final DataEdges edges;
  private final Streams streams;
  private final Stability stability;
  private final Receipts receipts;
  private final Replicas replicas;
  private final TopicFlow topics;
  private final TotalOrder order;
  private final Arrivals arrivals;
  private final BiConsumer<NodeId, String> violated;
  private final BiConsumer<NodeId, String> sentTooEarly;

  /**
   * Creates the dispatcher of one relay.
   *
   * @param violated called for a neighbour that sent an invalid message on an open data stream,
   *     with the reason
   * @param sentTooEarly called with a neighbour that sent without an open data stream, and the
   *     reason
   */
  NeighbourMessages(
      DataEdges edges,
      Streams streams,
      Stability stability,
      Receipts receipts,
      Replicas replicas,
      TopicFlow topics,
      TotalOrder order,
      Arrivals arrivals,
      BiConsumer<NodeId, String> violated,
      BiConsumer<NodeId, String> sentTooEarly) {
    this.edges = edges;
    this.streams = streams;
    this.stability = stability;
    this.receipts = receipts;
    this.replicas = replicas;
    this.topics = topics;
    this.order = order;
    this.arrivals = arrivals;
    this.violated = violated;
    this.sentTooEarly = sentTooEarly;
  }

  /** Handles a message that the neighbour sent on the data stream. */
  void received(NodeId neighbour, EdgeMessage message) {
    DataEdge edge = edges.find(neighbour, Channel.MESSAGES);
    if (edge == null || edge.stream() == DataEdge.Stream.AWAITED) {
      Object what = message instanceof Data data ? data.item() : message.getClass().getSimpleName();
      sentTooEarly.accept(neighbour, what + " arrived without an open data stream");
    } else if (edge.stream() == DataEdge.Stream.CLOSED) {
      return; // The message was under way when the stream closed.
    } else if (message instanceof Data data) {
      arrivals.received(edges.of(neighbour, data.item().stream().channel()), data.item());
    } else {
      String problem = handOver(neighbour, message);
      if (problem != null) {
        violated.accept(neighbour, problem);
      }
    }
  }

  /**
   * Handles a message that carries no content.
   *
   * @return why the message is invalid; null if it is valid
   */
  private @Nullable String handOver(NodeId neighbour, EdgeMessage message) {
    String problem = null;
    if (message instanceof Credit credit) {
      DataEdge edge = edges.of(neighbour, credit.channel());
      problem = edge.problemWith(credit);
      if (problem == null) {
        edge.outlet().addCredit(credit.bytes());
      }
    } else if (message instanceof UnusedCredit credit) {
      problem = edges.creditReturned(neighbour, credit);
    } else if (message instanceof Digest digest) {
      DataEdge edge = edges.of(neighbour, digest.channel());
      problem = streams.claims().problemWith(digest);
      if (problem == null) {
        streams.recall(digest.positions());
        edge.digestReceived(within(streams.claims().mostNamed(), edge.outlet(), digest));
        streams.named(neighbour, digest.positions());
      }
    } else if (message instanceof Have have) {
      problem = streams.claims().problemWith(have.positions());
      if (problem == null) {
        stability.received(neighbour, have);
      }
    } else if (message instanceof Stable stable) {
      stability.received(neighbour, stable);
    } else if (message instanceof Delivered delivered) {
      receipts.received(delivered);
    } else if (message instanceof Replicated replicated) {
      replicas.received(replicated);
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
    } else {
      throw new IllegalArgumentException("no handling is defined for " + message);
    }
    return problem;
  }

  /**
   * The part of a digest that is remembered: a neighbour may know more streams than this member has
   * room for.
   */
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
