package io.treecast.agent.transport;

import io.treecast.agent.core.Connection;

/**
 * Where a stream's events go, on the agent's loop.
 *
 * @param <M> what the stream carries
 */
interface StreamEvents<M> {
  void received(Connection<M> connection, M message, long nowNanos);

  void closed(Connection<M> connection, String reason, long nowNanos);
}
