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
   * @param arrivedNanos the time at which the network's thread received it; since then it has
   *     waited for the loop
   */
  void received(Connection<M> connection, M message, long arrivedNanos, long nowNanos);

  /** Handles that a {@link PacedConnection} without room may have room again. */
  default void writable() {}

  void closed(Connection<M> connection, String reason, long nowNanos);
}
