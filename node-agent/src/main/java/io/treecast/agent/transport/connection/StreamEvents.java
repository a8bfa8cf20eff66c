package io.treecast.agent.transport.connection;

import io.treecast.agent.core.contract.Connection;

/**
 * Receives a stream's events, on the agent's loop.
 *
 * @param <M> the stream's messages
 */
public interface StreamEvents<M> {
  /**
   * Handles a message.
   *
   * @param arrivedNanos when the network's thread had it; from then on it waited for the loop
   */
  void received(Connection<M> connection, M message, long arrivedNanos, long nowNanos);

  /** A {@link PacedConnection} that had none may have room. */
  default void roomAgain() {}

  void closed(Connection<M> connection, String reason, long nowNanos);
}
