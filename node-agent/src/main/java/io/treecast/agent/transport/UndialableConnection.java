package io.treecast.agent.transport;

import io.treecast.agent.core.contract.Connection;
import io.treecast.ghs.NodeId;

/**
 * A connection to an address that is none.
 *
 * @param <M> what it would carry
 * @param remoteAddress what was to be the address
 */
record UndialableConnection<M>(String remoteAddress) implements Connection<M> {
  @Override
  public void send(M message) {
    // Nobody is there.
  }

  @Override
  public void close() {
    // It never opened.
  }

  @Override
  public void identified(NodeId peer) {
    // Nobody is there.
  }
}
