package io.treecast.agent.core.contract;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.ghs.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An ordered, reliable, bidirectional stream to another agent, provided by the driver.
 *
 * <p>Messages arrive once and in order, or the connection closes. After {@link #close} the driver
 * reports no further messages of the connection, nor its end.
 *
 * @param <M> the type of messages: {@link PeerMessage} or {@link DataMessage}
 */
public interface Connection<M> {
  /** Sends a message, unless the connection has closed. */
  void send(M message);

  /** Closes the connection once all earlier messages are sent. */
  void close();

  /**
   * Closes the connection like {@link #close}, but without waiting for an unresponsive peer.
   * Earlier messages may be lost.
   */
  default void abort() {
    close();
  }

  /** Reports the other end's id to the driver. */
  void identified(NodeId peer);

  /** Reports the link's measured round trip to the driver. */
  default void roundTrip(long nanos) {}

  /**
   * Returns the addresses of a control stream's paths, the one in use first; empty if the stream
   * has a single path.
   */
  default List<String> paths() {
    return List.of();
  }

  /** Returns the name of the other end's network in use; null if the network has no name. */
  default @Nullable String network() {
    return null;
  }

  /**
   * Reports a suspicion that messages do not arrive. A stream with several paths then looks for a
   * working one.
   */
  default void suspected() {}

  /** Reports the number of paths over which the uploads of a data stream can be spread. */
  default void spread(int paths) {}

  /** Returns the other end's address, for people. */
  String remoteAddress();
}
