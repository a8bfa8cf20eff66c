package io.treecast.collectives;

import io.treecast.collectives.BroadcastRefusedException.Reason;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One node's part in broadcasting: it cuts local publishers' payloads into chunks, forwards chunks
 * along the edges of the committed tree as they arrive (cut-through: it never waits for the rest of
 * a message), and delivers each origin's messages once and in order to every local subscriber.
 *
 * <p><b>Flow.</b> Chunks come in by inlets, the tree edges and the local publishers, and leave by
 * outlets, the tree edges and the local subscribers. A chunk is put on every outlet but the one of
 * the edge that it came by. An outlet sends in order, and only what it has credit for. When the
 * last of its outlets has sent a chunk, its bytes go back to its inlet: as credit to the neighbour,
 * or as room in the publish buffer. So a slow subscriber or edge slows, hop by hop, every publisher
 * that reaches it.
 *
 * <p><b>Memory.</b> Every waiting chunk is counted by exactly one inlet, so at most {@code
 * limits.edgeWindowBytes} for each neighbour and {@code limits.publishBufferBytes} wait here,
 * however many outlets share them. What has been sent is with the driver's transport, bounded by
 * the receivers' windows. Everything counts {@link Chunk#cost()}, so empty messages are bounded
 * too.
 *
 * <p><b>No deadlock.</b> Write u→v for the chunks that came from u and wait at v. They wait only
 * for v's subscribers and for room in v→w, for neighbours w other than u. Following such waits is a
 * walk that never turns back, and on a tree such a walk visits no node twice: it ends at a leaf,
 * where chunks wait for subscribers only. Room in a window is room for the head of an outlet, since
 * each window holds the largest chunk. So as long as subscribers consume, everything moves. This
 * argument needs a tree, and a local publisher adds nothing to it, because nothing waits for room
 * in a publish buffer.
 *
 * <p><b>Trust.</b> An edge is ordered and loses nothing while its stream is open. A chunk that
 * arrived before is dropped and its credit given back; one beyond the next, too large, or without
 * credit is a violation that ends the stream. What a closed stream lost is not sent again: the
 * neighbour, if it missed anything, refuses the next chunk of that origin as beyond a gap.
 *
 * <p>Single-threaded, without time. Effects come in the order of their causes; for one chunk it is
 * sent to neighbours in the order of their ids, then delivered in the order of subscriptions, then
 * granted for.
 */
public final class BroadcastRelay {
  private final NodeId self;
  private final BroadcastLimits limits;
  private final BroadcastEffects effects;

  private final TreeMap<NodeId, DataEdge> edges = new TreeMap<>();
  private final LocalSubscribers subscribers;
  private final PublishBuffer publishBuffer;
  private final Origins origins;
  private @Nullable CommittedTree tree;

  private long publishedMessages;
  private long forwardedChunks;
  private long duplicateChunks;
  private long lostChunks;

  /**
   * A relay without tree, edges and subscribers.
   *
   * @param incarnation drawn anew at each start of this node's agent
   */
  public BroadcastRelay(
      NodeId self, long incarnation, BroadcastLimits limits, BroadcastEffects effects) {
    this.self = self;
    this.limits = limits;
    this.effects = effects;
    this.subscribers = new LocalSubscribers(limits, effects);
    this.publishBuffer = new PublishBuffer(limits.publishBufferBytes());
    this.origins = new Origins(self, incarnation, limits.origins());
  }

  // The tree and its edges.

  /**
   * This node has committed a tree. What neighbours that committed earlier have sent is forwarded
   * now; chunks for edges whose stream is not open yet wait for it.
   *
   * @throws IllegalArgumentException if this node is no member of the tree
   */
  public void treeCommitted(CommittedTree committed) {
    if (!committed.hasMember(self)) {
      throw new IllegalArgumentException(self + " is no member of the committed tree " + committed);
    }
    tree = committed;
    List<NodeId> neighbours = committed.neighbours(self);
    for (DataEdge edge : edges.values()) {
      if (!neighbours.contains(edge.neighbour())) {
        lostChunks += edge.leaveTree();
      }
    }
    edges.values().removeIf(DataEdge::idle);
    neighbours.forEach(neighbour -> edge(neighbour).joinTree());
    for (DataEdge edge : List.copyOf(edges.values())) {
      for (Chunk chunk = edge.untilTree().poll(); chunk != null; chunk = edge.untilTree().poll()) {
        relay(edge, chunk, committed);
      }
    }
  }

