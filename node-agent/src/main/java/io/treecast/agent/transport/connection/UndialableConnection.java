package io.treecast.agent.transport.connection;

import io.treecast.agent.core.contract.Connection;
import io.treecast.ghs.NodeId;

/**
 * A connection to an invalid address.
 *
 * @param <M> the messages that it would carry
 * @param remoteAddress the invalid address
 */
public record UndialableConnection<M>(String remoteAddress) implements Connection<M> {
  @Override
  public void send(M message) {
    // There is no other end.
  }

  @Override
  public void close() {
    // It never opened.
  }

  @Override
  public void identified(NodeId peer) {
    // There is no other end.
  }
}
