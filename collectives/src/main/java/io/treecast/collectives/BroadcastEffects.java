package io.treecast.collectives;

import io.treecast.ghs.NodeId;

/**
 * What a {@link BroadcastRelay} asks of its driver. Called on the relay's thread, inside the event
 * that causes it; must not call the relay back (a driver that has an answer at once enqueues it).
 */
public interface BroadcastEffects {
  /**
   * Send a chunk on the data stream to a neighbour, behind what was sent on it before. The
   * neighbour has room for it: no need to ask the transport whether it is ready.
   */
  void send(NodeId neighbour, Chunk chunk);

  /** Let a neighbour send that many bytes more, counted by {@link Chunk#cost()}. */
  void grant(NodeId neighbour, long bytes);

  /**
   * Hand a chunk to a local subscriber, behind what was delivered to it before. At most {@code
   * limits.subscriberWindowBytes} are with the driver until it says {@link
   * BroadcastRelay#consumed}.
   *
   * <p>Chunks of different origins interleave; those of one origin come in order. When an origin
   * restarts in the middle of a message, the rest of it never comes: a chunk of its new incarnation
   * ends the wait.
   */
  void deliver(long subscriber, Chunk chunk);

  /**
   * A neighbour broke the protocol. The driver closes the link; the relay ignores what still comes
   * from it until {@link BroadcastRelay#edgeOpened}.
   *
   * @param reason for a person
   */
  void violated(NodeId neighbour, String reason);
}
