package io.treecast.agent.transport.connection;

import io.treecast.agent.core.contract.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A connection that reports whether its buffer has room. {@link StreamEvents#writable} reports when
 * it has room again.
 *
 * @param <M> the messages that it carries
 */
public interface PacedConnection<M> extends Connection<M> {
  boolean hasRoom();

  /** Returns the socket below; null without access to it, which may come later. */
  @Nullable TcpSocket socket();
}
