package io.treecast.agent.core.contract;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.ghs.NodeId;

/**
 * One ordered, reliable, bidirectional stream to another agent, as the driver provides it.
 *
 * <p>Messages arrive once and in order, or the connection closes. After {@link #close} nothing more
 * arrives from it, and the driver does not report it as closed.
 *
 * @param <M> the messages: {@link PeerMessage} or {@link DataMessage}
 */
public interface Connection<M> {
  /** Sends a message, unless the connection has closed. */
  void send(M message);

  /** Closes it after the messages sent before. */
  void close();

  /**
   * Closes it as {@link #close} does, but does not wait for an end that does not answer: messages
   * sent before may not arrive.
   */
  default void giveUp() {
    close();
  }

  /** Reports that the core has learnt the other end's id. */
  void identified(NodeId peer);

  /** Reports the link's round trip, as far as the core has measured it. */
  default void roundTrip(long nanos) {}

  /** Returns the other end's address, for people. */
  String remoteAddress();
}
