package io.treecast.agent.core.contract;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.ghs.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /**
   * Returns the addresses of the paths that carry a control stream, the one in use first; empty if
   * it has the path of its connection only.
   */
  default List<String> paths() {
    return List.of();
  }

  /** Returns the name of the other end's network that is in use; null if it has no name. */
  default @Nullable String network() {
    return null;
  }

  /**
   * Reports that the core doubts whether messages pass, so that a stream of several paths looks for
   * a path that carries them.
   */
  default void doubted() {}

  /** Reports over how many paths the uploads of a data stream can be spread. */
  default void spread(int paths) {}

  /** Returns the other end's address, for people. */
  String remoteAddress();
}