  /**
   * The data stream to a neighbour is up: frames can be sent, none has been received. Each end
   * grants its window as its first credit, and sends nothing before it has the other's.
   *
   * @throws IllegalStateException if it is open already
   */
  public void edgeOpened(NodeId neighbour) {
    DataEdge edge = edge(neighbour);
    if (edge.state() == DataEdge.State.OPEN) {
      throw new IllegalStateException("the data stream to " + neighbour + " is open already");
    }
    edge.open();
  }

  /**
   * The data stream to a neighbour is down, for whatever reason. What waits for the neighbour is
   * lost, so that nothing else waits with it; what came from it is forwarded still. No effect if it
   * was not open.
   */
  public void edgeClosed(NodeId neighbour) {
    DataEdge edge = edges.get(neighbour);
    if (edge == null || edge.state() == DataEdge.State.AWAITED) {
      return;
    }
    lostChunks += edge.close();
    if (edge.idle()) {
      edges.remove(neighbour);
    }
  }

  private DataEdge edge(NodeId neighbour) {
    return edges.computeIfAbsent(
        neighbour,
        id ->
            new DataEdge(
                id,
                limits,
                effects,
                chunk -> {
                  forwardedChunks++;
                  effects.send(id, chunk);
                }));
  }

  // What neighbours send.

  /** A chunk came from a neighbour. */
  public void received(NodeId neighbour, Chunk chunk) {
    DataEdge edge = edges.get(neighbour);
    if (edge == null || edge.state() == DataEdge.State.AWAITED) {
      effects.violated(neighbour, chunk + " came without an open data stream");
    } else if (edge.state() == DataEdge.State.CLOSED) {
      return; // It was under way when the stream closed.
    } else if (chunk.bytes() > limits.chunkBytes()) {
      violated(
          edge,
          chunk
              + " is larger than limits.chunkBytes = "
              + limits.chunkBytes()
              + ", which must be the same on all agents");
    } else if (!edge.inlet().take(chunk.cost())) {
      violated(edge, chunk + " exceeds the credit granted of limits.edgeWindowBytes");
    } else if (tree == null) {
      edge.untilTree().add(chunk);
    } else {
      relay(edge, chunk, tree);
    }
  }

  /** A neighbour took chunks off this node's hands: that many bytes more may be sent to it. */
  public void granted(NodeId neighbour, long bytes) {
    DataEdge edge = edges.get(neighbour);
    if (edge == null || edge.state() == DataEdge.State.AWAITED) {
      effects.violated(neighbour, "credit came without an open data stream");
    } else if (edge.state() == DataEdge.State.CLOSED) {
      return;
    } else if (bytes < 1
        || bytes > BroadcastLimits.MAX_BUFFER_BYTES - edge.outlet().creditBytes()) {
      violated(edge, "credit of " + bytes + " bytes is out of range");
    } else if (!edge.markCredited() && bytes < Chunk.cost(limits.chunkBytes())) {
      violated(
          edge,
          "first credit of "
              + bytes
              + " bytes has no room for a chunk of limits.chunkBytes = "
              + limits.chunkBytes()
              + ", which must be the same on all agents");
    } else {
      edge.outlet().addCredit(bytes);
    }
  }

  /** Passes on a chunk that its edge's inlet has counted. */
  private void relay(DataEdge edge, Chunk chunk, CommittedTree committed) {
    if (!edge.inTree()) {
      refuse(edge, chunk, " came by a link that is no edge of the committed tree " + committed);
      return;
    }
    OriginStream stream = origins.streamOf(chunk.messageId());
    if (stream == null || stream.compareToNext(chunk) < 0) {
      duplicateChunks++;
      edge.inlet().release(chunk.cost());
      return;
    }
    String violation = null;
    if (stream == origins.own()) {
      violation = " was never published here";
    } else if (stream.compareToNext(chunk) > 0) {
      violation = " came before " + stream.next();
    } else if (!origins.remember(stream, committed::hasMember)) {
      violation = " is of one origin more than limits.origins = " + limits.origins();
    }
    if (violation != null) {
      refuse(edge, chunk, violation);
      return;
    }
    stream.advance(chunk, subscribers.subscriptions());
    spread(new WaitingChunk(chunk, edge.inlet()), stream, edge);
  }

  private void spread(WaitingChunk chunk, OriginStream stream, @Nullable DataEdge from) {
    for (DataEdge edge : edges.values()) {
      if (edge == from || !edge.inTree()) {
        continue;
      }
      if (edge.state() == DataEdge.State.CLOSED) {
        lostChunks++;
      } else {
        edge.outlet().put(chunk);
      }
    }
    subscribers.put(chunk, stream);
    chunk.letGo();
  }

