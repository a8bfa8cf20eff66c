package io.treecast.agent.runtime;

import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.transport.GrpcTransport;
import java.util.function.Supplier;

/**
 * Passes the transport's events to the core, which is created after the server that others connect
 * to. On the agent's loop.
 *
 * @param core of the agent; asked for at each event
 */
record CoreEvents(Supplier<AgentCore> core) implements GrpcTransport.Core {
  @Override
  public void controlAccepted(Connection<PeerMessage> connection, long nowNanos) {
    core.get().controlAccepted(connection, nowNanos);
  }

  @Override
  public void controlReceived(
      Connection<PeerMessage> connection, PeerMessage message, long arrivedNanos, long nowNanos) {
    core.get().controlReceived(connection, message, arrivedNanos, nowNanos);
  }

  @Override
  public void controlClosed(Connection<PeerMessage> connection, String reason, long nowNanos) {
    core.get().controlClosed(connection, reason, nowNanos);
  }

  @Override
  public void dataAccepted(Connection<DataMessage> connection, long nowNanos) {
    core.get().dataAccepted(connection, nowNanos);
  }

  @Override
  public void dataReceived(Connection<DataMessage> connection, DataMessage message, long nowNanos) {
    core.get().dataReceived(connection, message, nowNanos);
  }

  @Override
  public void dataClosed(Connection<DataMessage> connection, String reason, long nowNanos) {
    core.get().dataClosed(connection, reason, nowNanos);
  }
}
