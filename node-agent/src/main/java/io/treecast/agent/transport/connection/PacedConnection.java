package io.treecast.agent.transport.connection;

import io.treecast.agent.core.contract.Connection;

/**
 * A connection that reports whether its buffer has room. {@link StreamEvents#writable} reports when
 * it has room again.
 *
 * @param <M> the messages that it carries
 */
public interface PacedConnection<M> extends Connection<M> {
  boolean hasRoom();
}