  private void refuse(DataEdge edge, Chunk chunk, String violation) {
    violated(edge, chunk + violation);
    edge.inlet().release(chunk.cost());
  }

  private void violated(DataEdge edge, String reason) {
    lostChunks += edge.close();
    effects.violated(edge.neighbour(), reason);
  }

  // Local publishers and subscribers.

  /**
   * Broadcasts a payload to every subscriber of every member, those of this node included. When
   * this returns, its chunks have been sent or wait in the publish buffer.
   *
   * @param payload not copied, its position not moved: the caller must not write to its memory
   *     again
   * @throws BroadcastRefusedException PAYLOAD_TOO_LARGE, NO_TREE or PUBLISH_BUFFER_FULL
   */
  public MessageId publish(ByteBuffer payload) throws BroadcastRefusedException {
    int bytes = payload.remaining();
    if (bytes > limits.payloadBytes()) {
      throw new BroadcastRefusedException(
          Reason.PAYLOAD_TOO_LARGE,
          "payload of "
              + bytes
              + " bytes is larger than limits.payloadBytes = "
              + limits.payloadBytes());
    }
    requireTree();
    long cost = limits.costOfPayload(bytes);
    if (!publishBuffer.hasRoomFor(cost)) {
      throw new BroadcastRefusedException(
          Reason.PUBLISH_BUFFER_FULL,
          "payload of "
              + bytes
              + " bytes has no room beside "
              + publishBuffer.waitingBytes()
              + " bytes that wait for slower members; limits.publishBufferBytes = "
              + limits.publishBufferBytes());
    }
    publishBuffer.take(cost);
    publishedMessages++;
    OriginStream stream = origins.own();
    MessageId id = new MessageId(self, stream.incarnation(), stream.nextSequence());
    int offset = 0;
    int index = 0;
    do {
      int length = Math.min(limits.chunkBytes(), bytes - offset);
      ByteBuffer slice = payload.slice(payload.position() + offset, length);
      offset += length;
      Chunk chunk = new Chunk(id, index++, offset == bytes, slice);
      stream.advance(chunk, subscribers.subscriptions());
      spread(new WaitingChunk(chunk, publishBuffer), stream, null);
    } while (offset < bytes);
    return id;
  }

  private void requireTree() throws BroadcastRefusedException {
    if (tree == null) {
      throw new BroadcastRefusedException(Reason.NO_TREE, "no tree is committed yet");
    }
    for (DataEdge edge : edges.values()) {
      if (edge.inTree() && edge.state() == DataEdge.State.CLOSED) {
        throw new BroadcastRefusedException(
            Reason.NO_TREE, "the data stream of the tree edge to " + edge.neighbour() + " is lost");
      }
    }
  }

  /**
   * Adds a local subscriber, which gets each origin's messages from the next that begins.
   *
   * @param subscriber the driver's name for it, not in use
   * @throws BroadcastRefusedException TOO_MANY_SUBSCRIBERS
   * @throws IllegalArgumentException if there is a subscriber of that name
   */
  public void subscribe(long subscriber) throws BroadcastRefusedException {
    subscribers.add(subscriber);
  }

  /** Removes a local subscriber and what waits for it. No effect if there is none of that name. */
  public void unsubscribe(long subscriber) {
    subscribers.remove(subscriber);
  }

  /**
   * A subscriber has consumed what was delivered to it, and may be sent as much again. No effect if
   * there is none of that name, since it may just have been removed.
   *
   * @param bytes the sum of the chunks' {@link Chunk#cost()}
   * @throws IllegalArgumentException if that is negative, or more than was delivered and not
   *     consumed
   */
  public void consumed(long subscriber, long bytes) {
    subscribers.consumed(subscriber, bytes);
  }

  // Views.

  /** What was done so far, and what waits now. */
  public BroadcastCounters counters() {
    long waitingBytes = publishBuffer.waitingBytes();
    for (DataEdge edge : edges.values()) {
      waitingBytes += edge.inlet().waitingBytes();
    }
    return new BroadcastCounters(
        publishedMessages,
        subscribers.deliveredMessages(),
        forwardedChunks,
        duplicateChunks,
        lostChunks,
        waitingBytes);
  }

  /** How far each known origin's messages have come, ordered by origin, this node included. */
  public List<OriginProgress> origins() {
    return origins.progress();
  }
}
