package io.treecast.agent.transport;

import io.treecast.agent.core.contract.Connection;

/**
 * Where a stream's events go, on the agent's loop.
 *
 * @param <M> what the stream carries
 */
interface StreamEvents<M> {
  /**
   * A message has come.
   *
   * @param arrivedNanos when the network's thread had it; from then on it waited for the loop
   */
  void received(Connection<M> connection, M message, long arrivedNanos, long nowNanos);

  /** A {@link PacedConnection} that had none may have room. */
  default void roomAgain() {}

  void closed(Connection<M> connection, String reason, long nowNanos);
}
