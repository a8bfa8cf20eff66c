package io.treecast.agent.transport.connection;

import io.treecast.agent.core.contract.Connection;

/**
 * A connection that tells whether the network takes more than waits to be sent already. {@link
 * StreamEvents#roomAgain} tells when it does again.
 *
 * @param <M> what it carries
 */
public interface PacedConnection<M> extends Connection<M> {
  boolean hasRoom();
}
