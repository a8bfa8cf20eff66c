package io.treecast.collectives.operation;

import io.treecast.ghs.NodeId;

/**
 * What {@link Combining} asks of its driver. Called on its thread, inside the event that causes it;
 * must not call it back.
 */
public interface CombiningEffects {
  /** Send on the open data stream to a neighbour, behind what was sent on it before. */
  void send(NodeId neighbour, CombiningMessage message);

  /**
   * A call has ended, perhaps within {@link Combining#takePart}. Comes once for each call, unless
   * it is {@linkplain Combining#withdraw withdrawn}.
   */
  void ended(long call, Outcome outcome);

  /**
   * A neighbour broke the protocol. The driver closes the link.
   *
   * @param reason for a person
   */
  void violated(NodeId neighbour, String reason);
}
