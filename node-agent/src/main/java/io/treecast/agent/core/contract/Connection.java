package io.treecast.agent.core.contract;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.ghs.NodeId;

/**
 * One ordered, reliable, bidirectional stream to another agent, as the driver provides it.
 *
 * <p>What is sent arrives once and in order, or the connection closes. After {@link #close} nothing
 * more arrives from it, and the driver does not report it as closed.
 *
 * @param <M> what it carries: {@link PeerMessage} or {@link DataMessage}
 */
public interface Connection<M> {
  /** Sends, unless the connection has closed. */
  void send(M message);

  /** Closes it after what was sent before. */
  void close();

  /**
   * Closes it as {@link #close} does, but does not wait for the other end, which does not answer,
   * to agree: what was sent may not arrive.
   */
  default void giveUp() {
    close();
  }

  /** The core has learnt who is at the other end. */
  void identified(NodeId peer);

  /** How long the link's round trip is, as far as the core has measured it. */
  default void roundTrip(long nanos) {}

  /** Where the other end is, for a person. */
  String remoteAddress();
}
