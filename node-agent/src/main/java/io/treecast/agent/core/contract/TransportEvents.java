package io.treecast.agent.core.contract;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;

/** The events of an agent's connections with other agents. Called on the agent's thread. */
public interface TransportEvents {
  /**
   * Handles that threads of the transport ran late. Messages that arrive wait for them, too.
   *
   * @param nanos the longest wait of a message on a control stream since the last call
   */
  default void late(long nanos, long nowNanos) {}

  /** Handles a control stream that another agent has opened. */
  void controlAccepted(Connection<PeerMessage> connection, long nowNanos);

  /**
   * Handles a message on a control stream.
   *
   * @param arrivedNanos when it arrived; it may have waited for this thread since then
   */
  void controlReceived(
      Connection<PeerMessage> connection, PeerMessage message, long arrivedNanos, long nowNanos);

  /** Handles the end of a control stream, whichever end opened it. */
  void controlClosed(Connection<PeerMessage> connection, String reason, long nowNanos);

  /** Handles a data stream that another agent has opened. */
  void dataAccepted(Connection<DataMessage> connection, long nowNanos);

  void dataReceived(Connection<DataMessage> connection, DataMessage message, long nowNanos);

  /** Handles the end of a data stream, whichever end opened it. */
  void dataClosed(Connection<DataMessage> connection, String reason, long nowNanos);
}
